// The one row about the chain: whose rows the tables hold, which generation is shown, and where it stands. Every write
// of the follower begins here, which locks the row: of two followers that build on the same state, one wins.

import type { Cursor, Generation, Hash, Head } from '@svc/sdk/domain';
import { SvcError } from '@svc/sdk/domain';
import type { Param, Transaction } from './database.ts';

/** The generation whose rows the chain of this row shows; `identity` is the parameter with this number. */
export function shownGeneration(parameter: number): string {
  return `(SELECT shown FROM chain WHERE identity = $${parameter})`;
}

export type ChainRow = {
  identity: string;
  generation: number;
  shown: number | null;
  start_block: number;
  head_number: number;
  head_hash: Hash;
  head_time: number;
  seen_at: number;
  history_floor: number;
  history_hash: Hash;
  /** The generation and the version that all its rows have been rendered by (see upkeep.ts). */
  rendering: string | null;
  /** The generation, and the edition of the search index that all its rows are in. */
  indexed: string | null;
  /** How far its rows have been compared with the chain again (confirm.ts). */
  recheck: string | null;
};

/** Whether every event since the deployment is known. */
export function isHistoryWhole(row: Pick<ChainRow, 'history_floor' | 'start_block'>): boolean {
  return row.history_floor <= row.start_block;
}

export function parseCursor(row: ChainRow): Cursor {
  if (row.shown === null) return { identity: row.identity, shown: null };
  return {
    identity: row.identity,
    shown: {
      generation: row.shown,
      head: { number: BigInt(row.head_number), hash: row.head_hash, time: row.head_time },
      startBlock: BigInt(row.start_block),
      historyFloor: BigInt(row.history_floor),
      historyHash: row.history_hash,
    },
  };
}

/** Answers the new generation, and whether the one that is shown was of another chain and is no longer. */
export async function beginGeneration(
  tx: Transaction,
  identity: string,
): Promise<{ generation: Generation; isOther: boolean }> {
  const [old] = await tx.query<{ identity: string }>(
    'UPDATE chain SET generation = generation + 1 WHERE id = 1 RETURNING identity',
  );
  if (old === undefined) {
    await tx.query('INSERT INTO chain (id, identity, generation) VALUES (1, $1, 1)', [identity]);
  }
  const isOther = old !== undefined && old.identity !== identity;
  if (isOther) {
    await tx.query('UPDATE chain SET identity = $1, shown = NULL, head_hash = NULL WHERE id = 1', [identity]);
  }
  const [row] = await tx.query<{ generation: number }>('SELECT generation FROM chain WHERE id = 1');
  return { generation: (row as { generation: number }).generation, isOther };
}

/** Only the newest generation may still be read into; answers the one that is shown meanwhile. */
export async function lockUnfinished(tx: Transaction, generation: Generation): Promise<Generation | null> {
  const [row] = await tx.query<{ shown: number | null }>(
    `UPDATE chain SET generation = generation
     WHERE generation = $1 AND (shown IS NULL OR shown <> generation) RETURNING shown`,
    [generation],
  );
  if (row === undefined) throw overtaken();
  return row.shown;
}

/** For writes that leave head and history as they are. */
export async function lockShown(tx: Transaction, generation: Generation): Promise<void> {
  await updateShown(tx, 'UPDATE chain SET shown = shown WHERE shown = $1 RETURNING *', [generation]);
}

export async function showGeneration(
  tx: Transaction,
  {
    generation,
    head,
    startBlock,
    seenAt,
    rendering,
    indexed,
    floor,
    parentHash,
  }: {
    readonly generation: Generation;
    readonly head: Head;
    readonly startBlock: bigint;
    readonly seenAt: number;
    readonly rendering: string;
    readonly indexed: string;
    readonly floor: bigint;
    readonly parentHash: Hash;
  },
): Promise<void> {
  const { number, hash, time } = head;
  await tx.query(
    `UPDATE chain SET shown = $1, start_block = $2, head_number = $3, head_hash = $4, head_time = $5,
       seen_at = $6, history_floor = $7, history_hash = $8, rendering = $9, indexed = $10 WHERE id = 1`,
    [
      generation,
      Number(startBlock),
      Number(number),
      hash,
      time,
      seenAt,
      Number(floor),
      parentHash,
      rendering,
      indexed,
    ],
  );
}

type HeadMove = {
  readonly generation: Generation;
  readonly base: Hash;
  readonly head: Head;
  readonly seenAt: number;
};

/** Compare and set. */
export async function moveHead(tx: Transaction, { generation, base, head, seenAt }: HeadMove): Promise<void> {
  await updateShown(
    tx,
    `UPDATE chain SET head_number = $1, head_hash = $2, head_time = $3, seen_at = $4
     WHERE shown = $5 AND head_hash = $6 RETURNING *`,
    [Number(head.number), head.hash, head.time, seenAt, generation, base],
  );
}

/** Compare and set, as above; answers the number of the head, and whether the history is whole now. */
export async function moveFloor(
  tx: Transaction,
  {
    generation,
    base,
    floor,
    parentHash,
  }: {
    readonly generation: Generation;
    readonly base: bigint;
    readonly floor: bigint;
    readonly parentHash: Hash;
  },
): Promise<{ readonly head: bigint; readonly isWhole: boolean }> {
  const row = await updateShown(
    tx,
    `UPDATE chain SET history_floor = $1, history_hash = $2
     WHERE shown = $3 AND history_floor = $4 RETURNING *`,
    [Number(floor), parentHash, generation, Number(base)],
  );
  return { head: BigInt(row.head_number), isWhole: isHistoryWhole(row) };
}

async function updateShown(tx: Transaction, sql: string, params: readonly Param[]): Promise<ChainRow> {
  const [row] = await tx.query<ChainRow>(sql, params);
  if (row === undefined) throw overtaken();
  return row;
}

function overtaken(): SvcError {
  return new SvcError('FOLLOWER_OVERTAKEN', {});
}
