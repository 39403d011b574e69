// One step along the chain: the events since the stored head and the tasks that they touch, as of the same block, written in one
// transaction. A fork is undone in the same way: its events go, and the tasks of old and new events are read again.
import { isDeepStrictEqual } from 'node:util';
import { type Market, markets, type Task, type TaskKey } from '@svc/sdk/domain';
import type { ChainEvent } from '@svc/sdk/internal/domain/event';
import type { BlockRef, Head } from '../store/chainRow.ts';
import { distinctTasks, keyOfTask, listTasks } from '../store/eventRows.ts';
import type { ForwardStore, Reading } from '../store/reading.ts';
import { blameMissing } from './completeness.ts';
import type { ChainSource } from './source.ts';
import { changedMeanwhile, type Stretch, type Stretches } from './stretch.ts';

/** Tasks of one request. */
export const pageSize = 150;
/** More events than this are not collected: the whole market is read again. */
const mostEvents = 5_000;
/** Hashes of older blocks are not kept, whatever the chain calls final. */
const mostKept = 100_000n;

export type StepResult = { readonly head: Head; readonly behind: bigint; readonly depth: bigint };

export type StepNeeds = {
  readonly source: ChainSource;
  readonly store: ForwardStore;
  readonly stretches: Stretches;
  /** More are not collected. */
  readonly mostEvents?: number | undefined;
};

/** From `base`, where rows and chain part. Null where so much has happened that the whole market is to be read again. */
export async function takeStep(
  needs: StepNeeds,
  reading: Reading,
  base: BlockRef,
  tip: Head,
): Promise<StepResult | null> {
  const { source, store, stretches } = needs;
  const isFork = base.hash !== reading.end.hash;
  const undone = isFork ? await store.loadTouchedAbove(base.number) : [];
  const collected = await collect(needs, base, tip);
  if (collected === null) return null;
  const { events, blocks, end: target, isProven } = collected;
  const reported = distinctTasks([...listTasks(events), ...undone]);
  const isQuiet = isProven && reported.length === 0;
  const counts = isQuiet ? null : await source.readTaskCounts(target.hash);
  const unreported = counts === null ? [] : await findUnreported(needs, reported, counts, { base, target });
  const silent = isProven ? [] : await findSilent(needs, reported, { base, target });
  const touched = [...reported, ...unreported, ...silent];
  const { tasks, gone } = await readTouched(source, touched, target);
  // Only a fork takes tasks away, or a row was one too many; never one below the count.
  const mayGo = new Set([...undone, ...silent].map(keyOfTask));
  if (gone.some((key) => !mayGo.has(keyOfTask(key)) || key.number <= (counts?.[key.market] ?? 0n)))
    throw blameDenied(source);
  const old = await stretches.findOld(tip);
  await store.saveBlocks({
    base: reading.end.hash ?? '0x',
    fork: isFork ? base.number : null,
    events,
    tasks,
    gone,
    head: target,
    kept: blocks,
    keepFrom: lowestKept(tip, old),
  });
  return {
    head: target,
    behind: tip.number - target.number,
    depth: isFork ? reading.end.number - base.number : 0n,
  };
}

/** The lowest block whose hash is still needed. */
export function lowestKept(tip: Head, old: bigint): bigint {
  const lowest = tip.number - mostKept;
  return lowest > old ? lowest : old;
}

type Collected = Stretch & { readonly end: Head; readonly isProven: boolean };

/** Null where there are too many events. */
async function collect(
  { stretches, mostEvents: most = mostEvents }: StepNeeds,
  base: BlockRef,
  tip: Head,
): Promise<Collected | null> {
  const old = await stretches.findOld(tip);
  const events: ChainEvent[] = [];
  let from: { readonly number: bigint; readonly hash: BlockRef['hash'] | null } = base;
  while (from.number < old) {
    const part = await stretches.readOld(from.number, old);
    events.push(...part.events);
    from = part.end;
    if (events.length > most) return null;
  }
  if (tip.number <= base.number) {
    // The chain has become shorter.
    if (tip.number < base.number || tip.hash !== base.hash) throw changedMeanwhile();
    const { number, hash, time } = tip;
    return { events: [], blocks: [], end: { number, hash, time }, isProven: true };
  }
  const { events: newer, ...rest } = await stretches.readNew(from, tip);
  return { ...rest, events: [...events, ...newer], isProven: from === base };
}

