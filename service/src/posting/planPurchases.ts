// What a wallet has paid for plans. While older events are still being read into rows, the chain itself is asked for
// what they may hold: a plan that was paid is never missing.
import type { Address, Market, Purchase } from '@svc/sdk/domain';
import { createOlderPurchases, type OlderPurchaseNeeds, type OlderStretch } from './olderPurchases.ts';

export type Paid = OlderStretch & {
  /** The rows know all of them from the floor on; others stand by their own proof. */
  readonly purchases: readonly Purchase[];
};

export type PlanPurchaseNeeds = OlderPurchaseNeeds & {
  readonly loadPaid: (market: Market, payer: Address) => Promise<Paid>;
};

export type LoadPurchases = (market: Market, payer: Address) => Promise<readonly Purchase[]>;

export function createPlanPurchases({ loadPaid, ...needs }: PlanPurchaseNeeds): LoadPurchases {
  const older = createOlderPurchases(needs);
  return async (market, payer) => {
    const { purchases, ...stretch } = await loadPaid(market, payer);
    const { startBlock, historyFloor } = stretch;
    if (historyFloor <= startBlock) {
      older.forget();
      return purchases;
    }
    const below = await older.load(market, payer, stretch);
    // Where the chain shows a transaction, wherever a fork has put it, it has the last word.
    const shown = new Set(below.map(({ txHash }) => txHash.toLowerCase()));
    const above = purchases.filter(
      ({ txHash, blockNumber }) => blockNumber >= historyFloor && !shown.has(txHash.toLowerCase()),
    );
    return [...below, ...above];
  };
}
