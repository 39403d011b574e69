// The first read of a chain: all tasks as of one block, page by page, so that answers come within seconds.
import { type Market, markets } from '#domain/market.ts';
import type { ChainSource, ProjectionStore } from './needs.ts';

export type SnapshotProgress = (done: number, total: number) => void;

const pageSize = 150;
/** The chain is asked for the next pages while one is being written. */
const pagesAhead = 4;

export async function takeSnapshot(
  source: ChainSource,
  store: ProjectionStore,
  onProgress: SnapshotProgress,
): Promise<void> {
  const head = await source.readHead();
  await store.begin(source.identity, source.startBlock);
  const pages = await planPages(source, head.hash);
  const total = pages.reduce((sum, { numbers }) => sum + numbers.length, 0);
  let done = 0;
  const reads = pages.map((page, index) => ({ page, index }));
  const pending = new Map<number, ReturnType<ChainSource['readTasks']>>();
  for (const { index } of reads) {
    for (let next = index; next < Math.min(index + pagesAhead, pages.length); next++) {
      if (!pending.has(next)) pending.set(next, readPage(source, pages[next] as Page, head.hash));
    }
    const tasks = await (pending.get(index) as ReturnType<ChainSource['readTasks']>);
    pending.delete(index);
    await store.saveSnapshotPage(tasks);
    done += tasks.length;
    onProgress(done, total);
  }
  await store.finishSnapshot(head);
}

type Page = { readonly market: Market; readonly numbers: readonly bigint[] };

async function planPages(source: ChainSource, blockHash: `0x${string}`): Promise<Page[]> {
  const pages: Page[] = [];
  for (const market of markets) {
    const count = await source.readTaskCount(market, blockHash);
    for (let first = 1n; first <= count; first += BigInt(pageSize)) {
      const size = Number(count - first + 1n < BigInt(pageSize) ? count - first + 1n : BigInt(pageSize));
      pages.push({ market, numbers: Array.from({ length: size }, (_, offset) => first + BigInt(offset)) });
    }
  }
  return pages;
}

function readPage(source: ChainSource, { market, numbers }: Page, blockHash: `0x${string}`) {
  const read = source.readTasks(market, numbers, blockHash);
  // It may fail before its turn comes; the failure is looked at then.
  read.catch(() => undefined);
  return read;
}
