// Follows the chain for as long as it is told to: one process at a time, by a lease, from wherever the rows stand.
import { setTimeout } from 'node:timers/promises';
import { type Advance, createAdvance, type FollowEvent } from './advance.ts';
import { type Bell, createBell } from './bell.ts';
import { keepLease, type Leadership, type Lease } from './lead.ts';
import type { ChainSource, ProjectionStore } from './needs.ts';

export type FollowerOptions = {
  readonly source: ChainSource;
  readonly store: ProjectionStore;
  /** Only the holder follows; everybody serves. */
  readonly lease: Lease;
  /** Calls back when the chain may have a new block; answers the way to stop. */
  readonly onHead: (wake: () => void) => () => void;
  readonly onEvent: (event: FollowEvent) => void;
  /** How long to wait for a new head before looking without being called. */
  readonly pollMs?: number;
};

const shortestPauseMs = 10;
/** Between two pieces of work that can wait. */
const breathMs = 50;
const firstPauseMs = 100;
const longestPauseMs = 5_000;
/** What is behind the head can wait longer after a failure. */
const longestBackgroundPauseMs = 60_000;

/** Resolves when the signal aborts, after the step under way has been written or given up. */
export async function follow(options: FollowerOptions, signal: AbortSignal): Promise<void> {
  const { lease, onEvent, pollMs = 1_000 } = options;
  const bell = createBell(signal);
  const stopListening = options.onHead(bell.ring);
  const failures = createFailures(onEvent, longestPauseMs);
  while (!signal.aborted) {
    try {
      if (await lease.hold()) {
        onEvent({ kind: 'leading' });
        await lead(options, keepLease(lease, signal), bell);
        if (!signal.aborted) onEvent({ kind: 'standby' });
      }
      failures.forget();
      if (!signal.aborted) await pause(Math.min(pollMs, lease.milliseconds / 3), signal);
    } catch (error) {
      await pause(failures.report(error), signal);
    }
  }
  stopListening();
}

/** Two loops at once: what is true now must never wait for what was. */
async function lead(options: FollowerOptions, leadership: Leadership, bell: Bell): Promise<void> {
  const advance = createAdvance(options, leadership.signal);
  try {
    await Promise.all([
      followHead(options, advance, leadership, bell),
      workBehind(options, advance, leadership),
    ]);
  } finally {
    await leadership.end();
  }
}

async function followHead(
  { onEvent, pollMs = 1_000 }: FollowerOptions,
  advance: Advance,
  leadership: Leadership,
  bell: Bell,
): Promise<void> {
  const { signal } = leadership;
  const failures = createFailures(onEvent, longestPauseMs);
  signal.addEventListener('abort', bell.ring);
  while (!signal.aborted) {
    try {
      const isMore = await advance.head();
      failures.forget();
      if (!isMore) await bell.wait(pollMs);
    } catch (error) {
      if (signal.aborted) return;
      await leadership.check();
      await pause(failures.report(error), signal);
    }
  }
}

async function workBehind(
  { onEvent, pollMs = 1_000 }: FollowerOptions,
  advance: Advance,
  { signal }: Leadership,
): Promise<void> {
  const failures = createFailures(onEvent, longestBackgroundPauseMs);
  while (!signal.aborted) {
    try {
      const started = performance.now();
      const rest = await advance.background();
      failures.forget();
      // A pause as long as the work, up to a breath, leaves the process to those who read.
      const worked = Math.min(performance.now() - started, breathMs);
      await pause(rest === 'done' ? pollMs : Math.max(worked, shortestPauseMs), signal);
    } catch (error) {
      if (signal.aborted) return;
      await pause(failures.report(error), signal);
    }
  }
}

/** How long to wait after the next failure: twice as long each time, and never the same for two processes. */
function createFailures(onEvent: FollowerOptions['onEvent'], longestMs: number) {
  let count = 0;
  return {
    forget: () => {
      count = 0;
    },
    report: (error: unknown): number => {
      onEvent({ kind: 'failed', error });
      return Math.min(firstPauseMs * 2 ** count++, longestMs) * (0.5 + Math.random() / 2);
    },
  };
}

/** Ends early, and without an error, when the signal does. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return setTimeout(milliseconds, undefined, { signal }).catch(() => undefined);
}
