// Fills in what happened before the snapshot, newest first: texts, proofs and each task's course.
import type { Cursor } from '#domain/follow.ts';
import type { ChainSource, ProjectionStore } from './needs.ts';
import type { Range } from './range.ts';

/** Reads one more stretch; answers whether anything is left. */
export async function fillHistory(
  source: ChainSource,
  store: ProjectionStore,
  cursor: Cursor,
  range: Range,
): Promise<boolean> {
  const floor = cursor.historyFloor;
  if (floor === null || floor <= cursor.startBlock) return false;
  const lowest = floor - BigInt(range.size());
  const from = lowest > cursor.startBlock ? lowest : cursor.startBlock;
  const events = await range.use(() => source.readEvents(from, floor - 1n));
  await store.saveHistory({ base: floor, events, floor: from });
  return from > cursor.startBlock;
}
