// Compares rows with the chain again. Rows come from answers that nothing proves, so one that was wrong for a moment must not
// stay: a row is compared again about a minute after it was written, and every row once in a period. How far this is stands
// in the database, so that the next process goes on from there.
import { isDeepStrictEqual } from 'node:util';
import {
  type BlockRef,
  type ChainEvent,
  type Generation,
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
/** What is compared first of rows that were just read: about ten minutes of Base. */
export const firstConfirmed = 300n;
/** The pause between the pages of the first round, whose rows nothing has compared yet. */
const firstRoundMs = 1_000;

/** Times are Unix time in milliseconds, since another process may go on. */
type Progress = {
  readonly generation: Generation;
  /** The blocks and the changes of rows that are compared when they are a minute old. */
  readonly recent: {
    readonly above: number;
    readonly upTo: number;
    readonly changesAbove: number;
    readonly changesUpTo: number;
    readonly dueAt: number;
  };
  /** The round over all rows: after which one it goes on, and when. */
  readonly round: {
    readonly market: Market;
    readonly after: number;
    readonly dueAt: number;
    readonly isFirst: boolean;
  };
};

/** Rows of the recent changes that are still to be compared, and up to which block those go. */
type Waiting = { readonly upTo: number; readonly keys: readonly TaskKey[] };

/** Resolves to null where nothing is due, or the head moves at this moment. */
export function createConfirmation(
  source: ChainSource,
  store: ProjectionStore,
  { periodMs = 24 * 3_600_000, settleMs = 60_000 }: ConfirmOptions,
): (shown: Shown) => Promise<Confirmed | null> {
  let waiting: Waiting | null = null;

  async function next(shown: Shown): Promise<Confirmed | null> {
    if (periodMs === 0) return null;
    let progress = await loadProgress(shown);
    const { recent } = progress;
    if (Date.now() >= recent.dueAt) {
      if (waiting?.upTo !== recent.upTo) {
        const corrected = await compareEvents(shown, {
          above: BigInt(recent.above),
          upTo: BigInt(recent.upTo),
        });
        if (corrected === null) return null;
        const keys = await store.loadChangedTasks(recent.changesAbove, recent.changesUpTo);
        waiting = { upTo: recent.upTo, keys };
        if (corrected.length > 0) return { confirmed: 0, corrected, isRound: false };
      }
      if (waiting.keys.length > 0) return compareWaiting(shown, waiting);
      waiting = null;
      progress = { ...progress, recent: await collect(shown, recent.upTo, recent.changesUpTo) };
      await save(progress);
    }
    return Date.now() >= progress.round.dueAt ? comparePage(shown, progress) : null;
  }

  async function loadProgress({ generation, head }: Shown): Promise<Progress> {
    const text = await store.loadRecheck();
    const stored = text === null ? null : (JSON.parse(text) as Progress);
    if (stored?.generation === generation) {
      const { recent, round } = stored;
      const end = Number(head.number);
      // A fork may have made the chain shorter, and the clock of the process before may have been ahead.
      const [above, upTo] = [Math.min(recent.above, end), Math.min(recent.upTo, end)];
      const dueAt = Math.min(recent.dueAt, Date.now() + settleMs);
      return {
        generation,
        recent: { ...recent, above, upTo, dueAt },
        round: { ...round, dueAt: Math.min(round.dueAt, Date.now() + periodMs) },
      };
    }
    const recent = await collect(
      { head },
      Number(head.number - firstConfirmed),
      await store.loadLastChange(),
    );
    const dueAt = Date.now() + Math.min(settleMs, periodMs);
    const progress = { generation, recent, round: { market: markets[0], after: 0, dueAt, isFirst: true } };
    await save(progress);
    return progress;
  }

  /** All that was written since then, due in a minute. */
  async function collect(
    { head }: Pick<Shown, 'head'>,
    above: number,
    changesAbove: number,
  ): Promise<Progress['recent']> {
    const dueAt = Date.now() + settleMs;
    return {
      above,
      upTo: Number(head.number),
      changesAbove,
      changesUpTo: await store.loadLastChange(),
      dueAt,
    };
  }

  async function save(progress: Progress): Promise<void> {
    await store.saveRecheck(progress.generation, JSON.stringify(progress));
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
    const again = await readProven(above, upTo);
    const isSame = isDeepStrictEqual(again, events);
    const isOnChain = (await source.readBlock(head.number))?.hash === head.hash;
    if (!isSame || !isOnChain || !(await isStillHead(head))) return null;
    await store.replaceEvents({ generation, head, wrong: stored, events, above, upTo });
    return listChanged(stored, events);
  }

  /**
   * In stretches that are short enough to be proven complete: a provider that leaves logs out must not make us remove them.
   * Null where a block is missing.
   */
  async function readProven(above: bigint, upTo: bigint): Promise<readonly ChainEvent[] | null> {
    const events: ChainEvent[] = [];
    for (let from = above + 1n; from <= upTo; from += source.provenBlocks) {
      const end = from + source.provenBlocks - 1n;
      const last = await source.readBlock(end < upTo ? end : upTo);
      if (last === null) return null;
      events.push(...(await source.readEvents(from, last)).events);
    }
    return events;
  }

  async function compareWaiting(shown: Shown, { upTo, keys }: Waiting): Promise<Confirmed | null> {
    const market = keys[0]?.market as Market;
    const taken = keys.filter((key) => key.market === market).slice(0, pageSize);
    const rows = await store.loadTasks(shown.generation, taken);
    const corrected = await compare(shown, market, rows);
    if (corrected === null) return null;
    waiting = { upTo, keys: keys.filter((key) => !taken.includes(key)) };
    return { confirmed: rows.length, corrected, isRound: false };
  }

  async function comparePage(shown: Shown, progress: Progress): Promise<Confirmed | null> {
    const { market, after, isFirst } = progress.round;
    const rows = await store.loadTasksAfter(market, BigInt(after), pageSize);
    const corrected = rows.length === 0 ? [] : await compare(shown, market, rows);
    if (corrected === null) return null;
    const following = markets[markets.indexOf(market) + 1];
    const isEnd = rows.length < pageSize;
    const isRound = isEnd && following === undefined;
    const pause = periodMs / (await countPages());
    await save({
      ...progress,
      round: {
        market: isEnd ? (following ?? markets[0]) : market,
        after: isEnd ? 0 : Number(rows.at(-1)?.number ?? after),
        dueAt: Date.now() + (isFirst && !isRound ? Math.min(pause, firstRoundMs) : pause),
        isFirst: isFirst && !isRound,
      },
    });
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
