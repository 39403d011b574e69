// What the follower writes. Each step is one transaction: rows, events, changes, versions and the cursor together.
import type {
  BlockRef,
  BlockWrite,
  ChainEvent,
  Cursor,
  Generation,
  Hash,
  Head,
  HistoryWrite,
  Task,
  TaskKey,
} from '@svc/sdk/domain';
import { type Market, markets } from '@svc/sdk/domain';
import { resetState, saveChanges, saveReset } from './changeRow.ts';
import type { Database, Transaction } from './database.ts';
import { type EventRow, parseEventRow } from './eventRow.ts';
import {
  beginGeneration,
  type ChainRow,
  lockUnfinished,
  moveFloor,
  moveHead,
  parseCursor,
  showGeneration,
} from './generation.ts';
import {
  type BlockStretch,
  loadStoredTasks,
  raiseVersions,
  removeEvents,
  removeTasks,
  saveEvents,
  saveFreshTasks,
  saveKept,
  saveTasks,
  saveTexts,
  undoAbove,
} from './projectionRows.ts';
import { currentRendering, type Rendering } from './rendering.ts';
import { saveDifferences, tellDifferences } from './snapshotDifferences.ts';
import { decodeTask } from './taskRow.ts';
import { createRenderingRefresh, indexMark, renderingMark, sweepGenerations } from './upkeep.ts';

/** The channel that announces every write of the follower. */
export const projectionChannel = 'svc_projection';

/** Of the generation that is shown, whichever chain it is of: the follower has made sure of that. */
const shown = '(SELECT shown FROM chain)';

export type EventCorrection = BlockStretch & {
  readonly generation: Generation;
  readonly head: Head;
  /** What is stored, and what the chain says. */
  readonly wrong: readonly ChainEvent[];
  readonly events: readonly ChainEvent[];
};

/** Where the known events begin: the first block, the hash of the one before it, and hashes of blocks in between. */
export type Past = Pick<HistoryWrite, 'floor' | 'parentHash' | 'kept'>;

