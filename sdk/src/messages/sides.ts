// What the two sides of an offer need to enter its task: collateral for a bond, TOK, and the allowance of the access fee.
import { type Address, isSameAddress } from '../domain/address.ts';
import { formatTok } from '../domain/amount.ts';
import { SvcError } from '../domain/errors.ts';
import { countFreeBonds } from '../negotiation/proposals.ts';
import type { TermsDocument } from '../schemas/terms.ts';

/** What a wallet has for a market, from the chain; amounts in units of USDC and wei of TOK. */
export type Side = {
  readonly deposit: { readonly balance: bigint; readonly locked: bigint };
  readonly tokWei: bigint;
  readonly allowances: { readonly tokRouter: bigint };
  readonly staking: { readonly credits: bigint };
  readonly figures: {
    readonly entryUsdc: bigint;
    readonly bondUsdc: bigint;
    readonly accessFeeTokWei: bigint;
  };
};

/** TOK that this many access fees cost a wallet, in wei: Action Credits pay for as many as they cover. */
function countFees({ staking, figures }: Side, count: number): bigint {
  const fee = figures.accessFeeTokWei;
  const paidByCredits = fee === 0n ? BigInt(count) : staking.credits / fee;
  return BigInt(count) > paidByCredits ? (BigInt(count) - paidByCredits) * fee : 0n;
}

/** The access fees, in wei. Throws NOT_READY_TO_ACT, in the words of `who`, where the wallet has less TOK. */
export function requireFees(side: Side, count: number, who: string): bigint {
  const owedTokWei = countFees(side, count);
  if (side.tokWei >= owedTokWei) return owedTokWei;
  const [has, needs] = [side.tokWei, owedTokWei].map((amount) => formatTok(amount));
  const reason = `${who} has ${has} TOK, and ${needs} TOK are needed for access fees of signed terms: get TOK first`;
  throw new SvcError('NOT_READY_TO_ACT', { reason });
}

/**
 * What keeps a party from entering the task of these terms, in words. A party that has not signed yet can still approve its access
 * fee, and one that creates the task approves it on the way.
 */
export function listLacks(
  side: Side,
  {
    wallet,
    terms,
    isSigned,
  }: { readonly wallet: Address; readonly terms: TermsDocument; readonly isSigned: boolean },
): string[] {
  const isPoster = isSameAddress(terms.poster, wallet);
  const who = `the ${isPoster ? 'poster' : 'worker'} ${wallet}`;
  const feeTokWei = countFees(side, 1);
  const neededTokWei = feeTokWei + (isPoster ? BigInt(terms.totalAmountTokWei) : 0n);
  const [has, needs] = [side.tokWei, neededTokWei].map((amount) => formatTok(amount));
  return [
    ...(countFreeBonds(side.deposit, side.figures) < 1
      ? [`${who} has too little free collateral (top-up)`]
      : []),
    ...(side.tokWei < neededTokWei ? [`${who} has ${has} TOK, and the task needs ${needs} TOK of it`] : []),
    ...(isSigned && side.allowances.tokRouter < feeTokWei
      ? [`${who} has not approved its access fee (approve-tok-router)`]
      : []),
  ];
}
