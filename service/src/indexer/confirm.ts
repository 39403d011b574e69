// Compares rows with the chain again. Rows come from answers that nothing proves, so one that was wrong for a moment must not
// stay: what was written in the last ten minutes is compared again every twenty seconds, for as long as a provider may have
// been wrong, and every row and event once in a period. How far this is stands in the database, so that the next process
// goes on from there.
import { isDeepStrictEqual } from 'node:util';
import { type Market, markets, SvcError, type Task, type TaskKey } from '@svc/sdk/domain';
import type { BlockRef, Generation, Head, Shown } from '#store/chainRow.ts';
import type { ProjectionStore } from '#store/projection.ts';
import { createEventComparison } from './confirmEvents.ts';
import type { ChainSource } from './source.ts';

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
/** What counts as recent: about ten minutes of Base, and while rows turn out to be wrong, up to some hours. */
export const recentBlocks = 300;
const mostRecentBlocks = 32 * recentBlocks;
/** How long a corrected block is doubtful, and how many are remembered. */
const [doubtMs, mostDoubtful] = [600_000, 500];
/** The pause between the pages of the first round, whose rows nothing has compared yet. */
const firstRoundMs = 1_000;

/** Times are Unix time in milliseconds, since another process may go on. */
type Progress = {
  readonly generation: Generation;
  /** The blocks whose events, and the changes whose rows, are compared then. */
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
  /** The round over all events: above which block it goes on, and when. */
  readonly past: { readonly above: number; readonly dueAt: number };
  /** Blocks whose events were corrected, however old: the answer that corrected them may have been the wrong one. */
  readonly doubtful?: readonly Doubtful[];
};

/** Compared again with all that is recent until then. */
type Doubtful = { readonly number: number; readonly until: number };

/** Rows of the recent changes that are still to be compared, and up to which block those go. */
type Waiting = { readonly upTo: number; readonly keys: readonly TaskKey[] };

/** How often a correction is tried where the head moves meanwhile. */
const writeAttempts = 5;

function addDoubtful({ doubtful = [] }: Progress, blocks: readonly bigint[]): Doubtful[] {
  const now = Date.now();
  const added = blocks.map((number) => ({ number: Number(number), until: now + doubtMs }));
  const left = doubtful.filter(
    ({ number, until }) => until > now && !added.some((one) => one.number === number),
  );
  return [...left, ...added].slice(-mostDoubtful);
}

