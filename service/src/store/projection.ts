// What the indexer writes. Each step is one transaction: rows, events, changes, versions and the cursor together.

import type { Market, Task, TaskKey } from '@svc/sdk/domain';
import type { ChainEvent } from '@svc/sdk/internal/domain/event';
import type { Hex } from 'viem';
import { type BlockRef, type Head, isWhole, loadShown, moveHead } from './chainRow.ts';
import { saveChanges, saveReplaced, saveReset } from './changes.ts';
import { addCollateral } from './collateral.ts';
import type { Database, Transaction } from './database.ts';
import { type BlockStretch, type EventRow, parseEventRow, removeEvents, saveEvents } from './eventRows.ts';
import { insertRows, queryColumn, queryValue } from './rows.ts';
import { loadTasks, removeTasks, saveTasks } from './saveTasks.ts';
import { type Sql, sql } from './sql.ts';
import { addFacts, loadFacts } from './taskFacts.ts';
import { decodeTask } from './taskRow.ts';

/** The channel that announces every write of the indexer. */
export const projectionChannel = 'svc_projection';

/** All changes of one indexer step, written in one transaction. */
export type BlockWrite = {
  /** The head this step builds on. If the stored head differs, another indexer has written and nothing is changed. */
  readonly base: Hex;
  /** The fork: everything above this block is undone first. */
  readonly fork: bigint | null;
  readonly events: readonly ChainEvent[];
  readonly tasks: readonly Task[];
  /** Tasks that a fork has removed. */
  readonly gone: readonly TaskKey[];
  readonly head: Head;
  /** Hashes to keep, for finding the next fork. */
  readonly kept: readonly BlockRef[];
  /** The lowest block whose hash is still needed. */
  readonly keepFrom: bigint;
};

export function createProjectionStore({ chain: database }: Pick<Database, 'chain'>, now: () => number) {
  function write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return database.transaction(async (tx) => {
      const result = await work(tx);
      await tx.notify(projectionChannel);
      return result;
    });
  }

  async function queryTasks(condition: Sql): Promise<Task[]> {
    const found = sql`SELECT task FROM tasks WHERE ${isWhole} AND ${condition}`;
    return (await queryColumn<string>(database.query, found)).map(decodeTask);
  }

  /** Numbers count from 1 without a gap, so the highest one is the count. */
  async function loadTaskCount(market: Market): Promise<bigint> {
    const highest = sql`SELECT MAX(number) AS highest FROM tasks
      WHERE ${isWhole} AND market = ${market}`;
    return BigInt((await queryValue<number | null>(database.query, highest)) ?? 0);
  }

  return {
    loadShown: () => loadShown(database),

    saveBlocks: (step: BlockWrite): Promise<void> =>
      write(async (tx) => {
        const { fork, events, tasks, gone, head } = step;
        if (fork !== null) await saveReplaced(tx, fork);
        await moveHead(tx, step, now());
        if (fork !== null) await undoAbove(tx, fork);
        await saveEvents(tx, events);
        while (await addCollateral(tx)) {
          // There is more.
        }
        await removeTasks(tx, gone);
        // A fork takes events away: then the facts are read again from those that are left.
        const facts = fork === null ? await addFacts(tx, tasks, events) : await loadFacts(tx, tasks);
        const before = await loadTasks(tx, tasks);
        await saveTasks(tx, tasks, facts);
        // Before the changes: readers that read their lists again then also get the changes.
        if (gone.length > 0) await saveReset(tx, head.number);
        await saveChanges(tx, tasks, head.number, before);
        await saveKept(tx, step.kept, step.keepFrom);
        await raiseVersions(tx, marketsOf([...tasks, ...gone]));
      }),

    /** In chain order. */
    async loadEvents({ above, upTo }: BlockStretch): Promise<ChainEvent[]> {
      const rows = await database.query<EventRow>(sql`SELECT * FROM events WHERE ${isWhole}
          AND block_number > ${Number(above)} AND block_number <= ${Number(upTo)}
         ORDER BY block_number, log_index`);
      return rows.map(parseEventRow);
    },

    loadTaskCount,

    /** The tasks that have events above a block. */
    async loadTouchedAbove(number: bigint): Promise<TaskKey[]> {
      const rows = await database.query<KeyRow>(sql`SELECT DISTINCT market, task_number FROM events
         WHERE ${isWhole} AND block_number > ${Number(number)} AND task_number IS NOT NULL`);
      return rows.map(decodeKey);
    },

    /** Tasks that can still change. */
    loadLive: (market: Market, after: bigint, limit: number): Promise<Task[]> =>
      queryTasks(sql`market = ${market} AND number > ${Number(after)}
          AND state IN ('POSTED', 'CLAIMED', 'ACTIVE', 'DELIVERED', 'DISPUTED')
        ORDER BY number LIMIT ${limit}`),

    loadTasks: (keys: readonly TaskKey[]): Promise<Task[]> => loadTasks(database, keys),
  };
}

export type ProjectionStore = ReturnType<typeof createProjectionStore>;

type KeyRow = { readonly market: Market; readonly taskNumber: number };

const decodeKey = ({ market, taskNumber }: KeyRow): TaskKey => ({ market, number: BigInt(taskNumber) });

export async function undoAbove(tx: Transaction, fork: bigint): Promise<void> {
  await removeEvents(tx, { above: fork, upTo: BigInt(Number.MAX_SAFE_INTEGER) });
  await tx.query(sql`DELETE FROM blocks WHERE number > ${Number(fork)}`);
}

export async function saveKept(tx: Transaction, kept: readonly BlockRef[], from: bigint): Promise<void> {
  const lowest = Number(from);
  const rows = kept
    .filter(({ number }) => Number(number) >= lowest)
    .map(({ number, hash }) => ({ number: Number(number), hash }));
  await insertRows(tx, 'blocks', rows, { key: ['number'] });
  await tx.query(sql`DELETE FROM blocks WHERE number < ${lowest}`);
}

export async function raiseVersions(tx: Transaction, changed: Iterable<Market>): Promise<void> {
  for (const market of new Set(changed))
    await tx.query(sql`INSERT INTO versions (market, version) VALUES (${market}, 1)
       ON CONFLICT (market) DO UPDATE SET version = versions.version + 1`);
}

function marketsOf(tasks: readonly { readonly market: Market }[]): Market[] {
  return tasks.map(({ market }) => market);
}
