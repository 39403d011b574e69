// One step along the chain: what happened since the stored head, forks included, read whole and written whole.

import type { Range } from '@svc/sdk/chain';
import type { BlockRef, ChainEvent, Head, Shown, Task, TaskKey } from '@svc/sdk/domain';
import { markets, SvcError } from '@svc/sdk/domain';
import { findMissed, keyText, verifyUntold } from './doubt.ts';
import { findBase } from './fork.ts';
import type { ChainSource, EventRange, ProjectionStore, SourceBlock } from './needs.ts';

export type StepResult =
  | { readonly kind: 'idle' }
  | { readonly kind: 'moved'; readonly head: Head; readonly behind: bigint }
  | { readonly kind: 'reorg'; readonly head: Head; readonly behind: bigint; readonly depth: bigint }
  /** The fork lies deeper than any hash we kept: only a fresh snapshot helps. */
  | { readonly kind: 'lost'; readonly head: Head };

/** So many short steps, whose logs are proven, are taken rather than a long one that is checked task by task. */
const shortSteps = 32n;

export async function takeStep(
  source: ChainSource,
  store: ProjectionStore,
  shown: Shown,
  range: Range,
): Promise<StepResult> {
  const tip = await source.readHead();
  if (tip.hash === shown.head.hash) return { kind: 'idle' };
  const base = await findBase(source, store, shown, tip);
  if (base === null) return { kind: 'lost', head: tip };
  const isFork = base.hash !== shown.head.hash;

  const undone = isFork ? await store.loadTouchedAbove(base.number) : [];
  const { target, events, isProven } = await range.use(async (size) => {
    const stretch = await readStretch(source, base, tip, BigInt(size));
    if (!stretch.isProven)
      await verifyUntold(source, store, [...taskKeys(stretch.events), ...undone], stretch.target);
    return stretch;
  });
  const touched = distinct([...taskKeys(events), ...undone]);
  // Where every block has proven to hold no event of ours, nothing can have changed.
  const isQuiet = isProven && touched.length === 0;
  const missed = isQuiet ? [] : await findMissed(source, store, touched, target);
  const { tasks, gone } = await readTouched(source, [...touched, ...missed], target);
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

/** What happened between `base` and the tip, or as much of it as the chain tells at once. */
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

async function readTouched(source: ChainSource, touched: readonly TaskKey[], target: BlockRef) {
  const tasks: Task[] = [];
  for (const market of markets) {
    const numbers = touched.filter((key) => key.market === market).map(({ number }) => number);
    for (let start = 0; start < numbers.length; start += pageSize) {
      tasks.push(...(await source.readTasks(market, numbers.slice(start, start + pageSize), target.hash)));
    }
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

/** The hashes by which the next fork will be found. */
export function keptBlocks(events: readonly ChainEvent[], ...more: readonly BlockRef[]): BlockRef[] {
  const blocks = events.map(({ blockNumber, blockHash }) => ({ number: blockNumber, hash: blockHash }));
  return [...new Map([...blocks, ...more].map(({ number, hash }) => [number, { number, hash }])).values()];
}

function changedMeanwhile(): SvcError {
  return new SvcError('CHAIN_CHANGED', {});
}