/** Nothing is planned further ahead than `withinMs`: the clock was ahead when this was written, and it is due now. */
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
  let waiting: Waiting | null = null;
  /** Doubles with each comparison that finds something wrong: what a longer fault left behind is further back. */
  let reach = recentBlocks;
  let isWrong = false;
  const compareEvents = createEventComparison(source, store, writeAtHead);

  async function next(shown: Shown): Promise<Confirmed | null> {
    if (periodMs === 0) return null;
    let progress = await loadProgress(shown);
    const { recent } = progress;
    if (Date.now() >= recent.dueAt) {
      const above = Math.max(recent.above, Number(shown.historyFloor) - 1);
      if (above < recent.upTo) {
        const compared = await compareEvents(shown, BigInt(above), BigInt(recent.upTo));
        if (compared === null) return null;
        isWrong ||= compared.corrected.length > 0;
        const doubtful = addDoubtful(progress, compared.blocks);
        await save({ ...progress, recent: { ...recent, above: Number(compared.upTo) }, doubtful });
        return { confirmed: 0, corrected: compared.corrected, isRound: false, isRecent: false };
      }
      if (waiting?.upTo !== recent.upTo) {
        const keys = await store.loadChangedTasks(recent.changesAbove, recent.changesUpTo);
        waiting = { upTo: recent.upTo, keys };
      }
      if (waiting.keys.length > 0) return compareWaiting(shown, waiting);
      const again = await compareDoubtful(shown, progress);
      if (again === null) return null;
      progress = { ...progress, doubtful: addDoubtful(progress, again.blocks) };
      waiting = null;
      reach = isWrong ? Math.min(2 * reach, mostRecentBlocks) : recentBlocks;
      isWrong = false;
      progress = { ...progress, recent: await collect(shown, recent.upTo - reach) };
      await save(progress);
      return { confirmed: 0, corrected: again.corrected, isRound: false, isRecent: true };
    }
    if (Date.now() >= progress.round.dueAt) return comparePage(shown, progress);
    return comparePast(shown, progress);
  }

  async function loadProgress({ generation, head, startBlock }: Shown): Promise<Progress> {
    const text = await store.loadRecheck();
    const stored = text === null ? null : (JSON.parse(text) as Progress);
    if (stored?.generation === generation) {
      const { recent, round, past, doubtful = [] } = stored;
      const end = Number(head.number);
      // A fork may have made the chain shorter.
      const [above, upTo] = [Math.min(recent.above, end), Math.min(recent.upTo, end)];
      return {
        generation,
        recent: { ...recent, above, upTo, dueAt: endPostponed(recent.dueAt, settleMs) },
        round: { ...round, dueAt: endPostponed(round.dueAt, periodMs) },
        past: { ...past, dueAt: endPostponed(past.dueAt, periodMs) },
        doubtful: doubtful.map(({ number, until }) => ({
          number,
          until: Math.min(until, Date.now() + doubtMs),
        })),
      };
    }
    const recent = await collect({ head }, Number(head.number) - recentBlocks);
    const dueAt = Date.now() + Math.min(settleMs, periodMs);
    const round = { market: markets[0], after: 0, dueAt, isFirst: true };
    const past = { above: Number(startBlock) - 1, dueAt };
    const progress = { generation, recent, round, past };
    await save(progress);
    return progress;
  }

  /** All that was written since that block. */
  async function collect({ head }: Pick<Shown, 'head'>, since: number): Promise<Progress['recent']> {
    const above = Math.max(since, -1);
    const upTo = Number(head.number);
    const [changesAbove, changesUpTo] = [await store.loadLastChange(above), await store.loadLastChange(upTo)];
    return { above, upTo, changesAbove, changesUpTo, dueAt: Date.now() + settleMs };
  }

  async function save(progress: Progress): Promise<void> {
    await store.saveRecheck(progress.generation, JSON.stringify(progress));
  }

  /** Once in a period over all blocks. A stretch that cannot be read or compared now is tried again a minute later. */
  async function comparePast(shown: Shown, progress: Progress): Promise<Confirmed | null> {
    const { head, historyFloor, startBlock } = shown;
    const begin = Number(startBlock) - 1;
    const { dueAt } = progress.past;
    if (historyFloor > startBlock || Date.now() < dueAt) return null;
    const above = progress.past.above < Number(head.number) ? progress.past.above : begin;
    await save({ ...progress, past: { above, dueAt: Date.now() + Math.min(settleMs, periodMs) } });
    const compared = await compareEvents(shown, BigInt(above), head.number);
    if (compared === null) return null;
    const { upTo, corrected, blocks } = compared;
    const pause = (periodMs * (Number(upTo) - above)) / (Number(head.number) - begin);
    const past = { above: upTo === head.number ? begin : Number(upTo), dueAt: Date.now() + pause };
    await save({ ...progress, past, doubtful: addDoubtful(progress, blocks) });
    return { confirmed: 0, corrected, isRound: false, isRecent: false };
  }

  async function compareDoubtful(shown: Shown, { doubtful = [] }: Progress) {
    const [corrected, blocks]: [TaskKey[], bigint[]] = [[], []];
    for (const { number } of doubtful.filter((one) => one.number <= Number(shown.head.number))) {
      const compared = await compareEvents(shown, BigInt(number - 1), BigInt(number));
      if (compared === null) return null;
      corrected.push(...compared.corrected);
      blocks.push(...compared.blocks);
    }
    return { corrected, blocks };
  }

  async function compareWaiting(shown: Shown, { upTo, keys }: Waiting): Promise<Confirmed | null> {
    const market = keys[0]?.market as Market;
    const taken = keys.filter((key) => key.market === market).slice(0, pageSize);
    const rows = await store.loadTasks(shown.generation, taken);
    const corrected = await compare(shown, market, rows);
    if (corrected === null) return null;
    isWrong ||= corrected.length > 0;
    waiting = { upTo, keys: keys.filter((key) => !taken.includes(key)) };
    return { confirmed: rows.length, corrected, isRound: false, isRecent: false };
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
    return { confirmed: rows.length, corrected, isRound, isRecent: false };
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
      const shown = (await store.loadCursor())?.shown;
      if (shown?.generation !== generation) return false;
      try {
        return await write(shown.head);
      } catch (error) {
        if (!(error instanceof SvcError && error.code === 'FOLLOWER_OVERTAKEN')) throw error;
      }
    }
    return false;
  }

  /** Resolves to what was wrong; null where answers contradict each other. */
  async function compare(
    { generation, head: first }: Shown,
    market: Market,
    rows: readonly Task[],
  ): Promise<readonly TaskKey[] | null> {
    const read = await readByNumber(market, rows, first);
    const wrong = rows.filter((row) => !isDeepStrictEqual(read.get(row.number), row));
    if (wrong.length === 0) return [];
    let corrected: readonly TaskKey[] = [];
    // This answer may be the wrong one: only a second one that says the same counts, at the head of that moment.
    const isWritten = await writeAtHead(generation, async (head) => {
      const stored = await store.loadTasks(generation, wrong);
      const again = await readByNumber(market, wrong, head);
      const same = stored.filter(
        (row) =>
          isDeepStrictEqual(again.get(row.number), read.get(row.number)) &&
          !isDeepStrictEqual(again.get(row.number), row),
      );
      corrected = same.map(({ number }) => ({ market, number }));
      if (same.length === 0) return false;
      await store.saveBlocks({
        generation,
        base: head.hash,
        fork: null,
        events: [],
        tasks: same.flatMap(({ number }) => again.get(number) ?? []),
        gone: corrected.filter(({ number }) => !again.has(number)),
        head,
        kept: [],
      });
      return true;
    });
    return isWritten ? corrected : null;
  }

  async function readByNumber(
    market: Market,
    rows: readonly Task[],
    { hash }: BlockRef,
  ): Promise<ReadonlyMap<bigint, Task>> {
    const numbers = rows.map(({ number }) => number);
    const tasks = await source.readTasks(market, numbers, hash);
    return new Map(tasks.map((task) => [task.number, task]));
  }

  return next;
}
