// What a wallet has for a market, its collateral and its access fees, and what entering a task there needs.
import * as z from 'zod';
import type { Address } from '../domain/address.ts';
import { formatTok } from '../domain/amount.ts';
import { SvcError } from '../domain/errors.ts';
import type { Market } from '../domain/market.ts';
import type { MarketActions } from './marketActions.ts';

/** Documents of actions are JSON: amounts are decimal strings. */
const units = z.string().transform(BigInt);

const documentSchema = z.object({
  wallet: z.object({
    deposit: z.object({ balance: units, locked: units, canEngage: z.boolean() }),
    tokWei: units,
    allowances: z.object({ tokRouter: units }),
    staking: z.object({ credits: units }),
  }),
  figures: z.object({ entryUsdc: units, bondUsdc: units, recommendedUsdc: units, accessFeeTokWei: units }),
});

/** From the chain, in units of USDC and wei of TOK. */
export async function readCollateral(actions: MarketActions, address: Address, market: Market) {
  const { wallet, figures } = documentSchema.parse(await actions.read({ address, market }).prepare());
  return { ...wallet, figures };
}

/**
 * TOK that a wallet pays for this many access fees, in wei: Action Credits pay for as many as they cover. Throws NOT_READY_TO_ACT,
 * in the words of `who`, where it has less.
 */
export function requireFees(
  { tokWei, staking, figures }: Awaited<ReturnType<typeof readCollateral>>,
  count: number,
  who: string,
): bigint {
  const fee = figures.accessFeeTokWei;
  const paidByCredits = fee === 0n ? BigInt(count) : staking.credits / fee;
  const owedTokWei = BigInt(count) > paidByCredits ? (BigInt(count) - paidByCredits) * fee : 0n;
  if (tokWei >= owedTokWei) return owedTokWei;
  const [has, needs] = [tokWei, owedTokWei].map((amount) => formatTok(amount));
  const reason = `${who} has ${has} TOK, and ${needs} TOK are needed for access fees of signed terms: get TOK first`;
  throw new SvcError('NOT_READY_TO_ACT', { reason });
}
