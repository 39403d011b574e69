// Removes what earlier readings of the chain left, a little at a time, so that no request has to wait for it.
import type { Part } from './database.ts';
import { removeSome } from './rows.ts';
import { sql } from './sql.ts';
import { findLeftWords } from './taskWords.ts';

const limit = 500;

const keys = {
  tasks: 'generation, market, number',
  concerns: 'generation, market, number, wallet, starts',
  events: 'generation, block_number, log_index',
  moves: 'generation, block_number, log_index',
  collateral: 'generation, place',
  purchases: 'generation, block_number, log_index',
  blocks: 'generation, number',
  differences: 'generation, market, number',
} as const;

/** Removes some rows of every table, so that readings that fail again and again leave no more than one. Returns whether there may be more. */
export async function sweepGenerations(database: Part): Promise<boolean> {
  let isMore = false;
  for (const { above, below } of await loadLeft(database)) {
    const isLeft = sql`generation > ${above} AND generation < ${below}`;
    for (const [table, key] of Object.entries(keys))
      isMore = (await removeSome(database, table, key, isLeft, limit)) || isMore;
    const [key, where] = findLeftWords(database.dialect, above, below);
    isMore = (await removeSome(database, 'task_words', key, where, limit)) || isMore;
  }
  return isMore;
}

/**
 * Generations that are neither shown nor being written; only the newest can still become the shown one. Two ranges, on
 * either side of the shown one, so that a query does not pass over its rows, which may be millions.
 */
async function loadLeft(database: Part): Promise<{ above: number; below: number }[]> {
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
