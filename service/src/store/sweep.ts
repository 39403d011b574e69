// Takes away what earlier readings of the chain have left, a little at a time so that nobody has to wait for it.
import type { Database } from './database.ts';

const rowsAtOnce = 500;

const keys = {
  tasks: 'generation, market, number',
  events: 'generation, block_number, log_index',
  payouts: 'generation, block_number, log_index',
  purchases: 'generation, block_number, log_index',
  blocks: 'generation, number',
  differences: 'generation, market, number',
} as const;

/** Answers whether there may be more. */
export async function sweepGenerations(database: Database): Promise<boolean> {
  for (const { above, below } of await loadLeft(database)) {
    for (const [table, key] of Object.entries(keys)) {
      const some = `SELECT ${key} FROM ${table} WHERE generation > $1 AND generation < $2 LIMIT ${rowsAtOnce}`;
      // Mostly there is nothing, and then nobody has to wait for a write.
      if ((await database.query(some, [above, below])).length === 0) continue;
      await database.write(`DELETE FROM ${table} WHERE (${key}) IN (${some})`, [above, below]);
      return true;
    }
  }
  return false;
}

/**
 * Generations that are neither shown nor being written. None of them will be again: only the newest can come to be
 * shown. On either side of the one that is shown, so that its rows, which may be millions, need not be passed over.
 */
async function loadLeft(database: Database): Promise<{ above: number; below: number }[]> {
  const [chain] = await database.query<{ generation: number; shown: number | null }>(
    'SELECT generation, shown FROM chain WHERE id = 1',
  );
  if (chain === undefined) return [];
  const shown = chain.shown ?? 0;
  return [
    { above: 0, below: shown },
    { above: shown, below: chain.generation },
  ].filter(({ above, below }) => below > above + 1);
}
