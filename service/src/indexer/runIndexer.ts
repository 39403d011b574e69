// Follows the chain until it is stopped: one process at a time, which holds a lease, from where the rows end.
import { createBackoff, sleep } from '@svc/sdk/internal/domain/backoff';
import type { Lease } from '../store/lease.ts';
import { type Advance, type AdvanceOptions, createAdvance } from './advance.ts';

export type IndexerOptions = AdvanceOptions & {
  /** Only the holder follows; every process serves. */
  readonly lease: Lease;
  /** Calls back when the chain may have a new block; returns a function that stops it. */
  readonly onHead: (wake: () => void) => () => void;
  /** How long to wait for a notification before looking anyway. */
  readonly pollMs?: number;
};

/** The pause between two pieces of background work, in parts of the work. Requests also run in the middle of a piece. */
const breakShare = 1 / 4;
const longestBreakMs = 50;
const firstPauseMs = 100;
const longestPauseMs = 5_000;
/** Background work can wait longer after a failure, but rows that a fault left wrong are to be right within a minute. */
const longestBackgroundPauseMs = 10_000;

/** Resolves when the signal aborts, after the current step has been written or abandoned. */
export async function runIndexer(options: IndexerOptions, signal: AbortSignal): Promise<void> {
  const { lease, onEvent, pollMs = 1_000 } = options;
  const wakeUp = createWakeUp(signal);
  const stopListening = options.onHead(wakeUp.notify);
  await repeat(onEvent, signal, longestPauseMs, async () => {
    if (await lease.hold()) {
      onEvent({ kind: 'leading' });
      await lead(options, keepLease(lease, signal), wakeUp);
      if (!signal.aborted) onEvent({ kind: 'standby' });
    }
    await sleep(Math.min(pollMs, lease.milliseconds / 3), signal);
  });
  stopListening();
}

/** Three loops at once: the newest block waits neither for history nor for rows that are compared again. */
async function lead(options: IndexerOptions, leadership: Leadership, wakeUp: WakeUp): Promise<void> {
  const advance = createAdvance(options, leadership.signal);
  try {
    await Promise.all([
      followHead(options, advance, leadership, wakeUp),
      workInBackground(options, advance.background, leadership),
      workInBackground(options, advance.recheck, leadership),
    ]);
  } finally {
    await leadership.end();
  }
}

async function followHead(
  { onEvent, pollMs = 1_000 }: IndexerOptions,
  advance: Advance,
  leadership: Leadership,
  wakeUp: WakeUp,
): Promise<void> {
  const { signal, check } = leadership;
  signal.addEventListener('abort', wakeUp.notify);
  const step = async () => {
    if (!(await advance.head())) await wakeUp.wait(pollMs);
  };
  await repeat(onEvent, signal, longestPauseMs, step, check);
}

async function workInBackground(
  { onEvent, pollMs = 1_000 }: IndexerOptions,
  work: Advance['background'],
  { signal }: Leadership,
): Promise<void> {
  await repeat(onEvent, signal, longestBackgroundPauseMs, async () => {
    const started = performance.now();
    const rest = await work();
    const pause = Math.min((performance.now() - started) * breakShare, longestBreakMs);
    await sleep(rest === 'done' ? pollMs : pause, signal);
  });
}

/** Takes one step after the other until the signal aborts. A failure is reported; the next attempt waits longer with each. */
async function repeat(
  onEvent: IndexerOptions['onEvent'],
  signal: AbortSignal,
  longestMs: number,
  step: () => Promise<void>,
  onFailure: () => Promise<void> = async () => undefined,
): Promise<void> {
  const backoff = createBackoff({ firstMs: firstPauseMs, longestMs });
  while (!signal.aborted) {
    try {
      await step();
      backoff.reset();
    } catch (error) {
      if (signal.aborted) return;
      await onFailure();
      onEvent({ kind: 'failed', error });
      await backoff.wait(signal);
    }
  }
}

type WakeUp = ReturnType<typeof createWakeUp>;

/** A wait that a notification, or the end, cuts short. A notification while nobody waits is not lost. */
function createWakeUp(signal: AbortSignal) {
  let notice = new AbortController();
  const notify = () => notice.abort();
  signal.addEventListener('abort', notify);
  return {
    notify,
    wait: async (milliseconds: number): Promise<void> => {
      if (signal.aborted) return;
      await sleep(milliseconds, notice.signal);
      notice = new AbortController();
    },
  };
}

type Leadership = ReturnType<typeof keepLease>;

/** Renews the lease in the background, however long a step takes. Called right after the lease was taken. */
function keepLease(lease: Lease, stop: AbortSignal) {
  const ending = new AbortController();
  let heldAt = performance.now();
  let checking: Promise<void> | null = null;

  async function renew(): Promise<void> {
    const asked = performance.now();
    try {
      if (await lease.hold()) heldAt = asked;
      else ending.abort();
    } catch {
      // The database is away. Nobody else can take the lease now, but the database may be back at any time.
      if (performance.now() - heldAt > lease.milliseconds) ending.abort();
    }
  }

  /** Checks now whether the lease is still ours. */
  function check(): Promise<void> {
    checking ??= renew().finally(() => {
      checking = null;
    });
    return checking;
  }

  const timer = setInterval(() => void check(), lease.milliseconds / 3);
  const signal = AbortSignal.any([stop, ending.signal]);
  return {
    /** Aborts when the lease is lost, may be lost, or is released. */
    signal,
    check,
    /** Lets another process take over at once. */
    end: async (): Promise<void> => {
      clearInterval(timer);
      await checking;
      if (!ending.signal.aborted) await lease.release().catch(() => undefined);
    },
  };
}
