// Finds where our rows and the chain part.
import type { BlockRef, Shown } from '@svc/sdk/domain';
import type { ChainSource, ProjectionStore, SourceBlock } from './needs.ts';

/**
 * The newest block that we know and the chain still has. Null when the fork lies below all hashes we kept, or below
 * the events we know: only a fresh snapshot helps then.
 */
export async function findBase(
  source: ChainSource,
  store: ProjectionStore,
  { head, historyFloor }: Shown,
  tip: SourceBlock,
): Promise<BlockRef | null> {
  if (tip.parentHash === head.hash || (await isOnChain(source, head))) return head;
  // A fork, or another chain behind the same address.
  source.distrust();
  const kept = (await store.loadKept()).filter(({ number }) => number < head.number);
  const base = await findNewestOnChain(source, kept);
  return base === null || base.number + 1n < historyFloor ? null : base;
}

/** Below a fork all blocks are on the chain, above it none, so halving finds it. `kept` is newest first. */
async function findNewestOnChain(source: ChainSource, kept: readonly BlockRef[]): Promise<BlockRef | null> {
  let gone = 0;
  let on = kept.length;
  while (gone < on) {
    const middle = Math.floor((gone + on) / 2);
    if (await isOnChain(source, kept[middle] as BlockRef)) on = middle;
    else gone = middle + 1;
  }
  return kept[on] ?? null;
}

async function isOnChain(source: ChainSource, { number, hash }: BlockRef): Promise<boolean> {
  return (await source.readBlock(number))?.hash === hash;
}
