// One step along the chain: the events since the stored head, forks included, written in one transaction.
import { isDeepStrictEqual } from 'node:util';
import type { Task, TaskKey } from '@svc/sdk/domain';
import { type Market, markets, SvcError } from '@svc/sdk/domain';
import type { ChainEvent } from '@svc/sdk/internal/domain/event';
import { blameMissing } from '../chain/completeness.ts';
import type { Range } from '../chain/logRange.ts';
import type { ChainSource, EventRange, SourceBlock } from '../chain/source.ts';
import type { BlockRef, Head, Shown } from '../store/chainRow.ts';
import { distinctTasks, keyOfTask, listTasks } from '../store/eventRows.ts';
import type { ProjectionStore } from '../store/projection.ts';
import { readPosted } from './postedTasks.ts';

export type StepResult =
  | { readonly kind: 'idle' }
  | { readonly kind: 'moved'; readonly head: Head; readonly behind: bigint }
  | { readonly kind: 'reorg'; readonly head: Head; readonly behind: bigint; readonly depth: bigint }
  /** The fork is deeper than the stored block hashes: only a new snapshot helps. */
  | { readonly kind: 'lost'; readonly head: Head };

/** Up to this many short steps, whose logs are proven, are preferred to one long step that is checked task by task. */
const shortSteps = 32n;

export type Patience = ReturnType<typeof createPatience>;

/** How long a chain that seems shorter than the rows is taken for a node that lags. */
export function createPatience(milliseconds: number) {
  let since: number | null = null;
  return {
    /** True when the stored head was on none of the nodes for long enough, so that the chain did go back. */
    isOver: (): boolean => {
      since ??= performance.now();
      return performance.now() - since >= milliseconds;
    },
    reset: (): void => {
      since = null;
    },
  };
}

export type StepOptions = {
  readonly range: Range;
  readonly patience: Patience;
  /** Whether rows are compared with the chain again after they were written. */
  readonly isCheckedLater: boolean;
};

export async function takeStep(
  source: ChainSource,
  store: ProjectionStore,
  shown: Shown,
  { range, patience, isCheckedLater }: StepOptions,
): Promise<StepResult> {
  const tip = await source.readHead();
  if (tip.hash === shown.head.hash) {
    patience.reset();
    return { kind: 'idle' };
  }
  const base = await findBase(source, store, shown, tip, patience);
  if (base === 'wait') return { kind: 'idle' };
  patience.reset();
  // Another node has the block of the rows; the one that gave the tip lags.
  if (base?.hash === shown.head.hash && tip.number < base.number) return { kind: 'idle' };
  if (base === null) return { kind: 'lost', head: tip };
  const isFork = base.hash !== shown.head.hash;

  const undone = isFork ? await store.loadTouchedAbove(base.number) : [];
  const { target, events, isProven, wrong } = await range.use(async (size) => {
    const stretch = await readStretch(source, base, tip, BigInt(size));
    if (stretch.isProven) return { ...stretch, wrong: [] };
    const reported = [...listTasks(stretch.events), ...undone];
    return { ...stretch, wrong: await findWrongRows(source, store, reported, { base, ...stretch }) };
  });
  const touched = distinctTasks([...listTasks(events), ...undone, ...wrong]);
  // Blocks that provably hold no event of ours changed nothing.
  const isQuiet = isProven && touched.length === 0;
  const counts = isQuiet ? null : await source.readTaskCounts(target.hash);
  const unreported = counts === null ? [] : await findUnreported(store, touched, counts);
  const isThere = ({ market, taskNumber }: ChainEvent) => (taskNumber ?? 0n) <= (counts?.[market] ?? 0n);
  const posted = await readPosted(source, isProven && isCheckedLater ? events.filter(isThere) : [], target);
  const { tasks, gone } = await readTouched(source, [...touched, ...unreported], posted, target);
  // Only a fork takes tasks away, or a row was one too many; never one below the count.
  const mayGo = new Set([...undone, ...wrong].map(keyOfTask));
  if (gone.some((key) => !mayGo.has(keyOfTask(key)) || key.number <= (counts?.[key.market] ?? 0n)))
    throw blameDenied(source);
  await store.saveBlocks({
    generation: shown.generation,
    base: shown.head.hash,
    fork: isFork ? base.number : null,
    events,
    tasks,
    gone,
    head: target,
    kept: keptBlocks(events, target),
  });
  const moved = { head: target, behind: tip.number - target.number };
  return isFork
    ? { kind: 'reorg', ...moved, depth: shown.head.number - base.number }
    : { kind: 'moved', ...moved };
}

type Stretch = Pick<EventRange, 'events' | 'isProven'> & { readonly target: Head };

/** The events between `base` and the tip, or as many blocks of them as one step takes. */
async function readStretch(
  source: ChainSource,
  base: BlockRef,
  tip: SourceBlock,
  size: bigint,
): Promise<Stretch> {
  const { provenBlocks } = source;
  const isNear = tip.number - base.number <= provenBlocks * shortSteps;
  const last = base.number + (isNear && size > provenBlocks ? provenBlocks : size);
  const target = last >= tip.number ? tip : await source.readBlock(last);
  if (target === null || target.number < base.number) throw changedMeanwhile();
  const head = { number: target.number, hash: target.hash, time: target.time };
  if (target.number === base.number) {
    if (target.hash !== base.hash) throw changedMeanwhile();
    return { target: head, events: [], isProven: true };
  }
  const { events, parentHash, isProven } = await source.readEvents(base.number + 1n, target);
  if (parentHash !== base.hash) throw changedMeanwhile();
  return { target: head, events, isProven };
}

const pageSize = 150;

