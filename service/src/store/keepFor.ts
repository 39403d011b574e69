/** One read for all callers within `lifetimeMs` and while `versionOf` stays the same; a failed read is not kept. */
export function keepFor<T>(
  lifetimeMs: number,
  read: () => Promise<T>,
  versionOf: () => unknown = () => null,
): () => Promise<T> {
  let kept: { readonly at: number; readonly version: unknown; readonly value: Promise<T> } | null = null;
  return () => {
    const version = versionOf();
    if (kept !== null && kept.version === version && performance.now() - kept.at < lifetimeMs)
      return kept.value;
    const mine = { at: performance.now(), version, value: read() };
    kept = mine;
    mine.value.catch(() => {
      if (kept === mine) kept = null;
    });
    return mine.value;
  };
}

/** Callers while the work runs wait for that run; the next one begins a new run. */
export function shareRun<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  return () => {
    running ??= work().finally(() => {
      running = null;
    });
    return running;
  };
}
