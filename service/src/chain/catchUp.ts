// The first reading, a piece at a time: old blocks in long ranges, the newest ones with proof, then each task once, as of the block
// where the events end. It goes on after a kill, and nothing is shown before all of it adds up.
import { type Market, markets, type Task } from '@svc/sdk/domain';
import { retry } from '@svc/sdk/internal/domain/backoff';
import { isErrorOf } from '@svc/sdk/internal/domain/errors';
import type { BlockRef, Head } from '../store/chainRow.ts';
import type { ForwardStore, Reading } from '../store/reading.ts';
import type { ChainSource } from './source.ts';
import type { Stretches } from './stretch.ts';
import { createSums } from './sums.ts';
import { blameDenied, lowestKept, pageSize } from './takeStep.ts';

/** The next pages are read while one is written. */
const pagesAhead = 4;
/** One failed page must not cost thousands of good ones. A block that is gone cannot come back, so that is not retried. */
const retries = {
  attempts: 8,
  firstMs: 100,
  longestMs: 2_000,
  shouldRetry: (error: unknown) => !isErrorOf(error, 'CHAIN_CHANGED'),
};
/** How many blocks one question about a single task covers. */
const alone = 2_000n;

export type CatchUpNeeds = {
  readonly source: ChainSource;
  readonly store: ForwardStore;
  readonly stretches: Stretches;
  readonly onTasks: (done: number, total: number) => void;
  /** Stops it between two pages. */
  readonly signal?: AbortSignal | undefined;
};

/** Events from `base` on: one range of old blocks, or all that are newer. Resolves to where they end. */
export async function readEvents(
  { store, stretches }: CatchUpNeeds,
  reading: Reading,
  base: Pick<Reading['end'], 'number' | 'hash'>,
  tip: Head,
): Promise<Reading> {
  const old = await stretches.findOld(tip);
  const { events, blocks, end } =
    base.number < old ? await stretches.readOld(base.number, old) : await stretches.readNew(base, tip);
  const isFork = base.number !== reading.end.number;
  await store.saveRange({
    reading,
    fork: isFork ? base.number : null,
    events,
    end,
    kept: blocks,
    keepFrom: lowestKept(tip, old),
    target: tip.number,
  });
  return { ...reading, end };
}

/** Every task as of the block where the events end, and whether it adds up. Resolves to the tasks that never do. */
export async function readTasksOnce(
  needs: CatchUpNeeds,
  reading: Reading,
  head: Head,
): Promise<readonly Task[]> {
  const { source, store, onTasks, signal } = needs;
  const counts = await source.readTaskCounts(head.hash);
  const pages = planPages(counts);
  const total = pages.reduce((sum, { numbers }) => sum + numbers.length, 0);
  const reads: Promise<Task[]>[] = [];
  const unfit: Task[] = [];
  let done = 0;
  for (const index of pages.keys()) {
    signal?.throwIfAborted();
    for (const page of pages.slice(reads.length, index + pagesAhead)) {
      const read = readPage(source, page, head);
      // It may fail before it is awaited; the failure is handled then.
      read.catch(() => undefined);
      reads.push(read);
    }
    const tasks = await (reads[index] as Promise<Task[]>);
    delete reads[index];
    done += tasks.length;
    unfit.push(...(await saveTasks(needs, reading, tasks, done / total)));
    onTasks(done, total);
  }
  const mistakes: Task[] = [];
  for (const task of unfit) if (!(await askAlone(needs, reading, task, head))) mistakes.push(task);
  await store.finishReading(reading, head, counts);
  return mistakes;
}

/** Resolves to those whose events do not add up. */
async function saveTasks(
  { store }: CatchUpNeeds,
  reading: Reading,
  tasks: readonly Task[],
  share: number,
): Promise<readonly Task[]> {
  const sums = createSums();
  await store.saveFirstTasks(reading, tasks, share, sums.add);
  return sums.listUnfit(tasks);
}

/** Its events, by its number and from another endpoint if there is one. Resolves to whether they add up then. */
async function askAlone(needs: CatchUpNeeds, reading: Reading, task: Task, head: Head): Promise<boolean> {
  const { source, store } = needs;
  source.blame(new Error('malformed answer: the logs of a task do not add up'));
  const { market, number } = task;
  for (let from = await store.loadPostBefore(reading, task); from <= head.number; from += alone) {
    const to = from + alone - 1n < head.number ? from + alone - 1n : head.number;
    await store.addEvents(reading, await source.readTaskEvents(market, number, from, to));
  }
  return (await saveTasks(needs, reading, [task], 1)).length === 0;
}

type Page = { readonly market: Market; readonly numbers: readonly bigint[] };

function planPages(counts: Readonly<Record<Market, bigint>>): Page[] {
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

function readPage(source: ChainSource, { market, numbers }: Page, { hash }: BlockRef): Promise<Task[]> {
  return retry(async () => {
    const found = await source.readTasks(market, numbers, hash);
    if (found.length < numbers.length) throw blameDenied(source);
    return found;
  }, retries);
}
