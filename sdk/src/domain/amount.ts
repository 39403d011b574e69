// Amounts of TOK and USDC and the TOK price, as integers of their smallest unit; amounts and moments as text.
import { SvcError } from './errors.ts';

export const tokDecimals = 18;
export const usdcDecimals = 6;
export const priceDecimals = 8;

/** The contracts store amounts in 96 bits. */
export const maxAmount = 2n ** 96n - 1n;

/** "1500.25" TOK -> wei. */
export function parseTok(value: unknown): bigint {
  return parseDecimal(value, tokDecimals, 'TOK');
}

/** "20" or "19.99" USDC -> units of 6 decimals. */
export function parseUsdc(value: unknown): bigint {
  return parseDecimal(value, usdcDecimals, 'USDC');
}

/** "150" or "0.25" US dollars -> units of 6 decimals, as USDC has. */
export function parseUsd(value: unknown): bigint {
  return parseDecimal(value, usdcDecimals, 'USD');
}

/** "0.005" USD per TOK -> the same with 8 decimals. */
export function parsePriceE8(value: unknown): bigint {
  return parseDecimal(value, priceDecimals, 'USD per TOK');
}

/** A decimal integer string of wei, as in requests. */
export function parseTokWei(value: unknown): bigint {
  return parseDecimal(value, 0, 'TOK wei');
}

/** Wei -> "1500.25" TOK, without trailing zeros. */
export function formatTok(tokWei: bigint): string {
  return formatDecimal(tokWei, tokDecimals);
}

/** Units of 6 decimals -> "19.99" USDC, without trailing zeros. */
export function formatUsdc(units: bigint): string {
  return formatDecimal(units, usdcDecimals);
}

export function formatPriceE8(priceE8: bigint): string {
  return formatDecimal(priceE8, priceDecimals);
}

/** Refuses signs, exponents and separators, so that an amount cannot be misread. */
function parseDecimal(value: unknown, decimals: number, unit: string): bigint {
  const match = typeof value === 'string' ? /^(0|[1-9][0-9]{0,28})(?:\.([0-9]{1,18}))?$/.exec(value) : null;
  const [, whole = '', fraction = ''] = match ?? [];
  if (match === null || fraction.length > decimals) {
    const places = decimals === 0 ? 'without a decimal point' : `with at most ${decimals} decimal places`;
    throw new SvcError('AMOUNT_MALFORMED', { unit, places });
  }
  const amount = BigInt(whole + fraction.padEnd(decimals, '0'));
  if (amount > maxAmount) throw new SvcError('AMOUNT_TOO_LARGE', { unit });
  return amount;
}

function formatDecimal(amount: bigint, decimals: number): string {
  if (amount < 0n) return `-${formatDecimal(-amount, decimals)}`;
  const digits = amount.toString().padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals).replace(/0+$/, '');
  return fraction === '' ? digits.slice(0, -decimals) : `${digits.slice(0, -decimals)}.${fraction}`;
}

/** The largest of these amounts. */
export function maxOf(...amounts: readonly [bigint, ...bigint[]]): bigint {
  return amounts.reduce((most, amount) => (amount > most ? amount : most));
}

/** The smallest of these amounts. */
export function minOf(...amounts: readonly [bigint, ...bigint[]]): bigint {
  return amounts.reduce((least, amount) => (amount < least ? amount : least));
}

/** Separates the thousands of every number in a text: "16000.5 TOK" becomes "16,000.5 TOK". */
export function groupThousands(text: string): string {
  return text.replace(/(?<![.\d])\d+/g, (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ','));
}

export function formatPercent(bps: number): string {
  return `${bps / 100} %`;
}

const day = 86_400;

/** Days in words: `a day`, `14 days`, `3.5 days`. */
export function formatDays(seconds: number): string {
  return seconds === day ? 'a day' : `${Math.round((seconds / day) * 10) / 10} days`;
}

/** As in `2027-01-31T12:00:00Z`; as a number where no calendar reaches. */
export function formatMoment(seconds: number | bigint): string {
  const moment = new Date(Number(seconds) * 1_000);
  return Number.isNaN(moment.getTime()) ? String(seconds) : moment.toISOString().replace('.000Z', 'Z');
}

/** As a number, for replies in dollars; exact up to nine billion. */
export function toUsd(usdcUnits: bigint): number {
  return Number(usdcUnits) / 10 ** usdcDecimals;
}
