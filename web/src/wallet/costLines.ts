// Costs and payments of the catalog: as lines of text, and in one total for a plan.
import type { Allowance, Cost, ExplainedCall, Movement, Token } from '@svc/sdk/actions';
import { isSameAddress } from '@svc/sdk/domain';
import { creditsNote } from '@svc/sdk/internal/actions/costs';
import { describeAllowance } from '@svc/sdk/internal/actions/explainCalls';
import { nameAccount, type Reader } from '@svc/sdk/internal/actions/movements';
import type { CallsPlan } from '@svc/sdk/internal/actions/planAction';
import type { WalletState } from '@svc/sdk/internal/chain/readAgents';
import { groupThousands } from '@svc/sdk/internal/domain/amount';
import { formatEther } from 'viem';
import { showTok, showUsdc } from '../data/format.ts';

export type CostLine = {
  readonly what: string;
  readonly amount: string;
  readonly note?: string | undefined;
  /** Of an amount in TOK, for its approximate value in USD. */
  readonly tokWei?: bigint;
  /** Whether the reader's own wallet gets it. */
  readonly isGain?: boolean;
  /** The full address of another wallet that gets it. */
  readonly payee?: string;
  /** Whether it is a bond of the reader that comes back. */
  readonly isOwnBond?: boolean;
};

/** `hasFreeFee`: whether Action Credits pay the access fee; undefined if the wallet's credits are not known. */
export function toCostLine(
  { kind, token, amount, payer, label, refund }: Cost,
  hasFreeFee?: boolean,
): CostLine {
  if (kind === 'accessFee' && hasFreeFee === true)
    return { what: label, amount: `${showTok(amount)} credits`, note: 'paid with Action Credits, no TOK' };
  const notes = [
    payer === 'each party' && 'for each of the two parties',
    refund,
    kind === 'accessFee' && hasFreeFee === undefined && creditsNote,
  ];
  const note = notes.filter(Boolean).join('; ');
  return { what: label, amount: showToken(token, amount), note, ...valueInTok(token, amount) };
}

/** Who gets it, from where, with the full address of any wallet but the reader's. */
function toMoveLine({ token, amount, from, to, note }: Movement, reader: Reader): CostLine {
  const [source, target] = [nameAccount(from, reader), nameAccount(to, reader)];
  const isFreed = from.place === 'bond' && to.place === 'collateral' && source.address === target.address;
  const notes = isFreed
    ? [source.address, 'free again']
    : [target.address, `from ${source.name}`, source.address, note];
  return {
    what: isFreed ? capitalize(source.name) : `To ${target.name}`,
    amount: amount === null ? 'as the contracts decide' : showToken(token, amount),
    note: notes
      .filter((note, at) => note && !notes.slice(0, at).some((said) => said?.includes(note)))
      .join(' · '),
    ...(token === 'TOK' && amount !== null && { tokWei: amount }),
    isGain: to.place === 'wallet' && isSameAddress(to.owner, reader.me),
    ...(to.place === 'wallet' && !isSameAddress(to.owner, reader.me) && { payee: to.owner }),
    ...(isFreed && 'owner' in to && isSameAddress(to.owner, reader.me) && { isOwnBond: true }),
  };
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** All that a call or a signature allows and moves. */
export function listMoney(
  { movements, allowance }: Pick<ExplainedCall, 'movements' | 'allowance'>,
  reader: Reader,
): CostLine[] {
  return [
    ...(allowance === null ? [] : [toAllowanceLine(allowance)]),
    ...movements.map((move) => toMoveLine(move, reader)),
  ];
}

function toAllowanceLine(allowance: Allowance): CostLine {
  const { token, amount, isUnlimited, spender, spenderName } = allowance;
  const later = 'nothing moves yet; an allowance from before is replaced';
  return {
    // Only the amount: an address has digits too.
    what: describeAllowance(allowance).replace(/\b\d+(\.\d+)?(?= TOK| USDC)/, groupThousands),
    amount: isUnlimited ? 'unlimited' : showToken(token, amount),
    note: spenderName === null ? later : `${spender} · ${later}`,
    ...(token === 'TOK' && !isUnlimited && { tokWei: amount }),
  };
}

type Planned = Pick<CallsPlan, 'explained' | 'costs' | 'hasFreeFee' | 'addedCollateralUsdc' | 'task'>;

/** What the action of a plan pays out, then what it costs. */
export function listPlanLines({ explained, costs, ...plan }: Planned, me: Reader['me']): CostLine[] {
  const { hasFreeFee, addedCollateralUsdc, task } = plan;
  const moves = (explained.at(-1)?.movements ?? []).filter(isPayout);
  const added: CostLine = {
    what: 'Collateral you still need',
    amount: `${showUsdc(addedCollateralUsdc)} USDC`,
    note: 'added to your collateral first; it stays yours',
  };
  return [
    ...moves.map((move) => toMoveLine(move, { me, task })),
    ...costs.map((cost) => toCostLine(cost, hasFreeFee)),
    ...(addedCollateralUsdc > 0n ? [added] : []),
  ];
}

/** The lines of a plan beside its costs: what does not come out of a wallet and is not locked. */
function isPayout({ from, to }: Movement): boolean {
  return from.place !== 'wallet' && from.place !== 'credits' && to.place !== 'bond';
}

function valueInTok(token: Token, amount: bigint): Pick<CostLine, 'tokWei'> {
  return token === 'TOK' ? { tokWei: amount } : {};
}

function showToken(token: Movement['token'], amount: bigint): string {
  return token === 'USDC' ? `${showUsdc(amount)} USDC` : `${showTok(amount)} ${token}`;
}

/** Of all transactions together. */
export function gasCost(wei: bigint, count: number, source = 'your wallet shows the exact cost'): CostLine {
  const note = `${count} ${count === 1 ? 'transaction' : 'transactions'}; ${source}`;
  return {
    what: 'Gas',
    amount: `${wei > 0n && wei < 10n ** 12n ? 'less than' : '≈'} ${showRoundEth(wei)} ETH`,
    note,
  };
}

/** Two digits, because it is an estimate; nobody counts the zeros of less than a millionth. */
export function showRoundEth(wei: bigint): string {
  if (wei > 0n && wei < 10n ** 12n) return '0.000001';
  return Number(formatEther(wei)).toLocaleString('en-US', { maximumSignificantDigits: 2 });
}

type Totalled = Pick<CallsPlan, 'hasFreeFee' | 'addedCollateralUsdc'> & {
  readonly wallet: Pick<WalletState, 'tokWei' | 'usdc'>;
};

/** What leaves the wallet, what is locked, and what the wallet has. */
export function totalOf(costs: readonly Cost[], { hasFreeFee, addedCollateralUsdc, wallet }: Totalled) {
  const { tokWei, usdc } = wallet;
  const sum = (isCounted: (cost: Cost) => boolean) =>
    costs.filter(isCounted).reduce((total, { amount }) => total + amount, 0n);
  return {
    tokWei: sum(({ token, kind }) => token === 'TOK' && !(kind === 'accessFee' && hasFreeFee === true)),
    /** Out of the wallet, into the own collateral included. */
    usdc: sum(({ token, kind }) => token === 'USDC' && kind !== 'collateralBond') + addedCollateralUsdc,
    /** Inside the collateral, until the task ends. */
    lockedUsdc: sum(({ kind }) => kind === 'collateralBond'),
    balance: { tokWei, usdc },
  };
}
