// The first reading of a chain: its events, oldest blocks first, and then each task once, as of the block where they end. Nothing is
// shown before all of it is written. The row of the chain says how far it is, so that the next process goes on from there.
import { type Market, markets, type Task, type TaskKey } from '@svc/sdk/domain';
import type { ChainEvent } from '@svc/sdk/internal/domain/event';
import type { TaskFacts } from '@svc/sdk/internal/domain/task';
import type { Hex } from 'viem';
import { OperatorError } from '../errors/operatorError.ts';
import type { BlockRef, ChainRow, Head } from './chainRow.ts';
import { saveReplaced, saveReset } from './changes.ts';
import { addCollateral } from './collateral.ts';
import type { Database, Transaction } from './database.ts';
import { saveEvents } from './eventRows.ts';
import {
  createProjectionStore,
  projectionChannel,
  raiseVersions,
  saveKept,
  undoAbove,
} from './projection.ts';
import { insertNew, queryColumn, queryValue, returnsRow } from './rows.ts';
import { publishDifferences, removeTasks, saveDifferences, saveTasks } from './saveTasks.ts';
import { type Sql, sql } from './sql.ts';
import { loadFacts } from './taskFacts.ts';

/** Where the events end. The hash is null while they are so old that none was read. */
export type End = { readonly number: bigint; readonly hash: Hex | null; readonly time: number };

export type Reading = {
  /** Whether every task is written, so that answers are given. */
  readonly isWhole: boolean;
  readonly end: End;
  readonly startBlock: bigint;
};

/** How far a first reading is, for people who wait. Times are Unix seconds. */
export type CatchUp = {
  readonly block: number;
  readonly target: number;
  /** From 0 to 1, of all that is left to read; null before anything is known. */
  readonly share: number;
  readonly seconds: number | null;
};

/** Kept beside the row: where this reading began, and where it goes. */
type Course = {
  readonly since: number;
  readonly from: number;
  readonly target: number;
  readonly pages: number;
  /** The rows were shown before, so whoever has an older answer learns what differs. */
  readonly isReturn: boolean;
};

export type RangeWrite = {
  readonly reading: Reading;
  /** Events above this block are removed first, after a fork. */
  readonly fork: bigint | null;
  readonly events: readonly ChainEvent[];
  readonly end: End;
  /** Hashes of the blocks, where they are known, and the lowest block whose hash is still needed. */
  readonly kept: readonly BlockRef[];
  readonly keepFrom: bigint;
  /** The newest block of the chain. */
  readonly target: bigint;
};

/** Pages of tasks count for this share of a first reading. */
const pagesShare = 0.2;

export type ForwardStore = ReturnType<typeof createForwardStore>;

