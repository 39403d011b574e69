// One step along the chain: what happened since the stored head, forks included, read whole and written whole.
import { SvcError } from '#domain/errors.ts';
import type { ChainEvent } from '#domain/event.ts';
import type { BlockRef, Cursor, Head } from '#domain/follow.ts';
import { type Market, markets } from '#domain/market.ts';
import type { Task } from '#domain/task.ts';
import type { TaskKey } from '#domain/taskId.ts';
import type { ChainSource, ProjectionStore, SourceBlock } from './needs.ts';
import type { Range } from './range.ts';

export type StepResult =
  | { readonly kind: 'idle' }
  | { readonly kind: 'moved'; readonly head: Head; readonly behind: bigint }
  | { readonly kind: 'reorg'; readonly head: Head; readonly depth: bigint }
  /** The fork lies deeper than any hash we kept: only a fresh snapshot helps. */
  | { readonly kind: 'lost' };

/** Up to this many blocks, each header is asked whether the list of logs can be complete. */
const checkedBlocks = 8n;

export async function takeStep(
  source: ChainSource,
  store: ProjectionStore,
  cursor: Cursor & { readonly head: Head },
  range: Range,
): Promise<StepResult> {
  const tip = await source.readHead();
  if (tip.hash === cursor.head.hash) return { kind: 'idle' };
  const base = await findBase(source, store, cursor.head);
  if (base === null || base.number < (cursor.snapshotBlock ?? 0n)) return { kind: 'lost' };
  const forked = base.hash !== cursor.head.hash;

  const from = base.number + 1n;
  const target = await readTarget(source, tip, from, range);
  const events = from > target.number ? [] : await range.use(() => source.readEvents(from, target.number));
  await checkComplete(source, events, from, target);

  const touched = distinct([
    ...taskKeys(events),
    ...(forked ? await store.loadTouchedAbove(base.number) : []),
  ]);
  const missed = await findMissed(source, store, touched, target);
  const { tasks, gone } = await readTouched(source, distinct([...touched, ...missed]), target);
  await store.saveBlocks({
    base: cursor.head.hash,
    fork: forked ? base.number : null,
    events,
    tasks,
    gone,
    head: target,
    kept: keptBlocks(events, target),
  });
  const head = { number: target.number, hash: target.hash, time: target.time };
  return forked
    ? { kind: 'reorg', head, depth: cursor.head.number - base.number }
    : { kind: 'moved', head, behind: tip.number - target.number };
}

/** The newest block that we know and the chain still has. */
async function findBase(
  source: ChainSource,
  store: ProjectionStore,
  head: BlockRef,
): Promise<BlockRef | null> {
  if (await isOnChain(source, head)) return head;
  for (const kept of await store.loadKept()) {
    if (kept.number < head.number && (await isOnChain(source, kept))) return kept;
  }
  return null;
}

async function isOnChain(source: ChainSource, { number, hash }: BlockRef): Promise<boolean> {
  return (await source.readBlock(number))?.hash === hash;
}

async function readTarget(
  source: ChainSource,
  tip: SourceBlock,
  from: bigint,
  range: Range,
): Promise<SourceBlock> {
  const last = from + BigInt(range.size()) - 1n;
  if (last >= tip.number) return tip;
  const block = await source.readBlock(last);
  if (block === null) throw changedMeanwhile();
  return block;
}

/** The logs belong to the chain that ends in `target` only if it still does, and must explain the blocks' summaries. */
async function checkComplete(
  source: ChainSource,
  events: readonly ChainEvent[],
  from: bigint,
  target: SourceBlock,
): Promise<void> {
  if (!(await isOnChain(source, target))) throw changedMeanwhile();
  if (target.number - from >= checkedBlocks) return;
  const told = new Set(events.map(({ blockNumber }) => blockNumber));
  for (let number = from; number <= target.number; number++) {
    if (told.has(number)) continue;
    const block = number === target.number ? target : await source.readBlock(number);
    if (block === null) throw changedMeanwhile();
    if (source.mayHoldEvents(block)) throw new SvcError('CHAIN_LOGS_MISSING', { block: String(number) });
  }
}

/** Tasks that exist at the target but that no log has told us about. */
async function findMissed(
  source: ChainSource,
  store: ProjectionStore,
  touched: readonly TaskKey[],
  target: BlockRef,
): Promise<TaskKey[]> {
  const missed: TaskKey[] = [];
  for (const market of markets) {
    const count = await source.readTaskCount(market, target.hash);
    const known = new Set(touched.filter((key) => key.market === market).map(({ number }) => number));
    for (let number = (await store.loadTaskCount(market)) + 1n; number <= count; number++) {
      if (!known.has(number)) missed.push({ market, number });
    }
  }
  return missed;
}

async function readTouched(source: ChainSource, touched: readonly TaskKey[], target: BlockRef) {
  const tasks: Task[] = [];
  for (const market of markets) {
    const numbers = touched.filter((key) => key.market === market).map(({ number }) => number);
    tasks.push(...(await source.readTasks(market, numbers, target.hash)));
  }
  const found = new Set(tasks.map(keyText));
  return { tasks, gone: touched.filter((key) => !found.has(keyText(key))) };
}

function taskKeys(events: readonly ChainEvent[]): TaskKey[] {
  return events.flatMap(({ market, taskNumber }) =>
    taskNumber === null ? [] : [{ market, number: taskNumber }],
  );
}

function distinct(keys: readonly TaskKey[]): TaskKey[] {
  return [...new Map(keys.map((key) => [keyText(key), key])).values()];
}

function keyText({ market, number }: { readonly market: Market; readonly number: bigint }): string {
  return `${market}:${number}`;
}

function keptBlocks(events: readonly ChainEvent[], target: BlockRef): BlockRef[] {
  const blocks = events.map(({ blockNumber, blockHash }) => ({ number: blockNumber, hash: blockHash }));
  return [...new Map([...blocks, target].map(({ number, hash }) => [number, { number, hash }])).values()];
}

function changedMeanwhile(): SvcError {
  return new SvcError('CHAIN_CHANGED', {});
}
