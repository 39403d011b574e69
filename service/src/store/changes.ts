// What changed, for clients that follow along, and a task's own events.
import type { Market, Scope, Task, TaskKey, TaskState } from '@svc/sdk/domain';
import type { ChainEvent } from '@svc/sdk/internal/domain/event';
import { concernedWallets } from '../contract/concernRows.ts';
import type { LogPlace } from './chainRow.ts';
import type { Database, Query, Transaction } from './database.ts';
import { keyOfTask, queryEvents } from './eventRows.ts';
import { insertRows, queryColumn, queryValue, returnsRow } from './rows.ts';
import { raw, sql } from './sql.ts';

export type TaskChange = {
  readonly kind: 'task';
  readonly seq: number;
  readonly market: Market;
  readonly number: bigint;
  readonly blockNumber: bigint;
  readonly state: TaskState;
  /** Those that the task concerns, or concerned until this change, in lower case. */
  readonly wallets: readonly string[];
  readonly scope: Scope;
};

/** The rows were rebuilt, or a fork removed tasks: any data that a reader holds may be wrong. */
type ResetChange = { readonly kind: 'reset'; readonly seq: number };

export type Change = TaskChange | ResetChange;

export type EventPage = { readonly after: LogPlace | null; readonly limit: number };

/** In the column of the state, in place of the state of a task. */
export const resetState = 'RESET';

/** How many changes are kept for clients that come back. */
const keptChanges = 100_000;

/** `before` are these tasks as they were until now, as far as they were known. */
export async function saveChanges(
  tx: Transaction,
  tasks: readonly Task[],
  block: bigint,
  before: readonly Task[] = [],
): Promise<void> {
  const all = Map.groupBy([...tasks, ...before], keyOfTask);
  const rows = tasks.map((task) => ({
    market: task.market,
    taskNumber: Number(task.number),
    blockNumber: Number(block),
    state: task.state,
    wallets: [...new Set(all.get(keyOfTask(task))?.flatMap(concernedWallets))].join(' '),
    scope: task.scope,
  }));
  await insertRows(tx, 'changes', rows);
  if (rows.length > 0)
    await tx.query(sql`DELETE FROM changes WHERE seq <= (SELECT MAX(seq) FROM changes) - ${keptChanges}`);
}

export async function saveReset(tx: Transaction, block: bigint): Promise<void> {
  await tx.query(sql`INSERT INTO changes (market, task_number, block_number, state, wallets, scope)
     VALUES ('', 0, ${Number(block)}, '${raw(resetState)}', '', '')`);
}

/** Before the head moves: rows shown at the blocks above this one, up to the head, are about to be replaced. */
export async function saveReplaced(tx: Transaction, above: bigint): Promise<void> {
  await tx.query(sql`INSERT INTO replaced (seq, above, up_to)
    SELECT COALESCE((SELECT MAX(seq) FROM changes), 0), ${Number(above)}, head_number FROM chain
    WHERE is_whole = 1`);
  await tx.query('DELETE FROM replaced WHERE seq < (SELECT MIN(seq) FROM changes) - 1');
}

/**
 * The change with which begins what a client does not have that was shown this block, on whichever branch. Null where these
 * are not all kept, or do not say all: then every task may have changed.
 */
export async function findNextChange(query: Query, market: Market, block: number): Promise<number | null> {
  const first = await queryValue<number>(query, 'SELECT block_number FROM changes ORDER BY seq LIMIT 1');
  if (first === undefined || block < first) return null;
  const starts = await queryColumn<number | null>(
    query,
    sql`SELECT MIN(seq) FROM changes WHERE market = ${market} AND block_number > ${block}
      UNION ALL SELECT MIN(seq) FROM changes WHERE market = '' AND block_number > ${block}
      UNION ALL SELECT MIN(seq) + 1 FROM replaced WHERE above < ${block} AND up_to >= ${block}`,
  );
  const next = Math.min(...starts.map((seq) => seq ?? Number.MAX_SAFE_INTEGER));
  const isReset = await returnsRow(query, sql`SELECT 1 FROM changes WHERE market = '' AND seq >= ${next}`);
  return isReset ? null : next;
}

type ChangeRow = Omit<TaskChange, 'kind' | 'number' | 'blockNumber' | 'state' | 'wallets'> & {
  readonly wallets: string;
  readonly taskNumber: number;
  readonly blockNumber: number;
  readonly state: TaskState | typeof resetState;
};

export function createChangeStore(database: Database) {
  return {
    /** Oldest first. */
    async loadChangesAfter(seq: number, limit: number): Promise<Change[]> {
      const rows = await database.query<ChangeRow>(
        sql`SELECT * FROM changes WHERE seq > ${seq} ORDER BY seq LIMIT ${limit}`,
      );
      return rows.map(parseChange);
    },

    /** The first and the last change that are still kept; null when there are none. */
    async loadChangeRange(): Promise<{ first: number; last: number } | null> {
      const [row] = await database.query<{ first: number | null; last: number | null }>(
        'SELECT (SELECT MIN(seq) FROM changes) AS first, (SELECT MAX(seq) FROM changes) AS last',
      );
      if (row === undefined || row.first === null || row.last === null) return null;
      return { first: row.first, last: row.last };
    },

    /** Oldest first, after the log that `after` names. */
    loadTaskEvents({ market, number }: TaskKey, { after, limit }: EventPage): Promise<ChainEvent[]> {
      const { blockNumber, logIndex } = after ?? { blockNumber: -1n, logIndex: -1 };
      return queryEvents(
        database,
        sql`market = ${market} AND task_number = ${Number(number)}
          AND (block_number, log_index) > (${Number(blockNumber)}, ${logIndex})
        ORDER BY block_number, log_index LIMIT ${limit}`,
      );
    },
  };
}

export type ChangeStore = ReturnType<typeof createChangeStore>;

function parseChange({ state, taskNumber, blockNumber, wallets, ...row }: ChangeRow): Change {
  if (state === resetState) return { kind: 'reset', seq: row.seq };
  return {
    kind: 'task',
    ...row,
    state,
    wallets: wallets.split(' '),
    number: BigInt(taskNumber),
    blockNumber: BigInt(blockNumber),
  };
}
