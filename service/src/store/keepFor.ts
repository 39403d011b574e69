/** One read for all callers within `lifetimeMs`; a failed read is not kept. */
export function keepFor<T>(lifetimeMs: number, read: () => Promise<T>): () => Promise<T> {
  let kept: { readonly at: number; readonly value: Promise<T> } | null = null;
  return () => {
    if (kept !== null && performance.now() - kept.at < lifetimeMs) return kept.value;
    const mine = { at: performance.now(), value: read() };
    kept = mine;
    mine.value.catch(() => {
      if (kept === mine) kept = null;
    });
    return mine.value;
  };
}
