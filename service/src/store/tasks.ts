// Reads of tasks: every list is one indexed query; texts come from the rows where this version rendered them.
import type { Market, Task } from '@svc/sdk/domain';
import { type Address, addressKey } from '@svc/sdk/domain';
import { type BatchLoader, createBatchLoader } from './batchLoader.ts';
import type { Database, Param } from './database.ts';
import { type FoundTasks, findTasks, type TaskSearch } from './findTasks.ts';
import { type ChainRow, isHistoryWhole, shownGeneration } from './generation.ts';
import { queryByNumbers } from './insert.ts';
import { completeDetail, currentRendering, pickSeal, type Rendering, type TextColumn } from './rendering.ts';
import { decodeTask, renderTasks } from './taskRow.ts';

export type StoredTask = {
  readonly number: bigint;
  /** The record as JSON, in the shape that was asked for. */
  readonly text: string;
  /** The same for the same text only. */
  readonly seal: string;
};

/** `source` is the column of the text, where it is not the one that was asked for. */
type TextRow = { number: number; text: string; source?: TextColumn; rendering: string };

/** `before` is the number of the last task of the page before. */
export type PageQuery = {
  readonly market: Market;
  readonly before?: bigint | undefined;
  readonly limit: number;
};

const selectDetails = `SELECT number, CASE WHEN detail = '' THEN record ELSE detail END AS text,
    CASE WHEN detail = '' THEN 'record' ELSE 'detail' END AS source, rendering FROM tasks
  WHERE generation = ${shownGeneration(1)} AND market = $2 AND number IN {numbers}`;

export type StoredLedger = {
  readonly rows: { readonly task: Task; readonly paid: bigint }[];
  readonly complete: boolean;
};

/** A task, or a payment in it; of a wallet without tasks there is one row with neither. */
type LedgerRow = Pick<ChainRow, 'history_floor' | 'start_block'> & {
  number: number | null;
  task: string | null;
  amount: string | null;
};

const ofMarket = `generation = ${shownGeneration(1)} AND market = $2`;
// A union, since PostgreSQL would read all tasks for an OR.
const selectLedger = `SELECT history_floor, start_block, number, task, amount FROM chain LEFT JOIN (
    SELECT number, task, NULL AS amount FROM tasks WHERE ${ofMarket} AND number IN (
      SELECT number FROM tasks WHERE ${ofMarket} AND poster = $3
      UNION SELECT number FROM tasks WHERE ${ofMarket} AND worker = $3
      UNION SELECT task_number FROM payouts WHERE ${ofMarket} AND account = $3)
    UNION ALL SELECT task_number, NULL, amount FROM payouts WHERE ${ofMarket} AND account = $3
  ) AS own ON TRUE
  WHERE identity = $1 AND shown IS NOT NULL
  ORDER BY number DESC`;

