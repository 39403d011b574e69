// What the follower writes. Each step is one transaction: rows, events, changes, versions and the cursor together.
import { SvcError } from '#domain/errors.ts';
import type { ChainEvent } from '#domain/event.ts';
import type { BlockRef, BlockWrite, Cursor, Head, HistoryWrite } from '#domain/follow.ts';
import type { Market } from '#domain/market.ts';
import { type Hash, noFacts, type Task, type TaskFacts } from '#domain/task.ts';
import { readFacts } from '#domain/taskFacts.ts';
import type { TaskKey } from '#domain/taskId.ts';
import { saveChanges, saveReset } from './changeRow.ts';
import type { Database, Param, Queryable } from './database.ts';
import { buildEventRow, type EventRow, eventColumns, parseEventRow } from './eventRow.ts';
import { insertRows, replaceBy } from './insert.ts';
import { buildTaskRow, decodeTask, taskColumns } from './taskRow.ts';

/** The channel on which every write of the follower is told. */
export const projectionChannel = 'svc_projection';

const taskSuffix = replaceBy(['market', 'number'], taskColumns);
const ignoreKnown = 'ON CONFLICT DO NOTHING';

export function createProjectionStore(database: Database, now: () => number) {
  async function write(work: (tx: Queryable) => Promise<void>): Promise<void> {
    await database.transaction(work);
    await database.notify(projectionChannel);
  }

  return {
    async loadCursor(): Promise<Cursor | null> {
      const [row] = await database.query<CursorRow>('SELECT * FROM chain WHERE id = 1');
      return row === undefined ? null : parseCursor(row);
    },

    /** Fresh rows for this chain: nothing of another one, or of an unfinished first read, stays. */
    begin(identity: string, startBlock: bigint): Promise<void> {
      return write(async (tx) => {
        for (const table of ['tasks', 'events', 'payouts', 'changes', 'blocks', 'chain']) {
          await tx.query(`DELETE FROM ${table}`);
        }
        await tx.query('UPDATE versions SET version = version + 1');
        await tx.query('INSERT INTO chain (id, identity, start_block) VALUES (1, $1, $2)', [
          identity,
          Number(startBlock),
        ]);
      });
    },

    async saveSnapshotPage(tasks: readonly Task[]): Promise<void> {
      await database.transaction((tx) =>
        saveTasks(
          tx,
          tasks.map((task) => [task, noFacts]),
        ),
      );
    },

    finishSnapshot(head: Head): Promise<void> {
      return write(async (tx) => {
        const number = Number(head.number);
        await tx.query(
          `UPDATE chain SET snapshot_block = $1, head_number = $1, head_hash = $2, head_time = $3, seen_at = $4,
             history_floor = $5`,
          [number, head.hash, head.time, now(), number + 1],
        );
        await saveReset(tx, head.number);
        await saveKept(tx, [head]);
        const markets = await tx.query<{ market: Market }>('SELECT DISTINCT market FROM tasks');
        await raiseVersions(tx, new Set(markets.map(({ market }) => market)));
      });
    },

    saveBlocks(step: BlockWrite): Promise<void> {
      return write(async (tx) => {
        await moveHead(tx, step.base, step.head, now());
        if (step.fork !== null) await undoAbove(tx, step.fork);
        await saveEvents(tx, step.events);
        for (const { market, number } of step.gone) await removeTask(tx, market, number);
        const rows = await Promise.all(
          step.tasks.map(async (task): Promise<[Task, TaskFacts]> => [task, await loadFacts(tx, task)]),
        );
        await saveTasks(tx, rows);
        // Before the changes: who reads lists anew then sees what follows as well.
        if (step.gone.length > 0) await saveReset(tx, step.head.number);
        await saveChanges(tx, step.tasks, step.head.number);
        await saveKept(tx, step.kept);
        await raiseVersions(tx, new Set([...step.tasks, ...step.gone].map(({ market }) => market)));
      });
    },

    /** Older events: they complete answers, but nothing has changed on the chain, so no change is told. */
    saveHistory({ base, events, floor }: HistoryWrite): Promise<void> {
      return write(async (tx) => {
        const moved = await tx.query(
          'UPDATE chain SET history_floor = $1 WHERE history_floor = $2 RETURNING id',
          [Number(floor), Number(base)],
        );
        if (moved.length === 0) throw new SvcError('FOLLOWER_OVERTAKEN', {});
        await saveEvents(tx, events);
        const rows: [Task, TaskFacts][] = [];
        for (const { market, number } of distinctTasks(events)) {
          const [row] = await tx.query<{ task: string }>(
            'SELECT task FROM tasks WHERE market = $1 AND number = $2',
            [market, Number(number)],
          );
          if (row === undefined) continue;
          const task = decodeTask(row.task);
          rows.push([task, await loadFacts(tx, task)]);
        }
        await saveTasks(tx, rows);
        await raiseVersions(tx, new Set(rows.map(([{ market }]) => market)));
      });
    },

    async loadKept(): Promise<BlockRef[]> {
      const rows = await database.query<{ number: number; hash: Hash }>(
        'SELECT number, hash FROM blocks ORDER BY number DESC',
      );
      return rows.map(({ number, hash }) => ({ number: BigInt(number), hash }));
    },

    /** Numbers count from 1 without a gap, so the highest one is the count. */
    async loadTaskCount(market: Market): Promise<bigint> {
      const [row] = await database.query<{ highest: number | null }>(
        'SELECT MAX(number) AS highest FROM tasks WHERE market = $1',
        [market],
      );
      return BigInt(row?.highest ?? 0);
    },

    /** The tasks that events above this block speak of: a fork there makes them worth a new look. */
    async loadTouchedAbove(number: bigint): Promise<TaskKey[]> {
      const rows = await database.query<{ market: Market; task_number: number }>(
        'SELECT DISTINCT market, task_number FROM events WHERE block_number > $1 AND task_number IS NOT NULL',
        [Number(number)],
      );
      return rows.map((row) => ({ market: row.market, number: BigInt(row.task_number) }));
    },
  };
}

