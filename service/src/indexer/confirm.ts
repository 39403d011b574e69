// Compares rows with the chain again. Rows come from answers that nothing proves, so one that was wrong for a moment must not
// stay: a row is compared again about a minute after it was written, and every row once in a period.
import { isDeepStrictEqual } from 'node:util';
import {
  type BlockRef,
  type ChainEvent,
  type Market,
  markets,
  type Shown,
  type Task,
  type TaskKey,
} from '@svc/sdk/domain';
import type { ProjectionStore } from '#store/projection.ts';
import type { ChainSource } from './source.ts';

export type Confirmed = {
  readonly confirmed: number;
  /** The tasks whose rows were wrong. */
  readonly corrected: readonly TaskKey[];
  /** Whether with these every row has been compared once more. */
  readonly isRound: boolean;
};

export type ConfirmOptions = {
  /** How soon every row is compared again; 0: never, nor any other row. */
  readonly periodMs?: number;
  /** How soon after it was written. A minute is longer than most faults of a provider last. */
  readonly settleMs?: number;
};

const pageSize = 150;
/** What a process that has just begun compares first: about ten minutes of Base. */
export const firstConfirmed = 300n;

/** Resolves to null where nothing is due, or the head moves at this moment. */
export function createConfirmation(
  source: ChainSource,
  store: ProjectionStore,
  { periodMs = 24 * 3_600_000, settleMs = 60_000 }: ConfirmOptions,
): (shown: Shown) => Promise<Confirmed | null> {
  /** Blocks whose tasks are compared when they are a minute old. */
  let recent: { readonly above: bigint; readonly upTo: bigint; readonly dueAt: number } | null = null;
  let waiting: TaskKey[] = [];
  let place: { readonly market: Market; readonly after: bigint } = { market: markets[0], after: 0n };
  let nextPageAt = performance.now() + Math.min(settleMs, periodMs);

  async function next(shown: Shown): Promise<Confirmed | null> {
    if (periodMs === 0) return null;
    const { head } = shown;
    recent ??= {
      above: head.number - firstConfirmed,
      upTo: head.number,
      dueAt: performance.now() + settleMs,
    };
    if (performance.now() >= recent.dueAt) {
      const corrected = await compareEvents(shown, recent);
      if (corrected === null) return null;
      waiting.push(...(await store.loadTouchedAbove(recent.above, recent.upTo)));
      recent = { above: recent.upTo, upTo: head.number, dueAt: performance.now() + settleMs };
      if (corrected.length > 0) return { confirmed: 0, corrected, isRound: false };
    }
    if (waiting.length > 0) return compareWaiting(shown);
    return performance.now() >= nextPageAt ? comparePage(shown) : null;
  }

  /** Nothing proves what a log says. Resolves to the tasks whose events were wrong; null as for `compare`. */
  async function compareEvents(
    { generation, head, historyFloor }: Shown,
    { above: from, upTo }: { readonly above: bigint; readonly upTo: bigint },
  ): Promise<readonly TaskKey[] | null> {
    const above = from < historyFloor ? historyFloor - 1n : from;
    if (upTo <= above) return [];
    const last = await source.readBlock(upTo);
    if (last === null) return null;
    const { events } = await source.readEvents(above + 1n, last);
    const stored = await store.loadEvents({ above, upTo });
    if (isDeepStrictEqual(stored, events)) return [];
    const again = await source.readEvents(above + 1n, last);
    const isSame = isDeepStrictEqual(again.events, events);
    const isOnChain = (await source.readBlock(head.number))?.hash === head.hash;
    if (!isSame || !isOnChain || !(await isStillHead(head))) return null;
    await store.replaceEvents({ generation, head, wrong: stored, events, above, upTo });
    return listChanged(stored, events);
  }

  async function compareWaiting(shown: Shown): Promise<Confirmed | null> {
    const market = waiting[0]?.market as Market;
    const taken = waiting.filter((key) => key.market === market).slice(0, pageSize);
    const rows = await store.loadTasks(shown.generation, taken);
    const corrected = await compare(shown, market, rows);
    if (corrected === null) return null;
    waiting = waiting.filter((key) => !taken.includes(key));
    return { confirmed: rows.length, corrected, isRound: false };
  }

  async function comparePage(shown: Shown): Promise<Confirmed | null> {
    const { market, after } = place;
    const rows = await store.loadTasksAfter(market, after, pageSize);
    const corrected = rows.length === 0 ? [] : await compare(shown, market, rows);
    if (corrected === null) return null;
    const following = markets[markets.indexOf(market) + 1];
    const isEnd = rows.length < pageSize;
    const isRound = isEnd && following === undefined;
    place = isEnd
      ? { market: following ?? markets[0], after: 0n }
      : { market, after: rows.at(-1)?.number ?? after };
    nextPageAt = performance.now() + periodMs / (await countPages());
    return { confirmed: rows.length, corrected, isRound };
  }

  async function countPages(): Promise<number> {
    let pages = 0;
    for (const market of markets)
      pages += Math.floor(Number(await store.loadTaskCount(market)) / pageSize) + 1;
    return pages;
  }

  async function isStillHead({ hash }: BlockRef): Promise<boolean> {
    return (await store.loadCursor())?.shown?.head.hash === hash;
  }

  /** Resolves to what was wrong; null where the rows may be of another head than the one that was read. */
  async function compare(
    { generation, head }: Shown,
    market: Market,
    rows: readonly Task[],
  ): Promise<readonly TaskKey[] | null> {
    const first = await source.readTasks(market, numbersOf(rows), head.hash);
    const read = new Map(first.map((task) => [task.number, task]));
    const wrong = rows.filter((row) => !isDeepStrictEqual(read.get(row.number), row));
    if (wrong.length === 0) return [];
    // This answer may be the wrong one: only a second one that says the same counts.
    const again = await source.readTasks(market, numbersOf(wrong), head.hash);
    const isSame = isDeepStrictEqual(
      again,
      wrong.flatMap(({ number }) => read.get(number) ?? []),
    );
    if (!isSame || !(await isStillHead(head))) return null;
    const found = new Set(numbersOf(again));
    const gone = wrong.filter(({ number }) => !found.has(number));
    await store.saveBlocks({
      generation,
      base: head.hash,
      fork: null,
      events: [],
      tasks: again,
      gone: gone.map(({ number }) => ({ market, number })),
      head,
      kept: [],
    });
    return wrong.map(({ number }) => ({ market, number }));
  }

  return next;
}

/** The tasks of events that are in one list only. */
function listChanged(stored: readonly ChainEvent[], events: readonly ChainEvent[]): TaskKey[] {
  const differing = [...stored, ...events].filter(
    (event) => ![stored, events].every((list) => list.some((other) => isDeepStrictEqual(other, event))),
  );
  const keys = differing.flatMap(({ market, taskNumber }) =>
    taskNumber === null ? [] : [{ market, number: taskNumber }],
  );
  return [...new Map(keys.map((key) => [`${key.market}:${key.number}`, key])).values()];
}

function numbersOf(tasks: readonly Task[]): bigint[] {
  return tasks.map(({ number }) => number);
}