/** Only rows of the chain with this identity are ever answered. */
export function createTaskStore(
  database: Database,
  identity: string,
  rendering: Rendering = currentRendering(),
) {
  /** Texts that another version rendered are rendered from the facts: no reader sees them. */
  async function renderRows(
    market: Market,
    rows: readonly TextRow[],
    column: TextColumn,
  ): Promise<StoredTask[]> {
    const tasks = rows.map(({ number, text, source = column, rendering: seals }) => {
      const seal = rendering.seal(text);
      const isCurrent = seal === pickSeal(seals, source);
      // What is added to a record follows from it, so its seal still identifies the text.
      const whole = source === column ? text : completeDetail({ record: text, detail: '' });
      return { number: BigInt(number), text: whole, seal, isCurrent };
    });
    if (tasks.every(({ isCurrent }) => isCurrent)) return tasks;
    const stale = tasks.filter(({ isCurrent }) => !isCurrent).map(({ number }) => Number(number));
    const params = [identity, market];
    const fresh = await renderTasks(database, shownGeneration(1), params, stale, rendering);
    return tasks.flatMap((task) => {
      if (task.isCurrent) return task;
      const rendered = fresh.get(Number(task.number));
      const text =
        column === 'detail' && rendered !== undefined ? completeDetail(rendered) : rendered?.[column];
      return text === undefined ? [] : { number: task.number, text, seal: rendering.seal(text) };
    });
  }

  async function loadPage(
    where: string,
    params: readonly Param[],
    page: PageQuery,
    column: TextColumn = 'record',
  ): Promise<StoredTask[]> {
    const before = page.before === undefined ? Number.MAX_SAFE_INTEGER : Number(page.before);
    const rows = await database.query<TextRow>(
      `SELECT number, ${column} AS text, rendering FROM tasks
       WHERE generation = ${shownGeneration(1)} AND market = $2 AND number < $3 AND ${where}
       ORDER BY number DESC LIMIT $4`,
      [identity, page.market, before, page.limit, ...params],
    );
    return renderRows(page.market, rows, column);
  }

  function createLoader(market: Market): BatchLoader<StoredTask> {
    return createBatchLoader(async (numbers) => {
      const rows = await queryByNumbers<TextRow>(database, selectDetails, [identity, market], numbers);
      const tasks = await renderRows(market, rows, 'detail');
      return new Map(tasks.map((task) => [Number(task.number), task]));
    });
  }

  /** Tasks by their numbers, in this order. One that is gone meanwhile is left out. */
  async function loadNumbers(
    market: Market,
    numbers: readonly number[],
    column: TextColumn,
  ): Promise<StoredTask[]> {
    const rows = await queryByNumbers<TextRow>(
      database,
      `SELECT number, ${column} AS text, rendering FROM tasks
       WHERE generation = ${shownGeneration(1)} AND market = $2 AND number IN {numbers}`,
      [identity, market],
      numbers,
    );
    const tasks = new Map(
      (await renderRows(market, rows, column)).map((task) => [Number(task.number), task]),
    );
    return numbers.flatMap((number) => tasks.get(number) ?? []);
  }

  const loaders = { standard: createLoader('standard'), micro: createLoader('micro') };

  return {
    /**
     * Claimable tasks: one past its deadline is not, although the chain still calls it POSTED. As the open list shows
     * them unless full records are asked for.
     */
    loadOpen: (page: PageQuery & { readonly now: number }, column: TextColumn = 'open_record') =>
      loadPage(`state = 'POSTED' AND scope = 'open' AND deadline >= $5`, [page.now], page, column),

    loadRecent: (page: PageQuery) => loadPage(`scope = 'open'`, [], page),

    loadByPoster: (page: PageQuery & { readonly address: Address }) =>
      loadPage('poster = $5', [addressKey(page.address)], page),

    loadByWorker: (page: PageQuery & { readonly address: Address }) =>
      loadPage('worker = $5', [addressKey(page.address)], page),

    /** A list with filters or an order. */
    async find(search: TaskSearch): Promise<Omit<FoundTasks, 'numbers'> & { readonly tasks: StoredTask[] }> {
      const { numbers, ...found } = await findTasks(database, identity, search);
      const column = search.list === 'open' ? 'open_record' : 'record';
      return { ...found, tasks: await loadNumbers(search.market, numbers, column) };
    },

    async loadTask(market: Market, number: bigint): Promise<StoredTask | null> {
      // A number that no chain has reached would not fit the column.
      return number > BigInt(Number.MAX_SAFE_INTEGER) ? null : loaders[market](Number(number));
    },

    /**
     * Every task a wallet has or had a part in, for its ledger, with the payments to it that are known; `complete` when
     * these are all. One statement, so that all of it is of the same reading of the chain.
     */
    async loadLedger(market: Market, address: Address): Promise<StoredLedger> {
      const found = await database.query<LedgerRow>(selectLedger, [identity, market, addressKey(address)]);
      const paid = new Map<number | null, bigint>();
      for (const { number, amount } of found) {
        if (amount !== null) paid.set(number, (paid.get(number) ?? 0n) + BigInt(amount));
      }
      const [first] = found;
      return {
        rows: found.flatMap(({ number, task }) =>
          task === null ? [] : { task: decodeTask(task), paid: paid.get(number) ?? 0n },
        ),
        complete: first !== undefined && isHistoryWhole(first),
      };
    },

    async loadVersion(market: Market): Promise<number> {
      const [row] = await database.query<{ version: number }>(
        'SELECT version FROM versions WHERE market = $1',
        [market],
      );
      return row?.version ?? 0;
    },

    /** When the next claimable task stops being one, if any does. */
    async loadNextDeadline(market: Market, now: number): Promise<number | null> {
      const [row] = await database.query<{ deadline: number | null }>(
        `SELECT MIN(deadline) AS deadline FROM tasks
         WHERE generation = ${shownGeneration(1)} AND market = $2 AND state = 'POSTED' AND scope = 'open'
           AND deadline >= $3`,
        [identity, market, now],
      );
      return row?.deadline ?? null;
    },
  };
}

export type TaskStore = ReturnType<typeof createTaskStore>;
