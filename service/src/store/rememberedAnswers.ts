// Remembers the last good answer of a chain read, so that a restart without a chain still knows it.
import type { Database } from './database.ts';
import { findRow, insertNew } from './rows.ts';

export function createFactStore(database: Database) {
  return {
    async loadFact(name: string): Promise<string | null> {
      const row = await findRow<{ value: string }>(database.query, 'chain_answers', { name });
      return row?.value ?? null;
    },

    async saveFact(name: string, value: string): Promise<void> {
      const key = ['name'];
      await insertNew(database.write, 'chain_answers', { name, value }, { key });
    },
  };
}
