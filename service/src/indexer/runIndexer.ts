// Follows the chain until it is stopped: one process at a time, which holds a lease, from where the rows end.
import { sleep } from '@svc/sdk/internal/domain/backoff';
import { createWakeUp, keepLease, type Leadership, repeat, type WakeUp } from '../chain/lead.ts';
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
const longestPauseMs = 5_000;
/** Background work can wait longer after a failure, but rows that a fault left wrong are to be right within a minute. */
const longestBackgroundPauseMs = 10_000;

/** Resolves when the signal aborts, after the current step has been written or abandoned. */
export async function runIndexer(options: IndexerOptions, signal: AbortSignal): Promise<void> {
  const { lease, onEvent, pollMs = 1_000 } = options;
  const wakeUp = createWakeUp(signal);
  const stopListening = options.onHead(wakeUp.notify);
  await repeat(report(onEvent), signal, longestPauseMs, async () => {
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
  await repeat(report(onEvent), signal, longestPauseMs, step, check);
}

async function workInBackground(
  { onEvent, pollMs = 1_000 }: IndexerOptions,
  work: Advance['background'],
  { signal }: Leadership,
): Promise<void> {
  await repeat(report(onEvent), signal, longestBackgroundPauseMs, async () => {
    const started = performance.now();
    const rest = await work();
    const pause = Math.min((performance.now() - started) * breakShare, longestBreakMs);
    await sleep(rest === 'done' ? pollMs : pause, signal);
  });
}

const report = (onEvent: IndexerOptions['onEvent']) => (error: unknown) => onEvent({ kind: 'failed', error });
