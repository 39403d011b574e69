// Reads of tasks: every list is one indexed query.
import type { Market } from '@svc/sdk/domain';
import { ofMarket } from './chainRow.ts';
import type { Database } from './database.ts';
import { type FoundTasks, findTasks, type ListKind, type TaskSearch, writeKind } from './findTasks.ts';
import { createLedgerStore } from './ledgerRows.ts';
import { queryByKeys, queryValue } from './rows.ts';
import { type Sql, sql } from './sql.ts';
import { parseTaskRow, type StoredTask, type TaskRow } from './taskRow.ts';

/** `before` is the number of the last task of the page before. */
export type PageQuery = {
  readonly market: Market;
  readonly before?: bigint | undefined;
  readonly limit: number;
};

type FactRow = Pick<TaskRow, 'task' | 'facts'>;

export function createTaskStore(database: Database) {
  const of = (market: Market) => ofMarket(market);

  /** Tasks by their numbers, in this order. One that does not exist is left out. */
  async function loadNumbers(market: Market, numbers: readonly number[]): Promise<StoredTask[]> {
    const select = (list: Sql) =>
      sql`SELECT task, facts FROM tasks WHERE ${of(market)} AND number IN ${list}`;
    const rows = await queryByKeys<FactRow>(database, numbers, select);
    const tasks = new Map(
      rows.map(parseTaskRow).map((stored) => [Number(stored.task.number), stored] as const),
    );
    return numbers.flatMap((number) => tasks.get(number) ?? []);
  }

  return {
    /** Newest first. */
    async loadPage({ market, before, limit, ...kind }: ListKind & PageQuery): Promise<StoredTask[]> {
      const last = before === undefined ? Number.MAX_SAFE_INTEGER : Number(before);
      const rows = await database.query<FactRow>(
        sql`SELECT task, facts FROM tasks WHERE ${of(market)} AND number < ${last} AND ${writeKind(kind)}
          ORDER BY number DESC LIMIT ${limit}`,
      );
      return rows.map(parseTaskRow);
    },

    /** A list with filters or an order. */
    async find(search: TaskSearch): Promise<Omit<FoundTasks, 'numbers'> & { readonly tasks: StoredTask[] }> {
      const { numbers, ...found } = await findTasks(database, search);
      return { ...found, tasks: await loadNumbers(search.market, numbers) };
    },

    async loadTask(market: Market, number: bigint): Promise<StoredTask | null> {
      // A number that no chain has reached would not fit the column.
      if (number > BigInt(Number.MAX_SAFE_INTEGER)) return null;
      const [row] = await database.query<FactRow>(
        sql`SELECT task, facts FROM tasks WHERE ${of(market)} AND number = ${Number(number)}`,
      );
      return row === undefined ? null : parseTaskRow(row);
    },

    loadLedger: createLedgerStore(database),

    /** Grows with what is withheld, too. */
    async loadVersion(market: Market): Promise<number> {
      const version = await queryValue<number>(
        database.query,
        sql`SELECT COALESCE((SELECT version FROM versions WHERE market = ${market}), 0) + version FROM withheld_version`,
      );
      return version ?? 0;
    },

    /** When the next claimable task stops being one, if any does. */
    async loadNextDeadline(market: Market, now: number): Promise<number | null> {
      const [row] = await database.query<{ deadline: number | null }>(
        sql`SELECT MIN(deadline) AS deadline FROM tasks
          WHERE ${of(market)} AND state = 'POSTED' AND scope = 'open' AND deadline >= ${now}`,
      );
      return row?.deadline ?? null;
    },
  };
}

export type TaskStore = ReturnType<typeof createTaskStore>;
