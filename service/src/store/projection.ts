// What the indexer writes. Each step is one transaction: rows, events, changes, versions and the cursor together.

import { type Market, markets, type Task, type TaskKey } from '@svc/sdk/domain';
import type { ChainEvent } from '@svc/sdk/internal/domain/event';
import type { Hex } from 'viem';
import { oldEvents } from './activity.ts';
import {
  type BlockRef,
  beginGeneration,
  type Generation,
  type Head,
  isHistoryWhole,
  loadShown,
  lockUnfinished,
  moveFloor,
  moveHead,
  showGeneration,
  shownGeneration,
} from './chainRow.ts';
import { resetState, saveChanges, saveReplaced, saveReset } from './changes.ts';
import { addCollateral, isCollateralBehind } from './collateral.ts';
import type { Database, Transaction } from './database.ts';
import {
  type BlockStretch,
  type EventRow,
  listTasks,
  parseEventRow,
  removeEvents,
  saveEvents,
} from './eventRows.ts';
import { insertRows, queryColumn, queryValue } from './rows.ts';
import { loadTasks, publishDifferences, removeTasks, saveDifferences, saveTasks } from './saveTasks.ts';
import { type Sql, sql } from './sql.ts';
import { sweepGenerations } from './sweepGenerations.ts';
import { addFacts, factsOf, loadFacts } from './taskFacts.ts';
import { decodeTask } from './taskRow.ts';

/** The channel that announces every write of the indexer. */
export const projectionChannel = 'svc_projection';

/** All changes of one indexer step, written in one transaction. */
export type BlockWrite = {
  readonly generation: Generation;
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
  /** The lowest block whose hash is still needed; the newest thousand are kept unless it is given. */
  readonly keepFrom?: bigint;
};

/** Where the known events begin. */
export type Past = {
  readonly floor: bigint;
  /** The block below the floor. */
  readonly parentHash: Hex;
  readonly kept: readonly BlockRef[];
};

/** Older events. They change no current state and complete the history. */
export type HistoryWrite = Past & {
  readonly generation: Generation;
  /** The floor this step builds on, as `base` above. */
  readonly base: bigint;
  readonly events: readonly ChainEvent[];
};

/** A block whose stored events are not those that the chain has. */
export type WrongBlock = {
  readonly number: bigint;
  readonly stored: readonly ChainEvent[];
  readonly events: readonly ChainEvent[];
};

export type EventCorrection = {
  readonly generation: Generation;
  readonly head: Head;
  readonly blocks: readonly WrongBlock[];
};

/** Hashes of older blocks are not kept: a deeper fork is answered by a new snapshot. */
const keptDepth = 1_024n;

