// The first reading of a chain: all tasks as of one block, page by page, so that replies come within seconds.
import type { BlockRef } from '@svc/sdk/domain';
import { type Market, markets, retry, SvcError } from '@svc/sdk/domain';
import type { ProjectionStore } from '#store/projection.ts';
import type { ChainSource } from './source.ts';

export type SnapshotProgress = (done: number, total: number) => void;

const pageSize = 150;
/** The next pages are read while one is written. */
const pagesAhead = 4;
/** One failed page must not cost thousands of good ones. A block that is gone cannot come back, so that is not retried. */
const retries = {
  attempts: 8,
  firstMs: 100,
  longestMs: 2_000,
  shouldRetry: (error: unknown) => !(error instanceof SvcError && error.code === 'CHAIN_CHANGED'),
};

/** The signal stops it between two pages; what was written so far is never shown then. */
export async function takeSnapshot(
  source: ChainSource,
  store: ProjectionStore,
  onProgress: SnapshotProgress,
  signal?: AbortSignal,
): Promise<void> {
  // A snapshot must not be of another chain behind the same address.
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
    // Rows of failed readings are removed faster than new ones are written, so repeated failures do not fill the disk.
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
  const read = retry(() => source.readTasks(market, numbers, hash), retries);
  // It may fail before it is awaited; the failure is handled then.
  read.catch(() => undefined);
  return read;
}
