// Waiting between attempts: delays that grow with each failure, and polling until a value is there.
import { sleep } from './sleep.ts';

export type BackoffOptions = {
  readonly firstMs: number;
  readonly longestMs: number;
  /** From 0 to 1; for tests. */
  readonly random?: () => number;
};

/** Doubles with each failure. The random part keeps clients that failed together from retrying together. */
export function backoffMs(
  failures: number,
  { firstMs, longestMs, random = Math.random }: BackoffOptions,
): number {
  return Math.min(firstMs * 2 ** failures, longestMs) * (0.5 + random() / 2);
}

export type Backoff = {
  /** Counts a failure and returns the delay before the next attempt. */
  readonly nextMs: () => number;
  /** Counts a failure and waits; an abort ends the wait without an error. */
  readonly wait: (signal?: AbortSignal) => Promise<void>;
  /** After a success the next delay is the shortest again. */
  readonly reset: () => void;
};

export function createBackoff(options: BackoffOptions): Backoff {
  let failures = 0;
  const nextMs = () => backoffMs(failures++, options);
  return {
    nextMs,
    wait: (signal) => sleep(nextMs(), signal),
    reset: () => {
      failures = 0;
    },
  };
}

export type PollOptions = {
  readonly everyMs: number;
  /** Without it the poll ends only with a value or the signal. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
};

/** Calls `look` until it returns a value; undefined after the timeout or an abort. An error of `look` ends the poll. */
export async function pollUntil<Found>(
  look: () => Found | undefined | Promise<Found | undefined>,
  { everyMs, timeoutMs = Number.POSITIVE_INFINITY, signal }: PollOptions,
): Promise<Found | undefined> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    if (signal?.aborted === true) return undefined;
    const found = await look();
    if (found !== undefined || performance.now() >= end) return found;
    await sleep(everyMs, signal);
  }
}
