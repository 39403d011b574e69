// The two independent markets.
import { SvcError } from './errors.ts';

/** The names of the two markets. */
export const markets = ['standard', 'micro'] as const;
export type Market = (typeof markets)[number];

/** One value for each market. */
export function mapMarkets<Value>(build: (market: Market) => Value): Record<Market, Value> {
  return { standard: build('standard'), micro: build('micro') };
}

/** Whether it is the name of a market. */
export function isMarket(value: unknown): value is Market {
  return markets.some((market) => market === value);
}

/** Throws MARKET_UNKNOWN. */
export function parseMarket(value: unknown): Market {
  if (isMarket(value)) return value;
  throw new SvcError('MARKET_UNKNOWN', {});
}
