// What a wallet has paid for plans. While older events are still being read into rows, the chain itself is asked for
// what they may hold: a plan that was paid is never missing.
import type { Address } from '#domain/address.ts';
import type { Market } from '#domain/market.ts';
import type { Purchase } from '#domain/posting.ts';

export type Paid = {
  readonly purchases: readonly Purchase[];
  readonly startBlock: bigint;
  /** The rows know all payments from this block on. */
  readonly historyFloor: bigint;
};

export type PlanPurchaseNeeds = {
  readonly loadPaid: (market: Market, payer: Address) => Promise<Paid>;
  readonly readPurchases: (market: Market, payer: Address, from: bigint, to: bigint) => Promise<Purchase[]>;
};

export type LoadPurchases = (market: Market, payer: Address) => Promise<readonly Purchase[]>;

/** What is below the floor does not change any more, so each wallet's is asked for once. */
type Older = { readonly to: bigint; readonly purchases: Promise<readonly Purchase[]> };

const maxRemembered = 10_000;

export function createPlanPurchases({ loadPaid, readPurchases }: PlanPurchaseNeeds): LoadPurchases {
  const remembered = new Map<string, Older>();

  function readOlder(market: Market, payer: Address, from: bigint, to: bigint): Older['purchases'] {
    const key = `${market} ${payer}`;
    const known = remembered.get(key);
    if (known !== undefined && known.to >= to) return known.purchases;
    if (remembered.size >= maxRemembered) remembered.clear();
    const purchases = readPurchases(market, payer, from, to);
    remembered.set(key, { to, purchases });
    purchases.catch(() => remembered.delete(key));
    return purchases;
  }

  return async (market, payer) => {
    const { purchases, startBlock, historyFloor } = await loadPaid(market, payer);
    if (historyFloor <= startBlock) {
      remembered.clear();
      return purchases;
    }
    const older = await readOlder(market, payer, startBlock, historyFloor - 1n);
    const known = new Set(purchases.map(({ txHash }) => txHash));
    return [...purchases, ...older.filter(({ txHash }) => !known.has(txHash))];
  };
}
