// Amounts, addresses, names and times as people read them.
import { formatTok, formatUsdc } from '@svc/sdk/domain';
import { groupThousands } from '@svc/sdk/internal/domain/amount';
import { numberTask } from '@svc/sdk/internal/domain/taskId';
import { toPlain } from '@svc/sdk/internal/domain/text';

/** Exact: all digits except trailing zeros. */
export function showTok(wei: string | bigint): string {
  return groupThousands(formatTok(BigInt(wei))).replace('-', '−');
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

/** With cents, whatever the amount. */
export function showCents(usd: number): string {
  return `$${usd.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
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
  if (title !== undefined) return toPlain(title);
  return numberTask(id).replace('task', scope === 'private' ? 'Private task' : 'Task');
}

export const linkTask = (task: NamedTask) => ({
  href: `/market.html?task=${task.id}`,
  name: nameTask(task),
});

export function shorten(hex: string): string {
  return hex.startsWith('0x') && hex.length > 13 ? `${hex.slice(0, 6)}…${hex.slice(-4)}` : hex;
}

/** `totalAmount` becomes "total amount". */
export function toWords(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
}

const units = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const;

/** "3 d 4 h", "12 min", "45 s": the largest unit that is not zero, and the next one if it is not zero either. */
export function showDuration(seconds: number, most = 2): string {
  let rest = Math.max(0, Math.round(seconds));
  const first = units.findIndex(([size]) => rest >= size);
  if (first === -1) return '0 s';
  const parts = units.slice(first, first + most).flatMap(([size, unit]) => {
    const count = Math.floor(rest / size);
    rest %= size;
    return count === 0 ? [] : `${count} ${unit}`;
  });
  return parts.join(' ');
}

/** With every unit, for what is signed or compared. */
export function showExactDuration(seconds: number): string {
  return showDuration(seconds, units.length);
}

export function showAgo(time: number, now: number): string {
  return now - time < 5 ? 'just now' : `${showAge(time, now)} ago`;
}

export function showAge(time: number, now: number): string {
  return showDuration(now - time, 1);
}

/** The day alone: "24 Dec". */
export function showDate(time: number): string {
  return new Date(time * 1_000).toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
}

/** As a person says it, by the clock of the reader: "today at 18:15", "Thu 24 Dec, 09:15", with the year where it is another. */
export function showWhen(time: number, now: number): string {
  const [date, today] = [new Date(time * 1_000), new Date(now * 1_000)];
  const clock = date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  if (date.toDateString() === today.toDateString()) return `today at ${clock}`;
  const day = date.toLocaleDateString('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(date.getFullYear() !== today.getFullYear() && { year: 'numeric' }),
  });
  return `${day.replace(',', '')}, ${clock}`;
}

/** By the clock of the reader, which it names. */
export function showMoment(time: number): string {
  const date = new Date(time * 1_000);
  if (Number.isNaN(date.getTime())) return `second ${time}`;
  const minutes = -date.getTimezoneOffset();
  const local = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, 16).replace('T', ' ');
  return `${local} ${nameZone(minutes)}`;
}

/** "UTC", "UTC+2", "UTC−3:30": the zone of the reader now, or what these minutes are. */
export function nameZone(minutes = -new Date().getTimezoneOffset()): string {
  if (minutes === 0) return 'UTC';
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `UTC${minutes < 0 ? '−' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`;
}

/** The moments in a sentence of the SDK, such as "2026-11-20T23:05:00Z", as pages name them. */
export function showMoments(text: string): string {
  return text.replace(/\d{4}-\d\d-\d\dT[\d:]+Z/g, (moment) => showMoment(Date.parse(moment) / 1_000));
}

/** With the day of the week, for what somebody has to do by then: "Fri 2026-11-20 23:05 UTC+1". */
export function showDay(time: number): string {
  const day = new Date(time * 1_000).toLocaleDateString('en-GB', { weekday: 'short' });
  return `${day} ${showMoment(time)}`;
}

/** Smaller differences come from the network, not from a clock. */
const minOffsetSeconds = 60;

/**
 * Seconds to add to the device's clock, which may be wrong. The chain's clock decides: on a development chain it can be
 * ahead of everyone's. The clock of a chain that is down stands still; then the server's decides.
 */
export function clockOffset(times: {
  readonly device: number;
  readonly chain: number;
  /** NaN if unknown. */
  readonly server: number;
}): number {
  const { device, chain, server } = times;
  if (Number.isNaN(server)) return chain - device > minOffsetSeconds ? chain - device : 0;
  const offset = Math.max(chain, server) - device;
  return Math.abs(offset) > minOffsetSeconds ? offset : 0;
}
