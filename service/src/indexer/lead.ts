// Leadership: one process at a time follows. The lease is renewed in the background, however long a step takes.

export type Lease = {
  /** How long it lasts without being extended. */
  readonly milliseconds: number;
  /** Takes or extends it; answers whether this process holds it now. */
  readonly hold: () => Promise<boolean>;
  readonly release: () => Promise<void>;
};

export type Leadership = {
  /** Aborts when the lease is lost, may have been lost, or is given up. */
  readonly signal: AbortSignal;
  /** Looks now whether the lease is still ours. */
  readonly check: () => Promise<void>;
  /** Lets another process take over at once. */
  readonly end: () => Promise<void>;
};

/** To be called right after the lease was taken. Ends by itself when `stop` aborts. */
export function keepLease(lease: Lease, stop: AbortSignal): Leadership {
  const ending = new AbortController();
  let heldAt = performance.now();
  let checking: Promise<void> | null = null;

  async function renew(): Promise<void> {
    const asked = performance.now();
    try {
      if (await lease.hold()) heldAt = asked;
      else ending.abort();
    } catch {
      // The database is away. While it is, nobody else can take the lease either, but it may be back any time.
      if (performance.now() - heldAt > lease.milliseconds) ending.abort();
    }
  }

  function check(): Promise<void> {
    checking ??= renew().finally(() => {
      checking = null;
    });
    return checking;
  }

  const timer = setInterval(() => void check(), lease.milliseconds / 3);
  const signal = AbortSignal.any([stop, ending.signal]);
  return {
    signal,
    check,
    end: async () => {
      clearInterval(timer);
      await checking;
      if (!ending.signal.aborted) await lease.release().catch(() => undefined);
    },
  };
}
