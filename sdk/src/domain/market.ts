// The two independent markets.
import { SvcError } from './errors.ts';

export const markets = ['standard', 'micro'] as const;
export type Market = (typeof markets)[number];

export function isMarket(value: unknown): value is Market {
  return markets.some((market) => market === value);
}

export function parseMarket(value: unknown): Market {
  if (isMarket(value)) return value;
  throw new SvcError('MARKET_UNKNOWN', {});
}
