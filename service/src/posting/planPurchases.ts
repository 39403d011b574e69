// What a wallet has paid for plans. While the indexer still reads older blocks into rows, the chain is asked for the payments
// in those blocks, so that a paid plan is never missing. One reading serves all wallets on both markets.
import { SvcError } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { within } from '@svc/sdk/internal/domain/backoff';
import { isErrorOf } from '@svc/sdk/internal/domain/errors';
import type { PostingCounts, Purchase } from '@svc/sdk/internal/domain/posting';
import type { AskedWallet, Moment } from '../store/pendingPosts.ts';
import type { PaidAndCounted } from '../store/planPayments.ts';

export type PlanPurchaseNeeds = {
  readonly loadPaid: (wallet: AskedWallet, moment: Moment) => Promise<Omit<PaidAndCounted, 'head'>>;
  /** Purchases of all payers, on both markets. */
  readonly readPurchases: (from: bigint, to: bigint) => Promise<Purchase[]>;
  /** Passes the number of blocks to ask for, and a smaller one if the chain refuses. */
  readonly useRange: (question: (blocks: number) => Promise<void>) => Promise<void>;
  /** How long a caller waits for the chain. */
  readonly patienceMs: number;
};

/** With what is counted of the wallet's day. */
export type LoadPurchases = (
  wallet: AskedWallet,
  moment: Moment,
) => Promise<{ readonly purchases: readonly Purchase[]; readonly counts: PostingCounts }>;

type Reading = {
  /** Below the floor nothing changes within one generation of the rows. */
  readonly generation: number;
  readonly purchases: Purchase[];
  /** All blocks before it are read. */
  next: bigint;
  flight: Promise<void> | null;
};

/**
 * The reading begins at the first block while the indexer comes down from the newest: they meet. It continues only while
 * somebody waits, one question at a time.
 */
export function createPlanPurchases(needs: PlanPurchaseNeeds): LoadPurchases {
  const { loadPaid, readPurchases, useRange, patienceMs } = needs;
  let current: Reading | null = null;

  async function readStretch(reading: Reading, floor: bigint): Promise<void> {
    await useRange(async (blocks) => {
      const end = reading.next + BigInt(blocks);
      const next = end < floor ? end : floor;
      reading.purchases.push(...(await readPurchases(reading.next, next - 1n)));
      reading.next = next;
    }).catch((error: unknown) => {
      // A node that refuses the logs of even one block counts as unreachable.
      if (!isErrorOf(error, 'CHAIN_REFUSED')) throw error;
      throw new SvcError('CHAIN_UNREACHABLE', { reason: 'it refuses to return its logs' }, error);
    });
  }

  /** Throws NOT_READY where it takes too long. A question under way continues, so that a retry finds its answer. */
  async function complete(reading: Reading, floor: bigint): Promise<void> {
    let isWaiting = true;
    const read = async () => {
      while (isWaiting && reading.next < floor) {
        reading.flight ??= readStretch(reading, floor).finally(() => {
          reading.flight = null;
        });
        await reading.flight;
      }
    };
    await within(patienceMs, read(), () => {
      isWaiting = false;
      return new SvcError('NOT_READY', {});
    });
  }

  return async (wallet, moment) => {
    const { purchases, counts, generation, startBlock, historyFloor } = await loadPaid(wallet, moment);
    if (historyFloor <= startBlock) {
      current = null;
      return { purchases, counts };
    }
    if (current?.generation !== generation)
      current = { generation, purchases: [], next: startBlock, flight: null };
    const reading = current;
    await complete(reading, historyFloor);
    const below = reading.purchases.filter(
      (one) =>
        one.market === wallet.market &&
        addressKey(one.payer) === addressKey(wallet.address) &&
        one.blockNumber < historyFloor,
    );
    // Where the chain shows a transaction, wherever a fork has put it, the chain counts and not the row.
    const shown = new Set(below.map(({ txHash }) => txHash.toLowerCase()));
    const above = purchases.filter(
      ({ txHash, blockNumber }) => blockNumber >= historyFloor && !shown.has(txHash.toLowerCase()),
    );
    return { purchases: [...below, ...above], counts };
  };
}
