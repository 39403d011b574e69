// Waiting between attempts: a sleep that a signal ends, delays that grow with each failure, retries, and polling until a
// value is there. Written here, not taken from a package such as p-retry: it is smaller than the import and runs in browsers.

/** Resolves after the delay, or as soon as the signal aborts. It never rejects: check `signal.aborted` afterwards. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener('abort', end);
  });
}

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

export function createBackoff(options: BackoffOptions) {
  let failures = 0;
  const nextMs = () => backoffMs(failures++, options);
  return {
    /** Counts a failure and returns the delay before the next attempt. */
    nextMs,
    /** Counts a failure and waits; an abort ends the wait without an error. */
    wait: (signal?: AbortSignal): Promise<void> => sleep(nextMs(), signal),
    /** After a success the next delay is the shortest again. */
    reset: (): void => {
      failures = 0;
    },
  };
}

/**
 * Spreads repeated checks of many keys: a new key is due at once, then after pauses that double. The key that has waited
 * longest comes first, so that new keys cannot delay an old one for ever.
 */
export function createTurns<Key>({ firstMs, longestMs }: Pick<BackoffOptions, 'firstMs' | 'longestMs'>) {
  let known = new Map<Key, { readonly dueAt: number; readonly pauseMs: number }>();
  return (keys: readonly Key[], most: number, now = performance.now()): Key[] => {
    const fresh = { dueAt: now, pauseMs: firstMs };
    // Forgets keys that are not given any more.
    known = new Map(keys.map((key) => [key, known.get(key) ?? fresh]));
    const due = [...known].filter(([, { dueAt }]) => dueAt <= now);
    const taken = due.sort(([, one], [, other]) => one.dueAt - other.dueAt).slice(0, most);
    for (const [key, { pauseMs }] of taken)
      known.set(key, { dueAt: now + pauseMs, pauseMs: Math.min(2 * pauseMs, longestMs) });
    return taken.map(([key]) => key);
  };
}

export type RetryOptions = BackoffOptions & {
  /** Attempts in all, the first one included. */
  readonly attempts: number;
  readonly signal?: AbortSignal;
  /** False for an error that another attempt cannot change. */
  readonly shouldRetry?: (error: unknown) => boolean;
};

/** Runs the work until it succeeds. Rejects with its last error after `attempts`, or once the signal aborts. */
export async function retry<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { attempts, signal, shouldRetry = () => true } = options;
  for (let failures = 0; ; failures++) {
    try {
      return await work();
    } catch (error) {
      if (failures + 1 >= attempts || !shouldRetry(error)) throw error;
      await sleep(backoffMs(failures, options), signal);
      if (signal?.aborted === true) throw error;
    }
  }
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

/** Rejects with the error of `late` where the work takes longer. The work itself goes on. */
export function within<T>(limitMs: number, work: Promise<T>, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), limitMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * Resolves when the work has settled or the signal aborts. `Promise.race` with a promise of the abort would keep memory
 * for every round as long as the process runs.
 */
export function settledOrAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      signal.removeEventListener('abort', end);
      resolve();
    };
    signal.addEventListener('abort', end);
    work.then(end, end);
    if (signal.aborted) end();
  });
}
