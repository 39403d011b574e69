// Work that can wait, a little at a time so that no request has to wait for it: removes what earlier readings of the chain
// left, renders rows again that another version rendered, and indexes rows from before there was a search.
import type { Generation, TaskKey } from '@svc/sdk/domain';
import { type Market, markets } from '@svc/sdk/domain';
import type { Database } from './database.ts';
import { type ChainRow, lockShown } from './generation.ts';
import { loadStoredTasks, saveTasks } from './projectionRows.ts';
import { type Rendered, type Rendering, sealAll } from './rendering.ts';
import { selectLeftWords } from './taskWords.ts';

const rowsAtOnce = 500;

const keys = {
  tasks: 'generation, market, number',
  events: 'generation, block_number, log_index',
  payouts: 'generation, block_number, log_index',
  purchases: 'generation, block_number, log_index',
  blocks: 'generation, number',
  differences: 'generation, market, number',
} as const;

/** Says whether there may be more. */
export async function sweepGenerations(database: Database): Promise<boolean> {
  const between = (key: string) => ({ key, where: 'generation > $1 AND generation < $2' });
  const tables = {
    ...Object.fromEntries(Object.entries(keys).map(([table, key]) => [table, between(key)])),
    task_words: selectLeftWords(database.dialect),
  };
  for (const { above, below } of await loadLeft(database)) {
    for (const [table, { key, where }] of Object.entries(tables)) {
      const some = `SELECT ${key} FROM ${table} WHERE ${where} LIMIT ${rowsAtOnce}`;
      // Usually there is nothing: reading first keeps the writers free.
      if ((await database.query(some, [above, below])).length === 0) continue;
      await database.write(`DELETE FROM ${table} WHERE (${key}) IN (${some})`, [above, below]);
      return true;
    }
  }
  return false;
}

/**
 * Generations that are neither shown nor being written; only the newest can still become the shown one. Two ranges, on
 * either side of the shown one, so that a query need not pass over its rows, which may be millions.
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

const renderedAtOnce = 100;

type RenderedRow = Rendered & { number: number; rendering: string };

/**
 * Goes once through the rows of the shown generation, then notes on the chain's row by which version they are rendered.
 * Readers do not depend on it: they render what they find under another seal. It only gives them their speed back.
 */
export function createRenderingRefresh(database: Database, rendering: Rendering) {
  let place: { generation: Generation; market: Market; after: number } | null = null;

  /** Says whether there may be more. */
  return async (): Promise<boolean> => {
    const [chain] = await database.query<Pick<ChainRow, 'shown' | 'rendering' | 'indexed'>>(
      'SELECT shown, rendering, indexed FROM chain WHERE id = 1',
    );
    if (chain === undefined || chain.shown === null) return false;
    const generation = chain.shown;
    const mark = renderingMark(generation, rendering);
    const isIndexed = chain.indexed === indexMark(generation);
    if (chain.rendering === mark && isIndexed) return false;
    if (place?.generation !== generation) place = { generation, market: markets[0], after: 0 };
    const { market } = place;
    const rows = await database.query<RenderedRow>(
      `SELECT number, record, open_record, detail, rendering FROM tasks
       WHERE generation = $1 AND market = $2 AND number > $3
       ORDER BY number LIMIT ${renderedAtOnce}`,
      [generation, market, place.after],
    );
    const stale = rows
      .filter((row) => !isIndexed || row.rendering !== sealAll(rendering, row))
      .map(({ number }): TaskKey => ({ market, number: BigInt(number) }));
    if (stale.length > 0) {
      await database.transaction(async (tx) => {
        // Facts are read under the lock: a block that is written meanwhile must not be undone.
        await lockShown(tx, generation);
        await saveTasks(tx, generation, await loadStoredTasks(tx, generation, stale), rendering);
      });
    }
    const next = markets[markets.indexOf(market) + 1];
    if (rows.length === renderedAtOnce) place.after = (rows.at(-1) as RenderedRow).number;
    else if (next !== undefined) place = { generation, market: next, after: 0 };
    else {
      const sql = 'UPDATE chain SET rendering = $1, indexed = $2 WHERE shown = $3';
      await database.write(sql, [mark, indexMark(generation), generation]);
    }
    return true;
  };
}

/** Raise it when the same task has other words or columns to search by. */
const indexEdition = 1;

/** What the chain's row says once every row of a generation can be searched. */
export function indexMark(generation: Generation): string {
  return `${generation} ${indexEdition}`;
}

/** What the chain's row says once every row of a generation has been rendered by one version. */
export function renderingMark(generation: Generation, { version }: Rendering): string {
  return `${generation} ${version}`;
}
