// Fills in what happened before the snapshot, newest first: texts, proofs and each task's course.

import type { Range } from '@svc/sdk/chain';
import type { ChainEvent, Shown } from '@svc/sdk/domain';
import { markets, SvcError } from '@svc/sdk/domain';
import type { ChainSource, ProjectionStore } from './needs.ts';
import { keptBlocks } from './step.ts';

export type Stretch = { readonly floor: bigint; readonly events: number };

/**
 * Reads one more stretch and answers its first block; null when there is none left. Where blocks are full, taking a
 * stretch apart and writing it are much work each, so `giveWay` lets more urgent work come in between.
 */
export async function fillHistory(
  source: ChainSource,
  store: ProjectionStore,
  shown: Shown,
  { range, giveWay }: { readonly range: Range<Stretch>; readonly giveWay: () => Promise<void> },
): Promise<bigint | null> {
  const { generation, historyFloor, historyHash, startBlock } = shown;
  if (historyFloor <= startBlock) return null;
  const { floor } = await range.use(async (size) => {
    const lowest = historyFloor - BigInt(size);
    const floor = lowest > startBlock ? lowest : startBlock;
    // The hash ties the stretch to the rows: events of another branch cannot get among them.
    const last = { number: historyFloor - 1n, hash: historyHash };
    const { events, parentHash } = await source.readEvents(floor, last);
    if (!(await isGapless(store, events, historyFloor, floor === startBlock))) {
      // Which of the stretches so far was told without its logs is not to be seen.
      await store.restartHistory(generation);
      const error = new SvcError('CHAIN_LOGS_MISSING', { block: String(last.number) });
      source.blame(error);
      throw error;
    }
    await giveWay();
    const kept = keptBlocks(events, ...(floor > 0n ? [{ number: floor - 1n, hash: parentHash }] : []));
    await store.saveHistory({ generation, base: historyFloor, events, floor, parentHash, kept });
    return { floor, events: events.length };
  });
  return floor;
}

/** Tasks are numbered without a gap: the postings of a stretch end right below the first one that is known. */
async function isGapless(
  store: ProjectionStore,
  events: readonly ChainEvent[],
  knownFrom: bigint,
  isLast: boolean,
): Promise<boolean> {
  for (const market of markets) {
    const posted = events.filter((event) => event.market === market && event.name === 'TaskPosted');
    const next = await store.loadFirstPosted(market, knownFrom);
    const first = next - BigInt(posted.length);
    if (!posted.every(({ taskNumber }, at) => taskNumber === first + BigInt(at))) return false;
    if (isLast && first !== 1n) return false;
  }
  return true;
}
