// Amounts, addresses and names as people read them.
import { formatTok, formatUsdc } from '@svc/sdk/domain';
import { groupThousands } from '@svc/sdk/internal/domain/amount';
import { numberTask } from '@svc/sdk/internal/domain/taskId';

/** Exact: all digits except trailing zeros. */
export function showTok(wei: string | bigint): string {
  return groupThousands(formatTok(BigInt(wei)));
}

export function showUsdc(units: string | bigint): string {
  return groupThousands(formatUsdc(BigInt(units)));
}

/** Rounded; never use it where something is signed. */
export function showRoundTok(wei: string | bigint, digits = 0): string {
  return toTok(wei).toLocaleString('en-US', { maximumFractionDigits: digits });
}

export function toTok(wei: string | bigint): number {
  return Number(formatTok(BigInt(wei)));
}

export function showUsd(usd: number): string {
  const digits = Math.abs(usd) >= 100 ? 0 : 2;
  const text = Math.abs(usd).toLocaleString('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return `${usd < 0 ? '−' : ''}$${text}`;
}

/** Collateral is held in USDC, and the API counts it in USD. */
export function showDeposit(usd: number): string {
  return `${usd.toLocaleString('en-US')} USDC`;
}

/** Amounts in TOK in a sentence of ours, such as "1,500.5 TOK". */
export const tokAmounts = /(\d[\d,]*(?:\.\d+)? TOK)/;

type NamedTask = { readonly title?: string | undefined; readonly id: string; readonly scope: string };

/** Its title, or what a page without the words of a task calls it. */
export function nameTask({ title, id, scope }: NamedTask): string {
  return title ?? numberTask(id).replace('task', scope === 'private' ? 'Private task' : 'Task');
}

export function shorten(hex: string): string {
  return hex.startsWith('0x') && hex.length > 13 ? `${hex.slice(0, 6)}…${hex.slice(-4)}` : hex;
}

/** `totalAmount` becomes "total amount". */
export function toWords(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
}
