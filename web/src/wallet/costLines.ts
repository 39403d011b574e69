// Costs and payments of the catalog as lines of text.
import { type Cost, creditsNote, type Move, type Token } from '@svc/sdk/actions';
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