export function createProjectionStore({ chain: database }: Pick<Database, 'chain'>, now: () => number) {
  function write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return database.transaction(async (tx) => {
      const result = await work(tx);
      await tx.notify(projectionChannel);
      return result;
    });
  }

  /** For a generation that is not shown before `finishSnapshot`, which waits for the disk. */
  function writeUnfinished(
    generation: Generation,
    work: (tx: Transaction, shown: Generation | null) => Promise<void>,
  ): Promise<void> {
    return database.transaction(async (tx) => work(tx, await lockUnfinished(tx, generation)), {
      isProvisional: true,
    });
  }

  async function queryTasks(condition: Sql): Promise<Task[]> {
    const found = sql`SELECT task FROM tasks WHERE generation = ${shownGeneration} AND ${condition}`;
    return (await queryColumn<string>(database.query, found)).map(decodeTask);
  }

  /** Numbers count from 1 without a gap, so the highest one is the count. */
  async function loadTaskCount(market: Market): Promise<bigint> {
    const highest = sql`SELECT MAX(number) AS highest FROM tasks
      WHERE generation = ${shownGeneration} AND market = ${market}`;
    return BigInt((await queryValue<number | null>(database.query, highest)) ?? 0);
  }

  return {
    loadShown: () => loadShown(database),

    begin: (): Promise<Generation> => write(beginGeneration),

    saveSnapshotEvents: (generation: Generation, events: readonly ChainEvent[]): Promise<void> =>
      writeUnfinished(generation, (tx) => saveEvents(tx, generation, events)),

    /** `events` are all that change these tasks and are saved, in chain order. */
    saveSnapshotPage: (
      generation: Generation,
      tasks: readonly Task[],
      events: readonly ChainEvent[] = [],
    ): Promise<void> =>
      writeUnfinished(generation, async (tx, before) => {
        await saveTasks(tx, generation, tasks, factsOf(tasks, events));
        if (before !== null) await saveDifferences(tx, before, generation, tasks);
      }),

    /** `past` is the stretch before the head whose events are stored, if any. */
    finishSnapshot: (
      generation: Generation,
      head: Head,
      startBlock: bigint,
      { floor, parentHash, kept }: Past = { floor: head.number + 1n, parentHash: head.hash, kept: [] },
    ): Promise<void> =>
      write(async (tx) => {
        await lockUnfinished(tx, generation);
        await saveReplaced(tx, -1n);
        const history = { historyFloor: floor, historyHash: parentHash };
        await showGeneration(tx, { generation, head, startBlock, seenAt: now(), ...history });
        await addCollateral(tx, generation);
        const older = kept.filter(({ number }) => number < head.number);
        await saveKept(tx, generation, [...older, head], head.number - keptDepth);
        // Readers of lists read them again; differences are also saved as changes, for readers of single tasks.
        await saveReset(tx, head.number);
        await publishDifferences(tx, generation, head.number);
        await raiseVersions(tx, markets);
      }),

    saveBlocks: (step: BlockWrite): Promise<void> =>
      write(async (tx) => {
        const { generation, base, fork, events, tasks, gone, head } = step;
        if (fork !== null) await saveReplaced(tx, fork);
        else if (head.hash === base) await saveReplaced(tx, head.number - 1n);
        await moveHead(tx, step, now());
        if (fork !== null) await undoAbove(tx, generation, fork);
        await saveEvents(tx, generation, events);
        await addCollateral(tx, generation);
        await removeTasks(tx, generation, gone);
        // A fork takes events away: then the facts are read again from those that are left.
        const facts =
          fork === null
            ? await addFacts(tx, generation, tasks, events)
            : await loadFacts(tx, generation, tasks);
        const before = await loadTasks(tx, generation, tasks);
        await saveTasks(tx, generation, tasks, facts);
        // Before the changes: readers that read their lists again then also get the changes.
        if (gone.length > 0) await saveReset(tx, head.number);
        await saveChanges(tx, tasks, head.number, before);
        await saveKept(tx, generation, step.kept, step.keepFrom ?? head.number - keptDepth);
        await raiseVersions(tx, marketsOf([...tasks, ...gone]));
      }),

    /** Older events: they complete answers, but the chain has not changed, so no change is published. */
    saveHistory: (step: HistoryWrite): Promise<void> =>
      write(async (tx) => {
        const { generation, events } = step;
        const chain = await moveFloor(tx, step);
        await saveEvents(tx, generation, events);
        await addCollateral(tx, generation);
        const tasks = await loadTasks(tx, generation, listTasks(events));
        // No index has this column, which makes it fast.
        await saveTasks(tx, generation, tasks, await loadFacts(tx, generation, tasks), ['facts']);
        await saveKept(tx, generation, step.kept, BigInt(chain.headNumber) - keptDepth);
        // With the last stretch every answer that depends on the whole changes, on both markets.
        await raiseVersions(tx, isHistoryWhole(chain) ? markets : marketsOf(tasks));
      }),

    /** Replaces the events of these blocks, which an earlier answer of the chain had wrong; the head stays. */
    replaceEvents: ({ generation, head, blocks: given }: EventCorrection): Promise<void> =>
      write(async (tx) => {
        // Later steps bring what is above the head, and add it to the facts: it must not be in them already.
        const blocks = given.filter(({ number }) => number <= head.number);
        await saveReplaced(tx, head.number - 1n);
        await moveHead(tx, { generation, base: head.hash, head }, now());
        for (const { number } of blocks)
          await removeEvents(tx, generation, { above: number - 1n, upTo: number });
        await saveEvents(
          tx,
          generation,
          blocks.flatMap(({ events }) => events),
        );
        await addCollateral(tx, generation);
        const touched = listTasks(blocks.flatMap(({ stored, events }) => [...stored, ...events]));
        const tasks = await loadTasks(tx, generation, touched);
        await saveTasks(tx, generation, tasks, await loadFacts(tx, generation, tasks));
        await saveChanges(tx, tasks, head.number);
        const isOld = blocks.some(({ number }) => Number(number) <= Number(head.number - keptDepth));
        await raiseVersions(tx, isOld ? [...markets, oldEvents] : markets);
      }),

    /** In chain order. */
    async loadEvents({ above, upTo }: BlockStretch): Promise<ChainEvent[]> {
      const rows =
        await database.query<EventRow>(sql`SELECT * FROM events WHERE generation = ${shownGeneration}
          AND block_number > ${Number(above)} AND block_number <= ${Number(upTo)}
         ORDER BY block_number, log_index`);
      return rows.map(parseEventRow);
    },

    async loadKept(): Promise<BlockRef[]> {
      const rows = await database.query<{ number: number; hash: Hex }>(
        sql`SELECT number, hash FROM blocks WHERE generation = ${shownGeneration} ORDER BY number DESC`,
      );
      return rows.map(({ number, hash }) => ({ number: BigInt(number), hash }));
    },

    loadTaskCount,

    async loadFirstPosted(market: Market, fromBlock: bigint): Promise<bigint> {
      const first = await queryValue<number>(
        database.query,
        sql`SELECT task_number FROM events
          WHERE generation = ${shownGeneration} AND market = ${market} AND contract = 'taskRegistry' AND name = 'TaskPosted'
            AND block_number >= ${Number(fromBlock)}
          ORDER BY block_number, task_number LIMIT 1`,
      );
      return first === undefined ? (await loadTaskCount(market)) + 1n : BigInt(first);
    },

    restartHistory: (generation: Generation): Promise<void> =>
      write(async (tx) => {
        await tx.query(
          sql`UPDATE chain SET history_floor = head_number + 1, history_hash = head_hash
            WHERE shown = ${generation}`,
        );
        await raiseVersions(tx, markets);
      }),

    /** The tasks that have events above a block. */
    async loadTouchedAbove(number: bigint): Promise<TaskKey[]> {
      const rows = await database.query<KeyRow>(sql`SELECT DISTINCT market, task_number FROM events
         WHERE generation = ${shownGeneration} AND block_number > ${Number(number)} AND task_number IS NOT NULL`);
      return rows.map(decodeKey);
    },

    /** Tasks that can still change. */
    loadLive: (market: Market, after: bigint, limit: number): Promise<Task[]> =>
      queryTasks(sql`market = ${market} AND number > ${Number(after)}
          AND state IN ('POSTED', 'CLAIMED', 'ACTIVE', 'DELIVERED', 'DISPUTED')
        ORDER BY number LIMIT ${limit}`),

    loadTasks: (generation: Generation, keys: readonly TaskKey[]): Promise<Task[]> =>
      loadTasks(database, generation, keys),

    /** The last change that was published up to a block, 0 before the first. */
    async loadLastChange(upTo: number): Promise<number> {
      const last = sql`SELECT seq FROM changes WHERE block_number <= ${upTo} ORDER BY seq DESC LIMIT 1`;
      return (await queryValue<number>(database.query, last)) ?? 0;
    },

    /** The tasks whose rows were written by these changes, each at its last one, and up to which change these go. */
    async loadChangedTasks(above: number, upTo: number, limit: number) {
      const rows = await database.query<
        KeyRow & { last: number }
      >(sql`SELECT market, task_number, MAX(seq) AS last FROM changes WHERE seq > ${above} AND seq <= ${upTo}
        AND state <> ${resetState}
         GROUP BY market, task_number ORDER BY last LIMIT ${limit}`);
      return { tasks: rows.map(decodeKey), upTo: rows.at(-1)?.last ?? upTo };
    },

    /** How far the comparison of rows with the chain is, as its own text (indexer/confirm.ts). */
    loadRecheck: (): Promise<string | null | undefined> =>
      queryValue(database.query, 'SELECT recheck FROM chain WHERE id = 1'),

    async saveRecheck(generation: Generation, text: string): Promise<void> {
      await database.write(sql`UPDATE chain SET recheck = ${text} WHERE id = 1 AND shown = ${generation}`);
    },

    /** For events that came with the past, or before an update; returns whether more are left. */
    addCollateral: async (generation: Generation): Promise<boolean> =>
      (await isCollateralBehind(database, generation)) &&
      database.transaction((tx) => addCollateral(tx, generation)),

    sweep: () => sweepGenerations(database),
  };
}