type CursorRow = {
  identity: string;
  start_block: number;
  snapshot_block: number | null;
  head_number: number | null;
  head_hash: Hash | null;
  head_time: number | null;
  history_floor: number | null;
};

function parseCursor(row: CursorRow): Cursor {
  const { head_number: number, head_hash: hash, head_time: time } = row;
  return {
    identity: row.identity,
    startBlock: BigInt(row.start_block),
    snapshotBlock: row.snapshot_block === null ? null : BigInt(row.snapshot_block),
    head: number === null || hash === null || time === null ? null : { number: BigInt(number), hash, time },
    historyFloor: row.history_floor === null ? null : BigInt(row.history_floor),
  };
}

async function saveTasks(tx: Queryable, rows: readonly (readonly [Task, TaskFacts])[]): Promise<void> {
  const values = rows.map(([task, facts]) => buildTaskRow(task, facts));
  await insertRows(tx, 'tasks', taskColumns, values, taskSuffix);
}

async function removeTask(tx: Queryable, market: Market, number: bigint): Promise<void> {
  await tx.query('DELETE FROM tasks WHERE market = $1 AND number = $2', [market, Number(number)]);
}

async function saveEvents(tx: Queryable, events: readonly ChainEvent[]): Promise<void> {
  await insertRows(tx, 'events', eventColumns, events.map(buildEventRow), ignoreKnown);
  const payouts = events.filter(({ name }) => name === 'Released').map(buildPayout);
  const columns = ['block_number', 'log_index', 'market', 'task_number', 'account', 'amount'];
  await insertRows(tx, 'payouts', columns, payouts, ignoreKnown);
}

function buildPayout(event: ChainEvent): Param[] {
  const account = String(event.args.to).toLowerCase();
  const number = Number(event.taskNumber);
  return [
    Number(event.blockNumber),
    event.logIndex,
    event.market,
    number,
    account,
    String(event.args.amount),
  ];
}

async function loadFacts(tx: Queryable, { market, number }: TaskKey): Promise<TaskFacts> {
  const rows = await tx.query<EventRow>(
    'SELECT * FROM events WHERE market = $1 AND task_number = $2 ORDER BY block_number, log_index',
    [market, Number(number)],
  );
  return readFacts(rows.map(parseEventRow));
}

/** Compare and set: of two followers that build on the same head, one wins and the other starts over. */
async function moveHead(tx: Queryable, base: Hash, head: Head, seenAt: number): Promise<void> {
  const moved = await tx.query(
    `UPDATE chain SET head_number = $1, head_hash = $2, head_time = $3, seen_at = $4
     WHERE head_hash = $5 RETURNING id`,
    [Number(head.number), head.hash, head.time, seenAt, base],
  );
  if (moved.length === 0) throw new SvcError('FOLLOWER_OVERTAKEN', {});
}

/** Hashes older than any fork we would undo are let go. */
const keptDepth = 1_024;

async function saveKept(tx: Queryable, kept: readonly BlockRef[]): Promise<void> {
  const rows = kept.map(({ number, hash }): Param[] => [Number(number), hash]);
  await insertRows(tx, 'blocks', ['number', 'hash'], rows, replaceBy(['number'], ['number', 'hash']));
  await tx.query('DELETE FROM blocks WHERE number < (SELECT MAX(number) FROM blocks) - $1', [keptDepth]);
}

async function undoAbove(tx: Queryable, fork: bigint): Promise<void> {
  for (const table of ['events', 'payouts']) {
    await tx.query(`DELETE FROM ${table} WHERE block_number > $1`, [Number(fork)]);
  }
  await tx.query('DELETE FROM blocks WHERE number > $1', [Number(fork)]);
}

async function raiseVersions(tx: Queryable, markets: ReadonlySet<Market>): Promise<void> {
  for (const market of markets) {
    await tx.query(
      `INSERT INTO versions (market, version) VALUES ($1, 1)
       ON CONFLICT (market) DO UPDATE SET version = versions.version + 1`,
      [market],
    );
  }
}

function distinctTasks(events: readonly ChainEvent[]): TaskKey[] {
  const keys = new Map<string, TaskKey>();
  for (const { market, taskNumber } of events) {
    if (taskNumber !== null) keys.set(`${market}:${taskNumber}`, { market, number: taskNumber });
  }
  return [...keys.values()];
}
