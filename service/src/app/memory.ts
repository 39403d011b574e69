// Chain reads that are remembered for when the chain is away.
import { createLastKnown } from '#market/lastKnown.ts';
import type { Database } from '#store/database.ts';
import { createFactStore } from '#store/facts.ts';

/** What is remembered must be plain JSON. */
export function createMemory(database: Database, identity: string) {
  const facts = createFactStore(database, identity);
  return <T>(name: string, maxAgeMs: number, read: () => Promise<T>): (() => Promise<T>) =>
    createLastKnown({
      read,
      maxAgeMs,
      load: async () => {
        const text = await facts.loadFact(name);
        return text === null ? null : JSON.parse(text);
      },
      save: (value) => facts.saveFact(name, JSON.stringify(value)),
    });
}
