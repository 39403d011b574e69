// Numbers and times as people read them.
import { formatTok, formatUsdc } from '@svc/sdk/domain';

/** Exact: every digit that is not a trailing zero. */
export function showTok(wei: string | bigint): string {
  return groupThousands(formatTok(BigInt(wei)));
}

export function showUsdc(units: string | bigint): string {
  return groupThousands(formatUsdc(BigInt(units)));
}

/** For figures at a glance only; never where something is signed. */
export function showRoundTok(wei: string | bigint, digits = 0): string {
  return toTok(wei).toLocaleString('en-US', { maximumFractionDigits: digits });
}

export function toTok(wei: string | bigint): number {
  return Number(formatTok(BigInt(wei)));
}

export function showUsd(usd: number): string {
  const digits = Math.abs(usd) >= 100 ? 0 : 2;
  return `$${usd.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
}

export function shorten(hex: string): string {
  return hex.startsWith('0x') && hex.length > 13 ? `${hex.slice(0, 6)}…${hex.slice(-4)}` : hex;
}

/** "3 d 4 h", "12 min", "45 s": the two largest units that are not zero. */
export function showDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const parts: string[] = [];
  let rest = whole;
  for (const [size, unit] of [
    [86_400, 'd'],
    [3_600, 'h'],
    [60, 'min'],
    [1, 's'],
  ] as const) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${unit}`);
    else if (parts.length > 0) break;
    if (parts.length === 2) break;
  }
  return parts.join(' ') || '0 s';
}

export function showAgo(time: number, now: number): string {
  const age = now - time;
  if (age < 5) return 'just now';
  return `${showDuration(age < 60 ? age : Math.floor(age / 60) * 60)
    .split(' ')
    .slice(0, 2)
    .join(' ')} ago`;
}

export function showMoment(time: number): string {
  const date = new Date(time * 1_000);
  if (Number.isNaN(date.getTime())) return `second ${time}`;
  return `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function groupThousands(text: string): string {
  const [whole = '', fraction] = text.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** «totalAmount» as a person writes it. */
export function toWords(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
}
