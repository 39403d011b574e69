// Reads the newest blocks a second time. Headers prove that no log is missing, but not what is in it, and nothing proves what a
// task looks like: a provider that is wrong for some seconds must not leave wrong rows.
import { isDeepStrictEqual } from 'node:util';
import { formatTaskId, markets, type Task, type TaskKey } from '@svc/sdk/domain';
import type { ChainEvent } from '@svc/sdk/internal/domain/event';
import type { BlockRef } from '../store/chainRow.ts';
import { distinctTasks, keyOfTask, listTasks } from '../store/eventRows.ts';
import type { ForwardStore, Reading } from '../store/reading.ts';
import type { ChainSource } from './source.ts';
import { pageSize } from './takeStep.ts';

/** Each block is read again so often. */
const looks = 3;
/** Blocks that the process before may have written in its last minute, before it could look at them again: some chains make four a second. */
const blocksBefore = 256n;
/** With more new blocks than this, most of them are old. */
const mostBlocks = 1_000n;

export type Doubt = {
  /** Everything after it is to be read again. */
  readonly base: BlockRef;
  /** Tasks whose rows or events are not what the chain says now. */
  readonly tasks: readonly string[];
};

export type SecondLookNeeds = {
  readonly source: ChainSource;
  readonly store: ForwardStore;
  readonly everyMs?: number | undefined;
};

export function createSecondLook({ source, store, everyMs = 20_000 }: SecondLookNeeds) {
  /** Where the rows ended at the last looks, oldest first. */
  let ends: readonly BlockRef[] = [];
  let lookedAt = performance.now();

  async function listDiffering(base: BlockRef, end: BlockRef): Promise<readonly TaskKey[] | null> {
    const stored = await store.loadEvents({ above: base.number, upTo: end.number });
    const events = await source.readRange(base.number + 1n, end.number, end.hash);
    const wrong = new Set([...onlyIn(stored, events), ...onlyIn(events, stored)]);
    const keys = listTasks(stored);
    const rows = await store.loadTasks(keys);
    const read = new Map((await readAll(source, rows, end)).map((task) => [keyOfTask(task), task]));
    const tasks = rows.filter((row) => !isDeepStrictEqual(read.get(keyOfTask(row)), row));
    return wrong.size + tasks.length === 0 ? null : distinctTasks([...listTasks([...wrong]), ...tasks]);
  }

  return {
    /** Null where it is too soon, or everything is as it was written. */
    async find(reading: Reading): Promise<Doubt | null> {
      const { number, hash } = reading.end;
      if (hash === null || performance.now() - lookedAt < everyMs) return null;
      lookedAt = performance.now();
      const end = { number, hash };
      const before = (await store.loadHashes()).filter((block) => block.number < number);
      const base = ends[0] ?? before.find((block) => block.number <= number - blocksBefore) ?? before.at(-1);
      ends = [...ends, end].slice(-looks);
      if (base === undefined || base.number >= number || number - base.number > mostBlocks) return null;
      const tasks = await listDiffering(base, end);
      if (tasks === null) return null;
      ends = [base];
      return { base, tasks: tasks.map(formatTaskId) };
    },

    /** After a fork at this block. */
    rewind(base: BlockRef): void {
      const left = ends.filter(({ number }) => number < base.number);
      ends = left.length === ends.length ? ends : [...left, base];
    },
  };
}

function onlyIn(these: readonly ChainEvent[], others: readonly ChainEvent[]): ChainEvent[] {
  const placeOf = ({ blockNumber, logIndex }: ChainEvent) => `${blockNumber}:${logIndex}`;
  const known = new Map(others.map((event) => [placeOf(event), event]));
  return these.filter((event) => !isDeepStrictEqual(known.get(placeOf(event)), event));
}

async function readAll(source: ChainSource, rows: readonly Task[], { hash }: BlockRef): Promise<Task[]> {
  const found: Task[] = [];
  for (const market of markets) {
    const numbers = rows.filter((row) => row.market === market).map(({ number }) => number);
    for (let start = 0; start < numbers.length; start += pageSize)
      found.push(...(await source.readTasks(market, numbers.slice(start, start + pageSize), hash)));
  }
  return found;
}
