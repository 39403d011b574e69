// What a process does that leads others: it keeps its lease, tries again what fails, and wakes when there may be work.
import { createBackoff, sleep } from '@svc/sdk/internal/domain/backoff';
import type { Lease } from '../store/lease.ts';

const firstPauseMs = 100;

/** Takes one step after the other until the signal aborts. A failure is reported; the next attempt waits longer with each. */
export async function repeat(
  report: (error: unknown) => void,
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
      report(error);
      await backoff.wait(signal);
    }
  }
}

export type WakeUp = ReturnType<typeof createWakeUp>;

/** A wait that a notification, or the end, cuts short. A notification while nobody waits is not lost. */
export function createWakeUp(signal: AbortSignal) {
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

export type Leadership = ReturnType<typeof keepLease>;

/** Renews the lease in the background, however long a step takes. Called right after the lease was taken. */
export function keepLease(lease: Lease, stop: AbortSignal) {
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