export type ProjectionStore = ReturnType<typeof createProjectionStore>;

type KeyRow = { readonly market: Market; readonly taskNumber: number };

const decodeKey = ({ market, taskNumber }: KeyRow): TaskKey => ({ market, number: BigInt(taskNumber) });

export async function undoAbove(tx: Transaction, generation: Generation, fork: bigint): Promise<void> {
  await removeEvents(tx, generation, { above: fork, upTo: BigInt(Number.MAX_SAFE_INTEGER) });
  await tx.query(sql`DELETE FROM blocks WHERE generation = ${generation} AND number > ${Number(fork)}`);
}

export async function saveKept(
  tx: Transaction,
  generation: Generation,
  kept: readonly BlockRef[],
  from: bigint,
): Promise<void> {
  const lowest = Number(from);
  const rows = kept
    .filter(({ number }) => Number(number) >= lowest)
    .map(({ number, hash }) => ({ generation, number: Number(number), hash }));
  await insertRows(tx, 'blocks', rows, { key: ['generation', 'number'] });
  await tx.query(sql`DELETE FROM blocks WHERE generation = ${generation} AND number < ${lowest}`);
}

export async function raiseVersions(
  tx: Transaction,
  changed: Iterable<Market | typeof oldEvents>,
): Promise<void> {
  for (const market of new Set(changed))
    await tx.query(sql`INSERT INTO versions (market, version) VALUES (${market}, 1)
       ON CONFLICT (market) DO UPDATE SET version = versions.version + 1`);
}

function marketsOf(tasks: readonly { readonly market: Market }[]): Market[] {
  return tasks.map(({ market }) => market);
}
