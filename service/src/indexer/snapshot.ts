// The first read of a chain: all tasks as of one block, page by page, so that answers come within seconds.

import type { BlockRef } from '@svc/sdk/domain';
import { type Market, markets, SvcError } from '@svc/sdk/domain';
import type { ChainSource, ProjectionStore } from './needs.ts';

export type SnapshotProgress = (done: number, total: number) => void;

const pageSize = 150;
/** The chain is asked for the next pages while one is being written. */
const pagesAhead = 4;
/** Thousands of pages must not be read again because one of them failed. */
const attempts = 8;
const longestPauseMs = 2_000;

/** Stops between two pages when told to; what was written so far is never shown then. */
export async function takeSnapshot(
  source: ChainSource,
  store: ProjectionStore,
  onProgress: SnapshotProgress,
  signal?: AbortSignal,
): Promise<void> {
  // Whatever made a snapshot necessary, another chain behind the same address must not be the reason.
  source.distrust();
  const head = await source.readHead();
  const pages = await planPages(source, head);
  const total = pages.reduce((sum, { numbers }) => sum + numbers.length, 0);
  const generation = await store.begin(source.identity);
  const reads: ReturnType<ChainSource['readTasks']>[] = [];
  let done = 0;
  let mayBeLeft = true;
  for (const [index] of pages.entries()) {
    signal?.throwIfAborted();
    for (const page of pages.slice(reads.length, index + pagesAhead))
      reads.push(readPage(source, page, head));
    const tasks = await (reads[index] as ReturnType<ChainSource['readTasks']>);
    delete reads[index];
    // What an earlier reading left that failed goes faster than this one comes: however often they fail, disks stay free.
    if (mayBeLeft) mayBeLeft = await store.sweep();
    await store.saveSnapshotPage(generation, tasks);
    done += tasks.length;
    onProgress(done, total);
  }
  await store.finishSnapshot(generation, head, source.startBlock);
}

type Page = { readonly market: Market; readonly numbers: readonly bigint[] };

async function planPages(source: ChainSource, { hash }: BlockRef): Promise<Page[]> {
  const counts = await source.readTaskCounts(hash);
  const pages: Page[] = [];
  for (const market of markets) {
    const count = Number(counts[market]);
    for (let first = 1; first <= count; first += pageSize) {
      const length = Math.min(pageSize, count - first + 1);
      pages.push({ market, numbers: Array.from({ length }, (_, offset) => BigInt(first + offset)) });
    }
  }
  return pages;
}

function readPage(source: ChainSource, { market, numbers }: Page, { hash }: BlockRef) {
  const read = readPatiently(() => source.readTasks(market, numbers, hash));
  // It may fail before its turn comes; the failure is looked at then.
  read.catch(() => undefined);
  return read;
}

/** Again and again, unless the block itself is gone. */
async function readPatiently<T>(read: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await read();
    } catch (error) {
      const isGone = error instanceof SvcError && error.code === 'CHAIN_CHANGED';
      if (isGone || attempt === attempts) throw error;
      const pause = Math.min(50 * 2 ** attempt, longestPauseMs) * (0.5 + Math.random() / 2);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}
