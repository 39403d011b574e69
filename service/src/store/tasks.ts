// Reads of tasks: every list is one indexed query.
import type { Address, Market, Task } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { type ChainRow, isHistoryWhole, ofMarket } from './chainRow.ts';
import type { Database } from './database.ts';
import { type FoundTasks, findTasks, type ListKind, type TaskSearch, writeKind } from './findTasks.ts';
import { readSum, sumColumns } from './moves.ts';
import { findRow, queryByKeys } from './rows.ts';
import { raw, type Sql, sql } from './sql.ts';
import { decodeTask, parseTaskRow, type StoredTask, type TaskRow } from './taskRow.ts';

/** `before` is the number of the last task of the page before. */
export type PageQuery = {
  readonly market: Market;
  readonly before?: bigint | undefined;
  readonly limit: number;
};

export type StoredLedger = {
  readonly rows: { readonly task: Task; readonly paid: bigint }[];
  readonly complete: boolean;
};

type FactRow = Pick<TaskRow, 'task' | 'facts'>;

/** A task, or a payment in it; of a wallet without tasks there is one row with neither. */
type LedgerRow = Pick<ChainRow, 'historyFloor' | 'startBlock'> & {
  number: number | null;
  task: string | null;
  units: string | null;
  rest: string | null;
};

/** Only rows of the chain with this identity are ever returned. */
export function createTaskStore(database: Database, identity: string) {
  const of = (market: Market) => ofMarket(identity, market);

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
      const { numbers, ...found } = await findTasks(database, identity, search);
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

    /**
     * Every task a wallet has or had a part in, for its ledger, with the payments to it that are known; `complete` when
     * these are all. One statement, so that all of it is of the same reading of the chain.
     */
    async loadLedger(market: Market, address: Address): Promise<StoredLedger> {
      const ofWallet = (party: string) => sql`${of(market)} AND ${raw(party)} = ${addressKey(address)}`;
      const isEarned = sql`${ofWallet('account')} AND kind = 'earned'`;
      // A union, since PostgreSQL would read all tasks for an OR.
      const found = await database.query<LedgerRow>(
        sql`SELECT history_floor, start_block, number, task, units, rest FROM chain LEFT JOIN (
            SELECT number, task, NULL AS units, NULL AS rest FROM tasks WHERE ${of(market)} AND number IN (
              SELECT number FROM tasks WHERE ${ofWallet('poster')}
              UNION SELECT number FROM tasks WHERE ${ofWallet('worker')}
              UNION SELECT task_number FROM moves WHERE ${isEarned})
            UNION ALL SELECT task_number, NULL, ${sumColumns} FROM moves WHERE ${isEarned} GROUP BY task_number
          ) AS own ON TRUE
          WHERE identity = ${identity} AND shown IS NOT NULL
          ORDER BY number DESC`,
      );
      const paid = new Map<number | null, bigint>();
      for (const { number, units, rest } of found)
        if (units !== null && rest !== null) paid.set(number, readSum({ units, rest }));
      const [first] = found;
      return {
        rows: found.flatMap(({ number, task }) =>
          task === null ? [] : { task: decodeTask(task), paid: paid.get(number) ?? 0n },
        ),
        complete: first !== undefined && isHistoryWhole(first),
      };
    },

    async loadVersion(market: Market): Promise<number> {
      const row = await findRow<{ version: number }>(database.query, 'versions', { market });
      return row?.version ?? 0;
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
