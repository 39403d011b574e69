// The first reading of a chain: all tasks as of one block, page by page, so that replies come within seconds. A market of a few
// thousand tasks is read together with its history, so that each row is rendered and written once.
import type { Task } from '@svc/sdk/domain';
import { type Market, markets } from '@svc/sdk/domain';
import { retry } from '@svc/sdk/internal/domain/backoff';
import { isErrorOf } from '@svc/sdk/internal/domain/errors';
import type { ChainEvent } from '@svc/sdk/internal/domain/event';
import { blameMissing } from '../chain/completeness.ts';
import type { ChainSource } from '../chain/source.ts';
import type { BlockRef } from '../store/chainRow.ts';
import { keyOfTask } from '../store/eventRows.ts';
import type { ProjectionStore } from '../store/projection.ts';
import { recentBlocks } from './confirm.ts';
import { type History, isGapless, type KnownPast } from './history.ts';
import { readPosted } from './postedTasks.ts';
import { blameDenied } from './step.ts';

const pageSize = 150;
/** The next pages are read while one is written. */
const pagesAhead = 4;
/** With more tasks than this, the first answer does not wait for any history. */
const tasksWithPast = 10_000;
/** One failed page must not cost thousands of good ones. A block that is gone cannot come back, so that is not retried. */
const retries = {
  attempts: 8,
  firstMs: 100,
  longestMs: 2_000,
  shouldRetry: (error: unknown) => !isErrorOf(error, 'CHAIN_CHANGED'),
};

export type SnapshotOptions = {
  readonly onProgress: (done: number, total: number) => void;
  /** Whether rows are compared with the chain again after they were written. */
  readonly isCheckedLater: boolean;
  /** Stops it between two pages; what was written so far is never shown then. */
  readonly signal: AbortSignal | undefined;
};

export async function takeSnapshot(
  source: ChainSource,
  store: ProjectionStore,
  history: History,
  { onProgress, isCheckedLater, signal }: SnapshotOptions,
): Promise<void> {
  // A snapshot must not be of another chain behind the same address.
  source.distrust();
  const head = await source.readHead();
  const counts = await source.readTaskCounts(head.hash);
  const pages = planPages(counts);
  const total = pages.reduce((sum, { numbers }) => sum + numbers.length, 0);
  let generation = await store.begin();
  let past: KnownPast | null = null;
  if (total <= tasksWithPast) {
    const read = await history.readPast(head, (events) => store.saveSnapshotEvents(generation, events));
    if (isWhole(source, counts, read)) past = read;
    // Without the events that were saved: it is unknown which are missing, or wrong.
    else generation = await store.begin();
  }
  const recent = past === null || !isCheckedLater ? [] : listRecent(past, head);
  const posted = await readPosted(source, recent, head);
  const reads: Promise<Task[]>[] = [];
  const readUpTo = (end: number) => {
    for (const page of pages.slice(reads.length, end)) {
      const read = readPage(source, page, posted, head);
      // It may fail before it is awaited; the failure is handled then.
      read.catch(() => undefined);
      reads.push(read);
    }
  };
  const events = Map.groupBy(past?.events ?? [], pageKey);
  let done = 0;
  let mayBeLeft = true;
  for (const [index, page] of pages.entries()) {
    signal?.throwIfAborted();
    readUpTo(index + pagesAhead);
    const tasks = await (reads[index] as Promise<Task[]>);
    delete reads[index];
    // Rows of failed readings are removed faster than new ones are written, so repeated failures do not fill the disk.
    if (mayBeLeft) mayBeLeft = await store.sweep();
    const key = pageKey({ market: page.market, taskNumber: page.numbers[0] as bigint });
    await store.saveSnapshotPage(generation, tasks, events.get(key));
    events.delete(key);
    done += tasks.length;
    onProgress(done, total);
  }
  await store.finishSnapshot(generation, head, source.startBlock, past ?? undefined);
}

/** Whether no posts are missing. Otherwise the background reads it again, from another endpoint if there is one. */
function isWhole(
  source: ChainSource,
  counts: Readonly<Record<Market, bigint>>,
  { events, floor }: KnownPast,
): boolean {
  const isLast = floor === source.startBlock;
  if (markets.every((market) => isGapless(events, market, counts[market] + 1n, isLast))) return true;
  blameMissing(source, floor);
  return false;
}

/** Names the page of a task. */
function pageKey({ market, taskNumber }: Pick<ChainEvent, 'market' | 'taskNumber'>): string {
  return taskNumber === null ? '' : `${market}:${(taskNumber - 1n) / BigInt(pageSize)}`;
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

/** Events of blocks that provably have no others, and whose tasks are compared with the chain a minute later. */
function listRecent({ events, provenFloor }: KnownPast, head: BlockRef): ChainEvent[] {
  return events.filter(
    ({ blockNumber }) => blockNumber >= provenFloor && blockNumber > head.number - BigInt(recentBlocks),
  );
}

async function readPage(
  source: ChainSource,
  { market, numbers }: Page,
  posted: ReadonlyMap<string, Task>,
  { hash }: BlockRef,
): Promise<Task[]> {
  const known = numbers.flatMap((number) => posted.get(keyOfTask({ market, number })) ?? []);
  const unknown = numbers.filter((number) => !posted.has(keyOfTask({ market, number })));
  if (unknown.length === 0) return known;
  const read = await retry(async () => {
    const found = await source.readTasks(market, unknown, hash);
    if (found.length < unknown.length) throw blameDenied(source);
    return found;
  }, retries);
  return [...known, ...read].sort((left, right) => Number(left.number - right.number));
}
