// Amounts in dollars, compared with amounts in TOK by a price in USD with eight decimals. Whole numbers throughout.
import { groupThousands } from './amount.ts';

const usdPattern = /^([0-9]{1,12})(?:[.]([0-9]{1,8}))?$/;
const wei = 10n ** 18n;

/** Dollars with eight decimals; null if the text is no such amount. */
export function parseUsd(text: string): bigint | null {
  const [, whole, fraction = ''] = usdPattern.exec(text) ?? [];
  return whole === undefined ? null : BigInt(whole + fraction.padEnd(8, '0'));
}

/** The fewest TOK wei that are worth at least this. */
export function usdToWeiUp(usdE8: bigint, priceE8: bigint): bigint {
  return (usdE8 * wei + priceE8 - 1n) / priceE8;
}

/** The most TOK wei that are worth at most this. */
export function usdToWeiDown(usdE8: bigint, priceE8: bigint): bigint {
  return (usdE8 * wei) / priceE8;
}

/** TOK in dollars and cents, rounded; never use it where something is signed. */
export function showUsd(tokWei: bigint, priceE8: bigint): string {
  const perCent = wei * 1_000_000n;
  const cents = (tokWei * priceE8 + perCent / 2n) / perCent;
  if (cents === 0n && tokWei > 0n) return 'less than $0.01';
  return groupThousands(`$${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`);
}
