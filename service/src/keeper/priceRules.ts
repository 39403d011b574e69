// Decides whether a price from a source may be published. Only money for plans depends on it; a wrong one still costs users.
import { formatPriceE8 } from '@svc/sdk/internal/domain/amount';

/** USD per TOK with eight decimals, and when it was true, in Unix seconds. */
export type PriceQuote = { readonly priceE8: bigint; readonly at: number };

export type PriceLimits = {
  /** Older quotes are refused. */
  readonly maxAgeSeconds: number;
  /** Of the published price, in hundredths of a percent. The feed itself allows no more than its own step. */
  readonly maxChangeBps: number;
  /** The band that no price leaves, whatever a source says and however often it says it. */
  readonly minPriceE8: bigint;
  readonly maxPriceE8: bigint;
  /** The same price is published again after this time, because the oracle ignores old ones. */
  readonly refreshSeconds: number;
  /** A smaller change is not worth a transaction. */
  readonly minChangeBps: number;
  /** The feed takes no two prices within this time. */
  readonly minIntervalSeconds: number;
};

type PriceDecision =
  | { readonly kind: 'publish'; readonly priceE8: bigint }
  | { readonly kind: 'fresh'; readonly reason: string }
  | { readonly kind: 'refused'; readonly reason: string };

/** Clocks of two machines differ by less. */
const clockToleranceSeconds = 60;

/** `last` is what the feed has; null before its first price. `now` is the time of the chain. */
export function decidePrice(
  quote: PriceQuote,
  last: PriceQuote | null,
  now: number,
  limits: PriceLimits,
): PriceDecision {
  const { priceE8, at } = quote;
  const refuse = (reason: string): PriceDecision => ({ kind: 'refused', reason });
  if (at > now + clockToleranceSeconds) return refuse(`the source's price is of a time ${at - now} s ahead`);
  if (now - at > limits.maxAgeSeconds) return refuse(`the source's price is ${now - at} s old`);
  if (priceE8 <= 0n || priceE8 < limits.minPriceE8 || priceE8 > limits.maxPriceE8) {
    const band = `${formatPriceE8(limits.minPriceE8)} to ${formatPriceE8(limits.maxPriceE8)}`;
    return refuse(`${formatPriceE8(priceE8)} USD is outside of ${band}`);
  }
  if (last === null) return { kind: 'publish', priceE8 };
  const changeBps = measureChange(last.priceE8, priceE8);
  if (changeBps > BigInt(limits.maxChangeBps)) {
    const from = `${formatPriceE8(last.priceE8)} to ${formatPriceE8(priceE8)} USD`;
    return refuse(`a change from ${from} is more than ${limits.maxChangeBps / 100} %`);
  }
  const age = now - last.at;
  if (age < limits.minIntervalSeconds) return { kind: 'fresh', reason: `the last price is ${age} s old` };
  if (changeBps >= BigInt(limits.minChangeBps) || age >= limits.refreshSeconds)
    return { kind: 'publish', priceE8 };
  return { kind: 'fresh', reason: `the published price is right and ${age} s old` };
}

/** In hundredths of a percent of the old price, rounded up. */
function measureChange(from: bigint, to: bigint): bigint {
  const step = to > from ? to - from : from - to;
  return (step * 10_000n + from - 1n) / from;
}