export function createForwardStore(parts: Pick<Database, 'chain'>, now: () => number) {
  const { chain: database } = parts;
  const loadRow = async (): Promise<ChainRow | undefined> =>
    (await database.query<ChainRow>('SELECT * FROM chain'))[0];

  /** Not shown yet, so no reader waits for the disk, and none is told. */
  const writeUnshown = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
    database.transaction(work, { isProvisional: true });

  /** Compare and set: every write begins with it. */
  async function lock(tx: Transaction, { end }: Reading, set: Sql): Promise<ChainRow> {
    const isHash = end.hash === null ? sql`head_hash IS NULL` : sql`head_hash = ${end.hash}`;
    const [row] = await tx.query<ChainRow>(
      sql`UPDATE chain SET ${set} WHERE is_whole = 0
        AND head_number = ${Number(end.number)} AND ${isHash} RETURNING *`,
    );
    if (row === undefined) throw new OperatorError('FOLLOWER_OVERTAKEN', {});
    return row;
  }

  return {
    ...createProjectionStore(parts, now),

    /** Null where nothing was read. */
    async loadReading(): Promise<Reading | null> {
      const row = await loadRow();
      return row === undefined ? null : parseReading(row);
    },

    /** Newest first. */
    async loadHashes(): Promise<BlockRef[]> {
      const rows = await database.query<{ number: number; hash: Hex }>(
        sql`SELECT number, hash FROM blocks ORDER BY number DESC`,
      );
      return rows.map(({ number, hash }) => ({ number: BigInt(number), hash }));
    },

    /** Null while nothing has come from the chain. */
    async loadCatchUp(): Promise<CatchUp | null> {
      const row = await loadRow();
      if (row === undefined || row.isWhole === 1 || row.course === null) return null;
      return buildCatchUp(row, now());
    },

    beginReading: (startBlock: bigint): Promise<void> =>
      database.transaction(async (tx) => {
        const begun = { isWhole: 0, startBlock: Number(startBlock), headNumber: Number(startBlock) - 1 };
        await insertNew(tx.query, 'chain', { id: 1, ...begun, headTime: 0, seenAt: 0 });
        await raiseVersions(tx, markets);
      }),

    /** What is shown is taken back, to be read again from where its events end. */
    returnToReading: ({ end }: Reading): Promise<void> =>
      database.transaction(async (tx) => {
        const course: Course = { ...beginCourse(end, now()), isReturn: true };
        await saveReplaced(tx, -1n);
        const left = sql`UPDATE chain SET is_whole = 0, course = ${JSON.stringify(course)}
          WHERE is_whole = 1 AND head_hash = ${end.hash} RETURNING 1`;
        if (!(await returnsRow(tx.query, left))) throw new OperatorError('FOLLOWER_OVERTAKEN', {});
        await raiseVersions(tx, markets);
        await tx.notify(projectionChannel);
      }),

    saveRange: ({ reading, fork, events, end, kept, keepFrom, target }: RangeWrite): Promise<void> =>
      writeUnshown(async (tx) => {
        const { course: before } = await lock(
          tx,
          reading,
          sql`head_number = ${Number(end.number)}, head_hash = ${end.hash}, head_time = ${end.time}`,
        );
        const course = { ...parseCourse(before, reading.end, now()), target: Number(target), pages: 0 };
        await tx.query(sql`UPDATE chain SET course = ${JSON.stringify(course)} WHERE id = 1`);
        if (fork !== null) await undoAbove(tx, fork);
        await saveEvents(tx, events);
        while (await addCollateral(tx)) {
          // There is more.
        }
        await saveKept(tx, kept, keepFrom);
      }),

    /** Tasks as of where the events end. `share` is how much of all tasks is then written; `note` gets each event of them. */
    saveFirstTasks: (
      reading: Reading,
      tasks: readonly Task[],
      share: number,
      note: (event: ChainEvent) => void,
    ): Promise<readonly TaskFacts[]> =>
      writeUnshown(async (tx) => {
        const { course: before } = await lock(tx, reading, sql`id = id`);
        const course: Course = { ...parseCourse(before, reading.end, now()), pages: share };
        await tx.query(sql`UPDATE chain SET course = ${JSON.stringify(course)} WHERE id = 1`);
        if (course.isReturn) await saveDifferences(tx, tasks);
        const facts = await loadFacts(tx, tasks, note);
        await saveTasks(tx, tasks, facts);
        return facts;
      }),

    /** Events that a second answer has and the first one lacked. */
    addEvents: (reading: Reading, events: readonly ChainEvent[]): Promise<void> =>
      writeUnshown(async (tx) => {
        await lock(tx, reading, sql`id = id`);
        await saveEvents(tx, events);
        while (await addCollateral(tx)) {
          // There is more.
        }
      }),

    /** The block of the last post before this one, or the first block of all. */
    async loadPostBefore({ startBlock }: Reading, { market, number }: TaskKey): Promise<bigint> {
      const last = sql`SELECT block_number FROM events WHERE market = ${market}
        AND task_number < ${Number(number)} AND name = 'TaskPosted' ORDER BY task_number DESC LIMIT 1`;
      return BigInt((await queryValue<number>(database.query, last)) ?? startBlock);
    },

    /** Shows what was read. Tasks above these counts are of blocks that a fork took away. */
    finishReading: (reading: Reading, head: Head, counts: Readonly<Record<Market, bigint>>): Promise<void> =>
      database.transaction(async (tx) => {
        await lock(tx, reading, sql`is_whole = 1, course = NULL, seen_at = ${now()}`);
        for (const market of markets) {
          const above = await queryColumn<number>(
            tx.query,
            sql`SELECT number FROM tasks WHERE market = ${market}
              AND number > ${Number(counts[market])}`,
          );
          await removeTasks(
            tx,
            above.map((number) => ({ market, number: BigInt(number) })),
          );
        }
        await saveReplaced(tx, -1n);
        // Readers of lists read them again; differences are also saved as changes, for readers of single tasks.
        await saveReset(tx, head.number);
        await publishDifferences(tx, head.number);
        await raiseVersions(tx, markets);
        await tx.notify(projectionChannel);
      }),
  };
}

function parseReading(row: ChainRow): Reading {
  return {
    isWhole: row.isWhole === 1,
    end: { number: BigInt(row.headNumber), hash: row.headHash, time: row.headTime },
    startBlock: BigInt(row.startBlock),
  };
}

function beginCourse({ number }: End, since: number): Course {
  return { since, from: Number(number), target: Number(number), pages: 0, isReturn: false };
}

function parseCourse(text: string | null, end: End, since: number): Course {
  return text === null ? beginCourse(end, since) : JSON.parse(text);
}

function buildCatchUp(row: ChainRow, now: number): CatchUp {
  const end = { number: BigInt(row.headNumber), hash: null, time: 0 };
  const { since, from, target, pages } = parseCourse(row.course, end, now);
  const ofBlocks = target > from ? Math.min(1, (row.headNumber - from) / (target - from)) : 0;
  const share = (1 - pagesShare) * ofBlocks + pagesShare * pages;
  const seconds = share > 0 ? Math.ceil(((now - since) * (1 - share)) / share) : null;
  return { block: row.headNumber, target, share, seconds };
}