/** `known` are tasks whose state need not be asked for. */
async function readTouched(
  source: ChainSource,
  touched: readonly TaskKey[],
  known: ReadonlyMap<string, Task>,
  target: BlockRef,
) {
  const found = new Map(known);
  for (const market of markets) {
    const numbers = touched
      .filter((key) => key.market === market && !known.has(keyOfTask(key)))
      .map(({ number }) => number);
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

/** The hashes by which the next fork is found. */
export function keptBlocks(events: readonly ChainEvent[], ...more: readonly BlockRef[]): BlockRef[] {
  const blocks = events.map(({ blockNumber, blockHash }) => ({ number: blockNumber, hash: blockHash }));
  return [...new Map([...blocks, ...more].map(({ number, hash }) => [number, { number, hash }])).values()];
}

function changedMeanwhile(): SvcError {
  return new SvcError('CHAIN_CHANGED', {});
}

/**
 * The newest block that both the rows and the chain have. Null when the fork is below all stored hashes or below the known
 * events: only a new snapshot helps then. A fork shows another hash at the same height. Returns 'wait' if the node has not
 * reached the height of the rows and its blocks agree with them: it lags.
 */
async function findBase(
  source: ChainSource,
  store: ProjectionStore,
  { head, historyFloor }: Shown,
  tip: SourceBlock,
  patience: Patience,
): Promise<BlockRef | null | 'wait'> {
  if (tip.parentHash === head.hash) return head;
  const same = await source.readBlock(head.number);
  if (same?.hash === head.hash) return head;
  const kept = (await store.loadKept()).filter(({ number }) => number < head.number);
  if (same === null && !patience.isOver()) {
    const below = kept.find(({ number }) => number <= tip.number);
    const known = below && (await source.readBlock(below.number));
    if (below === undefined || known == null || known.hash === below.hash) return 'wait';
  }
  // A fork, or another chain behind the same address.
  source.distrust(tip);
  const base = await findNewestOnChain(source, kept, tip.number);
  return base === null || base.number + 1n < historyFloor ? null : base;
}

/** Binary search: below a fork all blocks are on the chain, above it none. `kept` is newest first. */
async function findNewestOnChain(
  source: ChainSource,
  kept: readonly BlockRef[],
  tip: bigint,
): Promise<BlockRef | null> {
  let gone = 0;
  let on = kept.length;
  while (gone < on) {
    const middle = Math.floor((gone + on) / 2);
    const { number, hash } = kept[middle] as BlockRef;
    const block = number > tip ? null : await source.readBlock(number);
    // A node that lags must not make a fork deeper than it is.
    if (block === null && number <= tip) throw changedMeanwhile();
    if (block?.hash === hash) on = middle;
    else gone = middle + 1;
  }
  return kept[on] ?? null;
}

/** Tasks that exist at the target but are neither stored nor named by an event. */
async function findUnreported(
  store: ProjectionStore,
  reported: readonly TaskKey[],
  counts: Readonly<Record<Market, bigint>>,
): Promise<TaskKey[]> {
  const known = new Set(reported.map(keyOfTask));
  const unreported: TaskKey[] = [];
  for (const market of markets) {
    for (let number = (await store.loadTaskCount(market)) + 1n; number <= counts[market]; number++) {
      if (!known.has(keyOfTask({ market, number }))) unreported.push({ market, number });
    }
  }
  return unreported;
}

/**
 * Logs of many blocks come without proof. A log that a provider left out would leave a row that no later log corrects, so
 * every task that can still change is compared with the chain. Throws CHAIN_LOGS_MISSING where one has changed without a
 * log. Resolves to the tasks whose rows were wrong before.
 */
async function findWrongRows(
  source: ChainSource,
  store: ProjectionStore,
  reported: readonly TaskKey[],
  { base, target }: { readonly base: BlockRef; readonly target: BlockRef },
): Promise<TaskKey[]> {
  const counts = await source.readTaskCounts(target.hash);
  const wrong: TaskKey[] = await findUnreported(store, reported, counts);
  // A task that existed before has its log before as well: then its row is missing.
  const earlier = wrong.length === 0 ? counts : await source.readTaskCounts(base.hash).catch(() => counts);
  if (wrong.some(({ market, number }) => number > earlier[market])) throw blameMissing(source, target.number);
  const known = new Set(reported.map(keyOfTask));
  for (const market of markets) {
    let page = await store.loadLive(market, 0n, pageSize);
    for (; page.length > 0; page = await store.loadLive(market, page.at(-1)?.number ?? 0n, pageSize)) {
      const unnamed = page.filter((task) => !known.has(keyOfTask(task)));
      const differing = await findDiffering(source, market, unnamed, target);
      // A node that no longer has the state of that block cannot tell: then the rows count as wrong, and a log that is
      // missing after all is found when the blocks are compared again (confirm.ts).
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
  block: BlockRef,
): Promise<readonly Task[]> {
  if (rows.length === 0) return [];
  const numbers = rows.map(({ number }) => number);
  const read = await readByNumber(source, market, numbers, block);
  return rows.filter((row) => !isDeepStrictEqual(read.get(row.number), row));
}

/** An answer that denies a task of which another answer says that it exists. Asked again, another endpoint may have it. */
export function blameDenied({ blame }: Pick<ChainSource, 'blame'>): Error {
  const error = new Error('malformed answer: it denies a task that exists');
  blame(error);
  return error;
}

/** These tasks as the chain has them at a block. */
export async function readByNumber(
  source: ChainSource,
  market: Market,
  numbers: readonly bigint[],
  { hash }: BlockRef,
): Promise<ReadonlyMap<bigint, Task>> {
  return indexByNumber(await source.readTasks(market, numbers, hash));
}

export function indexByNumber(tasks: readonly Task[]): ReadonlyMap<bigint, Task> {
  return new Map(tasks.map((task) => [task.number, task]));
}
