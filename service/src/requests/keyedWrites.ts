// Writes that a client may repeat with a key: done once, and answered the same each time. Only successes are kept: a refused
// write had no effect, so its key is free again.
import type { IdempotencyStore, KeptAnswer, KeyedWrite } from '../store/idempotencyKeys.ts';

export type { KeptAnswer, KeyedWrite } from '../store/idempotencyKeys.ts';

/**
 * Must have the same effect, and no more, when it is called again with the same seed: a process may be killed after the effect
 * and before its answer is kept.
 */
type SeededWork = (seed: string) => Promise<KeptAnswer>;

export type KeyedWrites = ReturnType<typeof createKeyedWrites>;

export function createKeyedWrites(store: IdempotencyStore, now: () => number = Date.now) {
  return {
    /**
     * Throws IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_KEY_BUSY and IDEMPOTENCY_KEYS_FULL. `isRefusal` says whether an error
     * means that the write had no effect.
     */
    run: async (
      write: KeyedWrite,
      work: SeededWork,
      isRefusal: (error: unknown) => boolean,
    ): Promise<KeptAnswer & { readonly isReplay: boolean }> => {
      const found = await store.reserve(write, now());
      if ('status' in found) return { ...found, isReplay: true };
      try {
        return { ...(await store.keep(found, await work(found.seed))), isReplay: false };
      } catch (error) {
        // Where the database is away, the lock ends by its age.
        await (isRefusal(error) ? store.forget(found) : store.unlock(found)).catch(() => undefined);
        throw error;
      }
    },
  };
}
