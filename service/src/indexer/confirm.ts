// Compares rows with the chain again. Rows come from answers that nothing proves, so one that was wrong for a moment must not
// stay: what was written in the last ten minutes is compared again every twenty seconds, what was written before where
// something turns out to be wrong, and every row and event once in a period. How far this is stands in the database, so that
// the next process goes on from there.

import { isDeepStrictEqual } from 'node:util';
import { type Market, markets, type TaskKey } from '@svc/sdk/domain';
import type { ChainSource } from '../chain/source.ts';
import { isOperatorError } from '../errors/operatorError.ts';
import type { Generation, Head, Shown } from '../store/chainRow.ts';
import type { ProjectionStore } from '../store/projection.ts';
import { createEventComparison } from './confirmEvents.ts';
import { indexByNumber, readByNumber } from './step.ts';

export type Confirmed = {
  readonly confirmed: number;
  /** The tasks whose rows were wrong. */
  readonly corrected: readonly TaskKey[];
  /** Whether with these every row has been compared once more. */
  readonly isRound: boolean;
  /** Whether with these everything recent has been compared once more. */
  readonly isRecent: boolean;
};

export type ConfirmOptions = {
  /** How soon every row is compared again; 0: never, nor any other row. */
  readonly periodMs?: number;
  /** How soon what is recent is compared again. */
  readonly settleMs?: number;
};

const pageSize = 150;
/** What counts as recent: about ten minutes of Base. */
export const recentBlocks = 300;
/** How far back blocks are compared where something is wrong: some hours. */
const mostBlocksBack = 32 * recentBlocks;
/** How long corrected blocks are doubtful, and how many stretches of them are remembered. */
const [doubtMs, mostDoubtful] = [600_000, 500];
/** The pause between the pages of the first round, whose rows nothing has compared yet. */
const firstRoundMs = 1_000;

/** The blocks whose events, and the changes whose rows, are compared then. Times are Unix time in milliseconds. */
type Part = {
  readonly above: number;
  readonly upTo: number;
  readonly changesAbove: number;
  readonly changesUpTo: number;
  readonly dueAt: number;
};

/** Another process may go on from here. */
type Progress = {
  readonly generation: Generation;
  readonly recent: Part;
  /** What was written before: only after something was wrong, and only while nothing recent is due. */
  readonly older?: Part | null | undefined;
  /** The round over all rows: after which one it goes on, and when. */
  readonly round: {
    readonly market: Market;
    readonly after: number;
    readonly dueAt: number;
    readonly isFirst: boolean;
  };
  /** The round over all events: above which block it goes on, and when. */
  readonly past: { readonly above: number; readonly dueAt: number };
  readonly doubtful?: readonly Doubtful[];
};

/**
 * Blocks whose events were corrected, however old: the answer that corrected them may have been the wrong one. They are compared
 * again with all that is recent until then.
 */
type Doubtful = { readonly first: number; readonly last: number; readonly until: number };

/** How often a correction is tried where the head moves meanwhile. */
const writeAttempts = 5;

/** Work planned further ahead than `withinMs` is due now: it was planned while the clock was ahead. */
function endPostponed(dueAt: number, withinMs: number): number {
  const now = Date.now();
  return dueAt > now + withinMs ? now : dueAt;
}

