// Remembers the last good answer of a chain read, so that a restart without a chain still knows it.
import type { Database } from './database.ts';
import { findRow } from './rows.ts';

export function createFactStore(database: Database, identity: string) {
  return {
    async loadFact(name: string): Promise<string | null> {
      const row = await findRow<{ value: string }>(database.query, 'chain_answers', { identity, name });
      return row?.value ?? null;
    },

    async saveFact(name: string, value: string): Promise<void> {
      await database.write(
        `INSERT INTO chain_answers (identity, name, value) VALUES ($1, $2, $3)
         ON CONFLICT (identity, name) DO UPDATE SET value = excluded.value`,
        [identity, name, value],
      );
    },
  };
}
