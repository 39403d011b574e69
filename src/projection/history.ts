// Fills in what happened before the snapshot, newest first: texts, proofs and each task's course.
import type { Shown } from '#domain/follow.ts';
import type { ChainSource, ProjectionStore } from './needs.ts';
import type { Range } from './range.ts';
import { keptBlocks } from './step.ts';

/** Reads one more stretch and answers its first block; null when there is none left. */
export async function fillHistory(
  source: ChainSource,
  store: ProjectionStore,
  shown: Shown,
  range: Range,
): Promise<bigint | null> {
  const { generation, historyFloor, historyHash, startBlock } = shown;
  if (historyFloor <= startBlock) return null;
  return range.use(async (size) => {
    const lowest = historyFloor - BigInt(size);
    const floor = lowest > startBlock ? lowest : startBlock;
    // The hash ties the stretch to the rows: events of another branch cannot get among them.
    const last = { number: historyFloor - 1n, hash: historyHash };
    const { events, parentHash } = await source.readEvents(floor, last);
    const kept = keptBlocks(events, ...(floor > 0n ? [{ number: floor - 1n, hash: parentHash }] : []));
    await store.saveHistory({ generation, base: historyFloor, events, floor, parentHash, kept });
    return floor;
  });
}
