// A chain read that many may ask for at once: one question at a time, kept for a moment, and when the chain is out of
// reach the last good answer instead.

export type LastKnownOptions<T> = {
  readonly read: () => Promise<T>;
  readonly maxAgeMs: number;
  readonly load: () => Promise<T | null>;
  readonly save: (value: T) => Promise<void>;
};

export function createLastKnown<T>({ read, maxAgeMs, load, save }: LastKnownOptions<T>): () => Promise<T> {
  let value: T | null = null;
  let readAt = Number.NEGATIVE_INFINITY;
  let flight: Promise<T> | null = null;

  async function ask(): Promise<T> {
    try {
      const fresh = await read();
      if (JSON.stringify(fresh) !== JSON.stringify(value)) await save(fresh);
      value = fresh;
    } catch (error) {
      value ??= await load();
      if (value === null) throw error;
    }
    readAt = performance.now();
    return value;
  }

  return async () => {
    if (value !== null && performance.now() - readAt < maxAgeMs) return value;
    flight ??= ask().finally(() => {
      flight = null;
    });
    return flight;
  };
}
