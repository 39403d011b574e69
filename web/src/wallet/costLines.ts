// Costs and payments of the catalog: as lines of text, and in one total for a plan.
import type { Cost, Move, Token } from '@svc/sdk/actions';
import type { Task } from '@svc/sdk/domain';
import { creditsNote } from '@svc/sdk/internal/actions/costs';
import type { WalletState } from '@svc/sdk/internal/chain/readAgents';
import { formatEther } from 'viem';
import { shorten, showTok, showUsdc } from '#data/format.ts';

export type CostLine = {
  readonly what: string;
  readonly amount: string;
  readonly note?: string | undefined;
  /** Of an amount in TOK, for its approximate value in USD. */
  readonly tokWei?: bigint;
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

export function toMoveLine({ what, amount, token, note, to }: Move): CostLine {
  const name = to === undefined ? what : `${what} ${shorten(to)}`;
  return amount === null
    ? { what: name, amount: note ?? 'free again' }
    : { what: name, amount: showToken(token, amount), note, ...valueInTok(token, amount) };
}

function valueInTok(token: Token, amount: bigint): Pick<CostLine, 'tokWei'> {
  return token === 'TOK' ? { tokWei: amount } : {};
}

function showToken(token: Token, amount: bigint): string {
  return token === 'TOK' ? `${showTok(amount)} TOK` : `${showUsdc(amount)} USDC`;
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
function showRoundEth(wei: bigint): string {
  if (wei > 0n && wei < 10n ** 12n) return '0.000001';
  return Number(formatEther(wei)).toLocaleString('en-US', { maximumSignificantDigits: 2 });
}

/** What leaves the wallet, what is locked, and what the wallet has. */
export function totalOf(
  costs: readonly Cost[],
  {
    hasFreeFee,
    addedCollateralUsdc,
    wallet: { tokWei, usdc },
  }: {
    readonly hasFreeFee: boolean | undefined;
    readonly addedCollateralUsdc: bigint;
    readonly wallet: Pick<WalletState, 'tokWei' | 'usdc'>;
  },
) {
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

/** What a worker should know before a claim. */
export function earningOf(task: Pick<Task, 'totalAmount' | 'funded'>, paidTokWei: bigint) {
  const netTokWei = task.totalAmount - paidTokWei;
  const warnings = [
    netTokWei <= 0n &&
      `This claim ${netTokWei < 0n ? 'costs more than' : 'costs as much as'} it pays: ${showTok(paidTokWei)} TOK for a reward of ${showTok(task.totalAmount)} TOK.`,
    task.funded === 0n &&
      'Escrow is empty. Work starts only when the poster has funded it; if that never happens, your fee is lost.',
  ];
  return { netTokWei, warnings: warnings.filter((text) => text !== false) };
}
