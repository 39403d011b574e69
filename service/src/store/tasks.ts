// Reads of tasks: every list is one indexed query, every answer is text that was made when the row was written.

import type { Market, Task } from '@svc/sdk/domain';
import { type Address, addressKey } from '@svc/sdk/domain';
import type { Database, Param } from './database.ts';
import { createGather, type Gather } from './gather.ts';
import { type ChainRow, isHistoryWhole, shownGeneration } from './generation.ts';
import { queryByNumbers } from './insert.ts';
import { decodeTask } from './taskRow.ts';

export type StoredTask = {
  readonly number: bigint;
  /** The full record as JSON. */
  readonly record: string;
  /** The open list's record as JSON. */
  readonly openRecord: string;
};

/** `before` is the number of the last task of the page before. */
export type PageQuery = {
  readonly market: Market;
  readonly before?: bigint | undefined;
  readonly limit: number;
};

type StoredTaskRow = { number: number; record: string; open_record: string };

const selectRecords = `SELECT number, record FROM tasks
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
export function createTaskStore(database: Database, identity: string) {
  async function loadPage(where: string, params: readonly Param[], page: PageQuery): Promise<StoredTask[]> {
    const before = page.before === undefined ? Number.MAX_SAFE_INTEGER : Number(page.before);
    const rows = await database.query<StoredTaskRow>(
      `SELECT number, record, open_record FROM tasks
       WHERE generation = ${shownGeneration(1)} AND market = $2 AND number < $3 AND ${where}
       ORDER BY number DESC LIMIT $4`,
      [identity, page.market, before, page.limit, ...params],
    );
    return rows.map(parseStored);
  }

  async function loadRecords(
    market: Market,
    numbers: readonly number[],
  ): Promise<ReadonlyMap<number, string>> {
    const params = [identity, market];
    const rows = await queryByNumbers<{ number: number; record: string }>(
      database,
      selectRecords,
      params,
      numbers,
    );
    return new Map(rows.map(({ number, record }) => [number, record]));
  }

  const gathers: Readonly<Record<Market, Gather<string>>> = {
    standard: createGather((numbers) => loadRecords('standard', numbers)),
    micro: createGather((numbers) => loadRecords('micro', numbers)),
  };

  return {
    /** Claimable tasks: a task past its deadline is not, although the chain still calls it POSTED. */
    loadOpen: (page: PageQuery & { readonly now: number }) =>
      loadPage(`state = 'POSTED' AND scope = 'open' AND deadline >= $5`, [page.now], page),

    loadRecent: (page: PageQuery) => loadPage(`scope = 'open'`, [], page),

    loadByPoster: (page: PageQuery & { readonly address: Address }) =>
      loadPage('poster = $5', [addressKey(page.address)], page),

    loadByWorker: (page: PageQuery & { readonly address: Address }) =>
      loadPage('worker = $5', [addressKey(page.address)], page),

    async loadTask(market: Market, number: bigint): Promise<Omit<StoredTask, 'openRecord'> | null> {
      // A number that no chain has reached would not fit the column.
      if (number > BigInt(Number.MAX_SAFE_INTEGER)) return null;
      const record = (await loadRecords(market, [Number(number)])).get(Number(number));
      return record === undefined ? null : { number, record };
    },

    /** With all others who ask at the same time. Null also where the database does not answer. */
    loadTogether: (market: Market, number: number, onRecord: (record: string | null) => void) =>
      gathers[market](number, onRecord),

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

function parseStored(row: StoredTaskRow): StoredTask {
  return { number: BigInt(row.number), record: row.record, openRecord: row.open_record };
}
