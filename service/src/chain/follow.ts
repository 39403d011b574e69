// Follows the chain until it is stopped: one process at a time, which holds a lease, from where the rows end.

import { formatTaskId } from '@svc/sdk/domain';
import { sleep } from '@svc/sdk/internal/domain/backoff';
import { isErrorOf } from '@svc/sdk/internal/domain/errors';
import type { Head } from '../store/chainRow.ts';
import type { Lease } from '../store/lease.ts';
import type { ForwardStore, Reading } from '../store/reading.ts';
import { readEvents, readTasksOnce } from './catchUp.ts';
import { createPatience, findBase } from './findBase.ts';
import { createWakeUp, keepLease, repeat } from './lead.ts';
import { createSecondLook } from './secondLook.ts';
import type { ChainSource, SourceBlock } from './source.ts';
import { createStretches } from './stretch.ts';
import { takeStep } from './takeStep.ts';

export type FollowEvent =
  /** Blocks of a first reading, then its tasks. */
  | { readonly kind: 'blocks' | 'tasks'; readonly done: number; readonly total: number }
  /** The first reading is shown. Its mistakes are tasks whose events do not add up, whichever endpoint is asked. */
  | { readonly kind: 'whole'; readonly head: Head; readonly mistakes: readonly string[] }
  | { readonly kind: 'moved'; readonly head: Head; readonly behind: bigint }
  | { readonly kind: 'reorg'; readonly head: Head; readonly behind: bigint; readonly depth: bigint }
  /** A second look found rows that were wrong, and they were written again. */
  | { readonly kind: 'corrected'; readonly tasks: readonly string[] }
  /** Too much has happened since: all of it is read as at a first start. */
  | { readonly kind: 'absent'; readonly blocks: bigint }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'leading' | 'standby' };

export type FollowOptions = {
  readonly source: ChainSource;
  readonly store: ForwardStore;
  readonly onEvent: (event: FollowEvent) => void;
  /** How long a chain that seems shorter than the rows is taken for a node that lags. */
  readonly patienceMs?: number;
  /** Older blocks are read without proof. */
  readonly near?: bigint;
  /** With more events since the stored block the whole market is read again. */
  readonly mostEvents?: number;
  /** How often the newest blocks are read a second time. */
  readonly lookEveryMs?: number;
};

export type Follower = ReturnType<typeof createFollower>;

export function createFollower(options: FollowOptions, signal?: AbortSignal) {
  const { source, store, onEvent, patienceMs = 10_000, near, mostEvents, lookEveryMs } = options;
  const stretches = createStretches(source, near === undefined ? {} : { near });
  const patience = createPatience(patienceMs);
  const needs = { source, store, stretches, mostEvents };
  const secondLook = createSecondLook({ source, store, everyMs: lookEveryMs });

  async function baseOf(reading: Reading, tip: SourceBlock) {
    const { number, hash } = reading.end;
    if (hash === null) return reading.end;
    const loadKept = () => store.loadHashes();
    return findBase({ source, loadKept, patience }, { number, hash }, tip);
  }

  async function catchUp(reading: Reading): Promise<boolean> {
    const tip = await source.readHead();
    const base = await baseOf(reading, tip);
    if (base === null) return false;
    patience.reset();
    const startedAt = reading.startBlock - 1n;
    const onTasks = (done: number, total: number) => onEvent({ kind: 'tasks', done, total });
    const catching = { ...needs, onTasks, signal };
    const isThere = base.number === reading.end.number && base.hash === tip.hash;
    // A node that lags, or a chain that has not come so far.
    if (!isThere && tip.number <= base.number && base.number === reading.end.number) return false;
    const now = isThere ? reading : await readEvents(catching, reading, base, tip);
    onEvent({
      kind: 'blocks',
      done: Number(now.end.number - startedAt),
      total: Number(tip.number - startedAt),
    });
    const { number, hash, time } = now.end;
    if (number !== tip.number || hash === null) return true;
    const head = { number, hash, time };
    const mistakes = await readTasksOnce(catching, now, head);
    onEvent({ kind: 'whole', head, mistakes: mistakes.map(formatTaskId) });
    return true;
  }

  async function follow(reading: Reading): Promise<boolean> {
    if (await lookAgain(reading)) return true;
    const tip = await source.readHead();
    if (tip.hash === reading.end.hash) {
      patience.reset();
      return false;
    }
    const base = await baseOf(reading, tip);
    if (base === null || base.hash === null) return false;
    patience.reset();
    // Another node has the block of the rows; the one that gave the tip lags.
    if (base.hash === reading.end.hash && tip.number < base.number) return false;
    const result = await takeStep(needs, reading, { number: base.number, hash: base.hash }, tip);
    if (result === null) {
      onEvent({ kind: 'absent', blocks: tip.number - reading.end.number });
      await store.returnToReading(reading);
      return true;
    }
    const { head, behind, depth } = result;
    if (depth > 0n) secondLook.rewind({ number: base.number, hash: base.hash });
    onEvent(depth > 0n ? { kind: 'reorg', head, behind, depth } : { kind: 'moved', head, behind });
    return behind > 0n;
  }

  /** What was wrong is undone and read again as after a fork. */
  async function lookAgain(reading: Reading): Promise<boolean> {
    const { number, hash, time } = reading.end;
    const found = await secondLook.find(reading).catch((error: unknown) => {
      // The chain may have left the block.
      if (isErrorOf(error, 'CHAIN_CHANGED')) return null;
      throw error;
    });
    if (found === null || hash === null) return false;
    await takeStep(needs, reading, found.base, { number, hash, time });
    onEvent({ kind: 'corrected', tasks: found.tasks });
    return true;
  }

  return {
    /** Resolves to whether there is more to do right now. */
    step: async (): Promise<boolean> => {
      const reading = await store.loadReading();
      if (reading !== null) return reading.isWhole ? follow(reading) : catchUp(reading);
      // It must not be of another chain behind the same address.
      source.distrust();
      await store.beginReading(source.startBlock);
      return true;
    },
  };
}

export type RunOptions = FollowOptions & {
  /** Only the holder follows; every process serves. */
  readonly lease: Lease;
  /** Calls back when the chain may have a new block; returns a function that stops it. */
  readonly onHead: (wake: () => void) => () => void;
  /** How long to wait for a notification before looking anyway. */
  readonly pollMs?: number;
};

const longestPauseMs = 5_000;

/** Resolves when the signal aborts, after the current step has been written or abandoned. */
export async function runFollower(options: RunOptions, signal: AbortSignal): Promise<void> {
  const { lease, onEvent, pollMs = 1_000 } = options;
  const wakeUp = createWakeUp(signal);
  const stopListening = options.onHead(wakeUp.notify);
  const report = (error: unknown) => onEvent({ kind: 'failed', error });

  async function lead(): Promise<void> {
    const leadership = keepLease(lease, signal);
    leadership.signal.addEventListener('abort', wakeUp.notify);
    const follower = createFollower(options, leadership.signal);
    const step = async () => {
      if (!(await follower.step())) await wakeUp.wait(pollMs);
    };
    try {
      await repeat(report, leadership.signal, longestPauseMs, step, leadership.check);
    } finally {
      await leadership.end();
    }
  }

  await repeat(report, signal, longestPauseMs, async () => {
    if (await lease.hold()) {
      onEvent({ kind: 'leading' });
      await lead();
      if (!signal.aborted) onEvent({ kind: 'standby' });
    }
    await sleep(Math.min(pollMs, lease.milliseconds / 3), signal);
  });
  stopListening();
}
