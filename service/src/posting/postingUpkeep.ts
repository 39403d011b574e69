// Updates recorded posts and payments whenever the indexer has written: posts that are on the chain no longer wait,
// and payments that a fork has removed are reported.

import { createTurns } from '@svc/sdk/internal/domain/backoff';
import type { Purchase } from '@svc/sdk/internal/domain/posting';
import type { Hex } from 'viem';
import { followNotices, type Listen } from '../store/notices.ts';
import type { PendingPostStore } from '../store/pendingPosts.ts';
import type { Paid } from '../store/planPayments.ts';

export type PostingUpkeepNeeds = Pick<PendingPostStore, 'loadUnseen' | 'markSeen' | 'sweepPending'> & {
  /** Whether this process is the one of its deployment that asks the chain. */
  readonly isLeader: () => Promise<boolean>;
  readonly readMinedBlocks: (txHashes: readonly Hex[]) => Promise<ReadonlyMap<Hex, bigint>>;
  readonly loadNewestPaid: (blocks: number) => Promise<Pick<Paid, 'purchases' | 'head'>>;
  readonly onPaymentGone: (purchase: Purchase) => void;
  readonly listen: Listen;
  readonly now: () => number;
};

/**
 * Anybody can record posts that do not exist. Those that fit are found by the indexer; this is for those that do not, and
 * nobody waits for it, so the chain is asked seldom: a transaction at most ten times in the five minutes that it may wait.
 */
const loadedAtOnce = 5_000;
const askedAtOnce = 50;
const pauses = { firstMs: 1_000, longestMs: 60_000 };
const betweenQuestionsMs = 1_000;
/** No fork is deeper. */
const watchedBlocks = 1_024;

export async function createPostingUpkeep(
  needs: PostingUpkeepNeeds,
): Promise<{ readonly close: () => Promise<void> }> {
  let paid = new Map<Hex, Purchase>();
  let nextQuestionAt = 0;
  const takeTurns = createTurns<Hex>(pauses);

  async function lookForMined(): Promise<void> {
    if (performance.now() < nextQuestionAt || !(await needs.isLeader())) return;
    nextQuestionAt = performance.now() + betweenQuestionsMs;
    const unseen = takeTurns(await needs.loadUnseen(needs.now(), loadedAtOnce), askedAtOnce);
    for (const [txHash, block] of await needs.readMinedBlocks(unseen)) await needs.markSeen(txHash, block);
  }

  async function watchPayments(): Promise<void> {
    const { purchases, head } = await needs.loadNewestPaid(watchedBlocks);
    const found = new Map(purchases.map((purchase) => [purchase.txHash, purchase]));
    for (const [txHash, purchase] of paid) {
      if (found.has(txHash) || purchase.blockNumber <= head - BigInt(watchedBlocks)) continue;
      needs.onPaymentGone(purchase);
    }
    paid = found;
  }

  const looking = await followNotices(needs.listen, async () => {
    // One may fail without the others: the chain may be away while the rows are there, and the other way round.
    await lookForMined().catch(() => undefined);
    await needs.sweepPending(needs.now()).catch(() => undefined);
    await watchPayments().catch(() => undefined);
  });
  looking.run();
  return { close: looking.close };
}
