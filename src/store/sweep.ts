// Takes away what earlier readings of the chain have left, a little at a time so that nobody has to wait for it.
import type { Database } from './database.ts';

const rowsAtOnce = 500;

/** Neither shown nor being written: nobody will ask for these rows again. */
const isLeft =
  'generation < (SELECT generation FROM chain) AND generation <> COALESCE((SELECT shown FROM chain), 0)';

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
  for (const [table, key] of Object.entries(keys)) {
    const some = `SELECT ${key} FROM ${table} WHERE ${isLeft} LIMIT ${rowsAtOnce}`;
    // Mostly there is nothing, and then nobody has to wait for a write.
    if ((await database.query(some)).length === 0) continue;
    await database.write(`DELETE FROM ${table} WHERE (${key}) IN (${some})`);
    return true;
  }
  return false;
}