/** Resolves to null where nothing is due, or answers contradict each other. */
export function createConfirmation(
  source: ChainSource,
  store: ProjectionStore,
  { periodMs = 24 * 3_600_000, settleMs = 20_000 }: ConfirmOptions,
): (shown: Shown) => Promise<Confirmed | null> {
  /** Doubles with each comparison that finds something wrong: what a longer fault left behind is further back. */
  let reach = recentBlocks;
  let isWrong = false;
  /** What could not be compared the last time: it comes after all else that is due, and so stops nothing. */
  let failed: ((shown: Shown, progress: Progress) => Promise<Confirmed | null>) | null = null;
  const compareEvents = createEventComparison(source, store, { writeAtHead, doubt });
  let doubtful: readonly Doubtful[] = [];
  let saved: Progress | null = null;

  /** Before they are written: also what cannot be compared to its end, or by this process, is compared again. */
  async function doubt(blocks: readonly bigint[]): Promise<void> {
    const numbers = blocks.map(Number);
    const added = { first: Math.min(...numbers), last: Math.max(...numbers), until: Date.now() + doubtMs };
    const left = doubtful.filter(({ first, last }) => first < added.first || last > added.last);
    doubtful = [...left, added].slice(-mostDoubtful);
    if (saved !== null) await save(saved);
  }

  async function next(shown: Shown): Promise<Confirmed | null> {
    if (periodMs === 0) return null;
    const progress = await loadProgress(shown);
    const { recent, older, round, past } = progress;
    const steps = [
      { dueAt: recent.dueAt, compare: compareRecent },
      { dueAt: older?.dueAt ?? Infinity, compare: compareOlder },
      { dueAt: round.dueAt, compare: comparePage },
      { dueAt: past.dueAt, compare: comparePast },
    ];
    const due = steps.filter(({ dueAt }) => Date.now() >= dueAt).map(({ compare }) => compare);
    const step = due.find((compare) => compare !== failed) ?? due[0];
    if (step === undefined) return null;
    failed = step;
    const compared = await step(shown, progress);
    if (compared !== null) failed = null;
    return compared;
  }

  async function compareRecent(shown: Shown, progress: Progress): Promise<Confirmed | null> {
    const { recent } = progress;
    const step = await comparePart(shown, recent);
    if (step === null) return null;
    const { left, confirmed, corrected } = step;
    if (left !== null) {
      await save({ ...progress, recent: left });
      return { confirmed, corrected, isRound: false, isRecent: false };
    }
    const since = recent.upTo - recentBlocks;
    const again = await compareDoubtful(shown, since);
    if (again === null) return null;
    await save({
      ...progress,
      recent: await collect(since, Number(shown.head.number), settleMs),
      older: isWrong ? await reachBack(since) : progress.older,
    });
    return { confirmed: 0, corrected: again, isRound: false, isRecent: true };
  }

  /** A part that cannot be read now is tried again after a pause. */
  async function compareOlder(shown: Shown, progress: Progress): Promise<Confirmed | null> {
    const older = progress.older as Part;
    await save({ ...progress, older: { ...older, dueAt: Date.now() + Math.min(settleMs, periodMs) } });
    const step = await comparePart(shown, older);
    if (step === null) return null;
    let { left } = step;
    if (left === null && isWrong) left = await reachBack(older.upTo);
    else if (left === null) reach = recentBlocks;
    await save({ ...progress, older: left });
    const { confirmed, corrected } = step;
    return { confirmed, corrected, isRound: false, isRecent: false };
  }

  /** What was written before that block, twice as far back as the last time. */
  async function reachBack(upTo: number): Promise<Part> {
    reach = Math.min(2 * reach, mostBlocksBack);
    isWrong = false;
    return collect(upTo + recentBlocks - reach, upTo, 0);
  }

  /** Its next events, then its next rows; with nothing left when all have been compared. Null: answers contradict each other. */
  async function comparePart(shown: Shown, part: Part) {
    const above = Math.max(part.above, Number(shown.historyFloor) - 1);
    if (above < part.upTo) {
      // Only a few at once: each wrong block is read again, and recent rows may be due meanwhile.
      const end = Math.min(above + recentBlocks, part.upTo);
      const compared = await compareEvents(shown, BigInt(above), BigInt(end));
      if (compared === null) return null;
      const { upTo, corrected } = compared;
      isWrong ||= corrected.length > 0;
      return { left: { ...part, above: Number(upTo) }, confirmed: 0, corrected };
    }
    const { changesAbove, changesUpTo } = part;
    const { tasks, upTo } = await store.loadChangedTasks(changesAbove, changesUpTo, pageSize);
    const corrected: TaskKey[] = [];
    for (const [market, keys] of Map.groupBy(tasks, (key) => key.market)) {
      const numbers = keys.map(({ number }) => number);
      const wrong = await compare(shown, market, numbers);
      if (wrong === null) return null;
      corrected.push(...wrong);
    }
    isWrong ||= corrected.length > 0;
    const left = tasks.length > 0 ? { ...part, changesAbove: upTo } : null;
    return { left, confirmed: tasks.length, corrected };
  }

  async function loadProgress({ generation, head, startBlock }: Shown): Promise<Progress> {
    const text = await store.loadRecheck();
    const stored = text ? (JSON.parse(text) as Progress) : null;
    if (stored?.generation === generation) {
      const { recent, older, round, past } = stored;
      // A fork may have made the chain shorter.
      const cut = (part: Part): Part => ({
        ...part,
        above: Math.min(part.above, Number(head.number)),
        upTo: Math.min(part.upTo, Number(head.number)),
        dueAt: endPostponed(part.dueAt, settleMs),
      });
      doubtful = (stored.doubtful ?? [])
        .filter(({ until }) => until > Date.now())
        .map((one) => ({ ...one, until: Math.min(one.until, Date.now() + doubtMs) }));
      saved = {
        generation,
        recent: cut(recent),
        older: older && cut(older),
        round: { ...round, dueAt: endPostponed(round.dueAt, periodMs) },
        past: { ...past, dueAt: endPostponed(past.dueAt, periodMs) },
      };
      return saved;
    }
    doubtful = [];
    const end = Number(head.number);
    const recent = await collect(end - recentBlocks, end, settleMs);
    const dueAt = Date.now() + Math.min(settleMs, periodMs);
    const round = { market: markets[0], after: 0, dueAt, isFirst: true };
    const past = { above: Number(startBlock) - 1, dueAt };
    const progress = { generation, recent, round, past };
    await save(progress);
    return progress;
  }

  /** All that was written after one block, up to another. */
  async function collect(since: number, upTo: number, pauseMs: number): Promise<Part> {
    const above = Math.max(since, -1);
    const [changesAbove, changesUpTo] = [await store.loadLastChange(above), await store.loadLastChange(upTo)];
    return { above, upTo, changesAbove, changesUpTo, dueAt: Date.now() + pauseMs };
  }

  async function save(progress: Progress): Promise<void> {
    saved = progress;
    await store.saveRecheck(progress.generation, JSON.stringify({ ...progress, doubtful }));
  }

  /** Once in a period over all blocks. A stretch that cannot be compared now is tried again after a pause. */
  async function comparePast(shown: Shown, progress: Progress): Promise<Confirmed | null> {
    const { head, historyFloor, startBlock } = shown;
    const begin = Number(startBlock) - 1;
    if (historyFloor > startBlock) return null;
    const above = progress.past.above < Number(head.number) ? progress.past.above : begin;
    await save({ ...progress, past: { above, dueAt: Date.now() + Math.min(settleMs, periodMs) } });
    const compared = await compareEvents(shown, BigInt(above), head.number);
    if (compared === null) return null;
    const { upTo, corrected } = compared;
    const pause = (periodMs * (Number(upTo) - above)) / (Number(head.number) - begin);
    const past = { above: upTo === head.number ? begin : Number(upTo), dueAt: Date.now() + pause };
    await save({ ...progress, past });
    return { confirmed: 0, corrected, isRound: false, isRecent: false };
  }

  /** Those that are not recent any more. */
  async function compareDoubtful(shown: Shown, since: number): Promise<TaskKey[] | null> {
    const corrected: TaskKey[] = [];
    for (const { first, last } of doubtful.filter((one) => one.first <= since)) {
      for (let above = first - 1; above < Math.min(last, since); ) {
        const compared = await compareEvents(shown, BigInt(above), BigInt(Math.min(last, since)));
        if (compared === null) return null;
        corrected.push(...compared.corrected);
        above = Number(compared.upTo);
      }
    }
    return corrected;
  }

  async function comparePage(shown: Shown, progress: Progress): Promise<Confirmed | null> {
    const { market, after, isFirst } = progress.round;
    const counts = await source.readTaskCounts(shown.head.hash);
    // A row may be missing as well, or there may be one too many.
    const last = Math.max(Number(counts[market]), Number(await store.loadTaskCount(market)));
    const end = Math.min(after + pageSize, last);
    const numbers = Array.from({ length: Math.max(0, end - after) }, (_, at) => BigInt(after + 1 + at));
    const corrected = await compare(shown, market, numbers);
    if (corrected === null) return null;
    const following = markets[markets.indexOf(market) + 1];
    const isEnd = end === last;
    const isRound = isEnd && following === undefined;
    const pause = periodMs / (await countPages());
    await save({
      ...progress,
      round: {
        market: isEnd ? (following ?? markets[0]) : market,
        after: isEnd ? 0 : end,
        dueAt: Date.now() + (isFirst && !isRound ? Math.min(pause, firstRoundMs) : pause),
        isFirst: isFirst && !isRound,
      },
    });
    return { confirmed: numbers.length, corrected, isRound, isRecent: false };
  }

  async function countPages(): Promise<number> {
    let pages = 0;
    for (const market of markets)
      pages += Math.floor(Number(await store.loadTaskCount(market)) / pageSize) + 1;
    return pages;
  }

  /** The head may move at any time; only while something is written must it stay. */
  async function writeAtHead(
    generation: Generation,
    write: (head: Head) => Promise<boolean>,
  ): Promise<boolean> {
    for (let attempt = 0; attempt < writeAttempts; attempt++) {
      const shown = await store.loadShown();
      if (shown?.generation !== generation) return false;
      try {
        return await write(shown.head);
      } catch (error) {
        if (!isOperatorError(error, 'FOLLOWER_OVERTAKEN')) throw error;
      }
    }
    return false;
  }

  /** Resolves to what was wrong, rows that are missing included; null where answers contradict each other. */
  async function compare(
    { generation, head: first }: Shown,
    market: Market,
    numbers: readonly bigint[],
  ): Promise<readonly TaskKey[] | null> {
    const loadRows = async (of: readonly bigint[]) =>
      indexByNumber(
        await store.loadTasks(
          generation,
          of.map((number) => ({ market, number })),
        ),
      );
    const [read, rows] = [await readByNumber(source, market, numbers, first), await loadRows(numbers)];
    const wrong = numbers.filter((number) => !isDeepStrictEqual(read.get(number), rows.get(number)));
    if (wrong.length === 0) return [];
    let corrected: readonly TaskKey[] = [];
    // This answer may be the wrong one: only a second one that says the same counts, at the head of that moment.
    const isWritten = await writeAtHead(generation, async (head) => {
      const stored = await loadRows(wrong);
      const again = await readByNumber(source, market, wrong, head);
      const counts = await source.readTaskCounts(head.hash);
      const same = wrong.filter(
        (number) =>
          isDeepStrictEqual(again.get(number), read.get(number)) &&
          !isDeepStrictEqual(again.get(number), stored.get(number)) &&
          again.has(number) === number <= counts[market],
      );
      corrected = same.map((number) => ({ market, number }));
      if (same.length === 0) return false;
      await store.saveBlocks({
        generation,
        base: head.hash,
        fork: null,
        events: [],
        tasks: same.flatMap((number) => again.get(number) ?? []),
        gone: corrected.filter(({ number }) => !again.has(number)),
        head,
        kept: [],
      });
      return true;
    });
    return isWritten ? corrected : null;
  }

  return next;
}