async function readTouched(source: ChainSource, touched: readonly TaskKey[], target: BlockRef) {
  const found = new Map<string, Task>();
  for (const market of markets) {
    const numbers = touched.filter((key) => key.market === market).map(({ number }) => number);
    for (let start = 0; start < numbers.length; start += pageSize) {
      const page = await source.readTasks(market, numbers.slice(start, start + pageSize), target.hash);
      for (const task of page) found.set(keyOfTask(task), task);
    }
  }
  return {
    tasks: touched.flatMap((key) => found.get(keyOfTask(key)) ?? []),
    gone: touched.filter((key) => !found.has(keyOfTask(key))),
  };
}

/** An answer that denies a task of which another answer says that it exists. Asked again, another endpoint may have it. */
export function blameDenied({ blame }: Pick<ChainSource, 'blame'>): Error {
  const error = new Error('malformed answer: it denies a task that exists');
  blame(error);
  return error;
}

type Ends = { readonly base: BlockRef; readonly target: BlockRef };

/**
 * Tasks that exist at the target but are neither stored nor named by an event. Throws CHAIN_LOGS_MISSING where one was posted
 * since: its log is missing. Otherwise its row is.
 */
async function findUnreported(
  { source, store }: StepNeeds,
  reported: readonly TaskKey[],
  counts: Readonly<Record<Market, bigint>>,
  { base, target }: Ends,
): Promise<TaskKey[]> {
  const known = new Set(reported.map(keyOfTask));
  const unreported: TaskKey[] = [];
  for (const market of markets) {
    for (let number = (await store.loadTaskCount(market)) + 1n; number <= counts[market]; number++) {
      if (!known.has(keyOfTask({ market, number }))) unreported.push({ market, number });
    }
  }
  if (unreported.length === 0) return [];
  const earlier = await source.readTaskCounts(base.hash).catch(() => counts);
  if (unreported.some(({ market, number }) => number > earlier[market]))
    throw blameMissing(source, target.number);
  return unreported;
}

/**
 * Logs of long ranges come without proof. A log that a provider left out would leave a row that no later log corrects, so every
 * task that can still change is compared with the chain. Throws CHAIN_LOGS_MISSING where one has changed without a log. Resolves
 * to the tasks whose rows were wrong before.
 */
async function findSilent(
  { source, store }: StepNeeds,
  reported: readonly TaskKey[],
  { base, target }: Ends,
): Promise<TaskKey[]> {
  const known = new Set(reported.map(keyOfTask));
  const wrong: TaskKey[] = [];
  for (const market of markets) {
    let page = await store.loadLive(market, 0n, pageSize);
    for (; page.length > 0; page = await store.loadLive(market, page.at(-1)?.number ?? 0n, pageSize)) {
      const unnamed = page.filter((task) => !known.has(keyOfTask(task)));
      const differing = await findDiffering(source, market, unnamed, target);
      // A node that no longer has the state of that block cannot say; then the rows count as wrong.
      const before = await findDiffering(source, market, differing, base).catch(() => differing);
      if (before.length < differing.length) throw blameMissing(source, target.number);
      wrong.push(...differing);
    }
  }
  return wrong;
}

async function findDiffering(
  source: ChainSource,
  market: Market,
  rows: readonly Task[],
  { hash }: BlockRef,
): Promise<readonly Task[]> {
  if (rows.length === 0) return [];
  const read = await source.readTasks(
    market,
    rows.map(({ number }) => number),
    hash,
  );
  const byNumber = new Map(read.map((task) => [task.number, task]));
  return rows.filter((row) => !isDeepStrictEqual(byNumber.get(row.number), row));
}