export function createProjectionStore(
  database: Database,
  now: () => number,
  rendering: Rendering = currentRendering(),
) {
  function write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return database.transaction(async (tx) => {
      const result = await work(tx);
      await tx.notify(projectionChannel);
      return result;
    });
  }

  /** Numbers count from 1 without a gap, so the highest one is the count. */
  async function loadTaskCount(market: Market): Promise<bigint> {
    const [row] = await database.query<{ highest: number | null }>(
      `SELECT MAX(number) AS highest FROM tasks WHERE generation = ${shown} AND market = $1`,
      [market],
    );
    return BigInt(row?.highest ?? 0);
  }

  return {
    async loadCursor(): Promise<Cursor | null> {
      const [row] = await database.query<ChainRow>('SELECT * FROM chain WHERE id = 1');
      return row === undefined ? null : parseCursor(row);
    },

    begin(identity: string): Promise<Generation> {
      return write(async (tx) => {
        const { generation, isOther } = await beginGeneration(tx, identity);
        if (isOther) {
          await tx.query('DELETE FROM changes');
          await raiseVersions(tx, markets);
        }
        return generation;
      });
    },

    /** Events of a generation that is not shown yet. */
    async saveSnapshotEvents(generation: Generation, events: readonly ChainEvent[]): Promise<void> {
      const save = async (tx: Transaction) => {
        await lockUnfinished(tx, generation);
        await saveEvents(tx, generation, events);
      };
      await database.transaction(save, { isProvisional: true });
    },

    /** `events` are all that change these tasks and are saved, in chain order. */
    async saveSnapshotPage(
      generation: Generation,
      tasks: readonly Task[],
      events: readonly ChainEvent[] = [],
    ): Promise<void> {
      const save = async (tx: Transaction) => {
        const before = await lockUnfinished(tx, generation);
        await saveFreshTasks(tx, generation, tasks, rendering, events);
        if (before !== null) await saveDifferences(tx, before, generation, tasks);
      };
      // Nobody is shown these rows before `finishSnapshot`, which waits for the disk.
      await database.transaction(save, { isProvisional: true });
    },

    /** `past` is the stretch before the head whose events are stored, if any. */
    finishSnapshot(
      generation: Generation,
      head: Head,
      startBlock: bigint,
      past: Past = { floor: head.number + 1n, parentHash: head.hash, kept: [] },
    ): Promise<void> {
      return write(async (tx) => {
        await lockUnfinished(tx, generation);
        const marks = {
          rendering: renderingMark(generation, rendering),
          indexed: indexMark(generation),
        };
        await showGeneration(tx, { generation, head, startBlock, seenAt: now(), ...marks, ...past });
        const older = past.kept.filter(({ number }) => number < head.number);
        await saveKept(tx, generation, [...older, head], head.number);
        // Readers of lists read them again; differences are also saved as changes, for readers of single tasks.
        await saveReset(tx, head.number);
        await tellDifferences(tx, generation, head.number);
        await raiseVersions(tx, markets);
      });
    },

    saveBlocks(step: BlockWrite): Promise<void> {
      const { generation, head, tasks, gone } = step;
      return write(async (tx) => {
        await moveHead(tx, { ...step, seenAt: now() });
        if (step.fork !== null) await undoAbove(tx, generation, step.fork);
        await saveEvents(tx, generation, step.events);
        await removeTasks(tx, generation, gone);
        await saveTasks(tx, generation, tasks, rendering);
        // Before the changes: readers that read their lists again then also get the changes.
        if (gone.length > 0) await saveReset(tx, head.number);
        await saveChanges(tx, tasks, head.number);
        await saveKept(tx, generation, step.kept, head.number);
        await raiseVersions(tx, marketsOf([...tasks, ...gone]));
      });
    },

    /** Older events: they complete answers, but the chain has not changed, so no change is published. */
    saveHistory(step: HistoryWrite): Promise<void> {
      const { generation, events } = step;
      return write(async (tx) => {
        const { head, isWhole } = await moveFloor(tx, step);
        await saveEvents(tx, generation, events);
        const tasks = await loadStoredTasks(tx, generation, distinctTasks(events));
        await saveTexts(tx, generation, tasks, rendering);
        await saveKept(tx, generation, step.kept, head);
        // With the last stretch every answer that depends on the whole changes, on both markets.
        await raiseVersions(tx, isWhole ? markets : marketsOf(tasks));
      });
    },

    /** Replaces the events of these blocks, which an earlier answer of the chain had wrong; the head stays. */
    replaceEvents({ generation, head, wrong, events, ...stretch }: EventCorrection): Promise<void> {
      return write(async (tx) => {
        await moveHead(tx, { generation, base: head.hash, head, seenAt: now() });
        await removeEvents(tx, generation, stretch);
        await saveEvents(tx, generation, events);
        const tasks = await loadStoredTasks(tx, generation, distinctTasks([...wrong, ...events]));
        await saveTasks(tx, generation, tasks, rendering);
        await saveChanges(tx, tasks, head.number);
        await raiseVersions(tx, markets);
      });
    },

    /** In chain order. */
    async loadEvents({ above, upTo }: BlockStretch): Promise<ChainEvent[]> {
      const rows = await database.query<EventRow>(
        `SELECT * FROM events WHERE generation = ${shown} AND block_number > $1 AND block_number <= $2
         ORDER BY block_number, log_index`,
        [Number(above), Number(upTo)],
      );
      return rows.map(parseEventRow);
    },

    async loadKept(): Promise<BlockRef[]> {
      const rows = await database.query<{ number: number; hash: Hash }>(
        `SELECT number, hash FROM blocks WHERE generation = ${shown} ORDER BY number DESC`,
      );
      return rows.map(({ number, hash }) => ({ number: BigInt(number), hash }));
    },

    loadTaskCount,

    async loadFirstPosted(market: Market, fromBlock: bigint): Promise<bigint> {
      const posts = `FROM events WHERE generation = ${shown} AND market = $1 AND contract = 'taskRegistry'
         AND name = 'TaskPosted'`;
      const [row] = await database.query<{ number: number | null }>(
        `SELECT MIN(task_number) AS number ${posts}
           AND block_number = (SELECT MIN(block_number) ${posts} AND block_number >= $2)`,
        [market, Number(fromBlock)],
      );
      return row?.number == null ? (await loadTaskCount(market)) + 1n : BigInt(row.number);
    },

    restartHistory(generation: Generation): Promise<void> {
      return write(async (tx) => {
        await tx.query(
          'UPDATE chain SET history_floor = head_number + 1, history_hash = head_hash WHERE shown = $1',
          [generation],
        );
        await raiseVersions(tx, markets);
      });
    },

    /** The tasks that have events above a block, and up to another one. */
    async loadTouchedAbove(number: bigint, upTo?: bigint): Promise<TaskKey[]> {
      const rows = await database.query<{ market: Market; task_number: number }>(
        `SELECT DISTINCT market, task_number FROM events
         WHERE generation = ${shown} AND block_number > $1 AND block_number <= $2 AND task_number IS NOT NULL`,
        [Number(number), Number(upTo ?? Number.MAX_SAFE_INTEGER)],
      );
      return rows.map((row) => ({ market: row.market, number: BigInt(row.task_number) }));
    },

    async loadLive(market: Market, after: bigint, limit: number): Promise<Task[]> {
      const rows = await database.query<{ task: string }>(
        `SELECT task FROM tasks WHERE generation = ${shown} AND market = $1 AND number > $2
           AND state IN ('POSTED', 'CLAIMED', 'ACTIVE', 'DELIVERED', 'DISPUTED')
         ORDER BY number LIMIT $3`,
        [market, Number(after), limit],
      );
      return rows.map(({ task }) => decodeTask(task));
    },

    async loadTasksAfter(market: Market, after: bigint, limit: number): Promise<Task[]> {
      const rows = await database.query<{ task: string }>(
        `SELECT task FROM tasks WHERE generation = ${shown} AND market = $1 AND number > $2 ORDER BY number LIMIT $3`,
        [market, Number(after), limit],
      );
      return rows.map(({ task }) => decodeTask(task));
    },

    loadTasks: (generation: Generation, keys: readonly TaskKey[]): Promise<Task[]> =>
      loadStoredTasks(database, generation, keys),

    /** Renders some rows again that another version rendered; says whether there may be more. */
    /** The last change that was published, 0 before the first. */
    async loadLastChange(): Promise<number> {
      const [row] = await database.query<{ seq: number | null }>('SELECT MAX(seq) AS seq FROM changes');
      return row?.seq ?? 0;
    },

    /** The tasks whose rows were written by these changes. */
    async loadChangedTasks(above: number, upTo: number): Promise<TaskKey[]> {
      const rows = await database.query<{ market: Market; task_number: number }>(
        'SELECT DISTINCT market, task_number FROM changes WHERE seq > $1 AND seq <= $2 AND state <> $3',
        [above, upTo, resetState],
      );
      return rows.map((row) => ({ market: row.market, number: BigInt(row.task_number) }));
    },

    /** How far the comparison of rows with the chain is, as its own text (confirm.ts). */
    async loadRecheck(): Promise<string | null> {
      const [row] = await database.query<ChainRow>('SELECT * FROM chain WHERE id = 1');
      return row?.recheck ?? null;
    },

    async saveRecheck(generation: Generation, text: string): Promise<void> {
      await database.write('UPDATE chain SET recheck = $2 WHERE id = 1 AND shown = $1', [generation, text]);
    },

    refreshRenderings: createRenderingRefresh(database, rendering),

    sweep: () => sweepGenerations(database),
  };
}

function marketsOf(tasks: readonly { readonly market: Market }[]): Market[] {
  return tasks.map(({ market }) => market);
}

function distinctTasks(events: readonly ChainEvent[]): TaskKey[] {
  const keys = new Map<string, TaskKey>();
  for (const { market, taskNumber } of events) {
    if (taskNumber !== null) keys.set(`${market}:${taskNumber}`, { market, number: taskNumber });
  }
  return [...keys.values()];
}

export type ProjectionStore = ReturnType<typeof createProjectionStore>;
