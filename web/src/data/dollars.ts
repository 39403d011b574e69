// Dollars beside amounts of TOK, while they are typed.

import { formatTok } from '@svc/sdk/domain';
import { parseUsd } from '@svc/sdk/internal/domain/dollars';
import { dropThousands, parseAmount } from './formValues.ts';

export function readUsd(text: string): bigint | null {
  return parseUsd(dropThousands(text));
}

/** The unit that is typed with an amount, as in `$25` or `1500 TOK`; null where none is. */
export function readUnit(text: string): 'USD' | 'TOK' | null {
  if (/tok\s*$/i.test(text)) return 'TOK';
  return /^\s*\$|\$\s*$/.test(text) ? 'USD' : null;
}

/** The amount without its unit. */
export function readAmount(text: string): string {
  return text
    .replace(/\s*tok\s*$/i, '')
    .replaceAll('$', '')
    .trim();
}

const toE8 = (price: number) => BigInt(Math.round(price * 1e8));
/** TOK of a typed amount have four decimals: nobody reads more. */
const step = 10n ** 14n;

/** The TOK that these dollars are worth; null while they are no amount. */
export function toTokText(usd: string, price: number): string | null {
  const [wanted, priceE8] = [readUsd(usd), toE8(price)];
  if (wanted === null || priceE8 <= 0n) return null;
  const wei = (wanted * 10n ** 18n) / priceE8;
  return formatTok((wei / step) * step);
}

/** The dollars of an amount of TOK, with two decimals; empty while it is no amount. */
export function toUsdText(tok: string, price: number): string {
  const wei = parseAmount(tok);
  if (wei === null || wei === 0n) return '';
  const cents = (wei * toE8(price)) / 10n ** 24n;
  return `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
}
