// The one row about the chain: whose rows the tables hold, which generation is shown, and where it stands. Every write
// of the indexer begins with an update of this row, which locks it: of two indexers that build on the same state, one wins.

import type { Market } from '@svc/sdk/domain';
import type { Hex } from 'viem';
import { OperatorError } from '../errors/operatorError.ts';
import type { Query, Transaction } from './database.ts';
import { updateRows } from './rows.ts';
import { type Sql, sql } from './sql.ts';

export type BlockRef = { readonly number: bigint; readonly hash: Hex };

/** The place of a log on the chain. */
export type LogPlace = { readonly blockNumber: bigint; readonly logIndex: number };

export type Head = BlockRef & { readonly time: number };

/**
 * The number of one complete read of a chain: a snapshot and everything after it. The next one is written beside it and
 * becomes visible once it is complete. A process that still writes into an earlier one must start over.
 */
export type Generation = number;

/** The rows that are visible to readers. */
export type Shown = {
  readonly generation: Generation;
  readonly head: Head;
  /** When the indexer wrote the head. */
  readonly seenAt: number;
  readonly startBlock: bigint;
  /** Events from this block on are known; startBlock when all are. */
  readonly historyFloor: bigint;
  /** The hash of the block below the floor, which older blocks must lead to. */
  readonly historyHash: Hex;
};

export type ChainRow = {
  identity: string;
  generation: number;
  shown: number | null;
  startBlock: number;
  headNumber: number;
  headHash: Hex;
  headTime: number;
  seenAt: number;
  historyFloor: number;
  historyHash: Hex;
  recheck: string | null;
};

type Source = { readonly query: Query };

/** The generation whose rows are shown of the chain with this identity. */
export function shownOf(identity: string): Sql {
  return sql`(SELECT shown FROM chain WHERE identity = ${identity})`;
}

/** The condition that a row about a task is of this market and shown of the chain with this identity. */
export function ofMarket(identity: string, market: Market): Sql {
  return sql`generation = ${shownOf(identity)} AND market = ${market}`;
}

/** Whether every event since the deployment is known. */
export function isHistoryWhole({
  historyFloor,
  startBlock,
}: Pick<ChainRow | Shown, 'historyFloor' | 'startBlock'>) {
  return historyFloor <= startBlock;
}

/** Null until the first read of this very chain is complete. */
export async function loadShown({ query }: Source, identity: string): Promise<Shown | null> {
  const [row] = await query<ChainRow>(sql`SELECT * FROM chain WHERE identity = ${identity}`);
  return row === undefined ? null : parseShown(row);
}

/** The generation that is shown, if the whole history is known. */
export async function loadWholeGeneration(source: Source, identity: string): Promise<Generation | null> {
  const shown = await loadShown(source, identity);
  return shown !== null && isHistoryWhole(shown) ? shown.generation : null;
}

export async function isHistoryComplete(source: Source, identity: string): Promise<boolean> {
  return (await loadWholeGeneration(source, identity)) !== null;
}

/**
 * What `load` finds while the whole history is known and the same reading of the chain is shown before and after; null
 * otherwise. For sums over events, which over a part of them would be wrong.
 */
export async function loadWhole<T>(
  source: Source,
  identity: string,
  load: () => Promise<T>,
): Promise<T | null> {
  const before = await loadWholeGeneration(source, identity);
  if (before === null) return null;
  const found = await load();
  return (await loadWholeGeneration(source, identity)) === before ? found : null;
}

function parseShown(row: ChainRow): Shown | null {
  if (row.shown === null) return null;
  return {
    generation: row.shown,
    head: { number: BigInt(row.headNumber), hash: row.headHash, time: row.headTime },
    seenAt: row.seenAt,
    startBlock: BigInt(row.startBlock),
    historyFloor: BigInt(row.historyFloor),
    historyHash: row.historyHash,
  };
}

/** Returns the new generation, and whether the one that was shown until now was of another chain. */
export async function beginGeneration(
  tx: Transaction,
  identity: string,
): Promise<{ generation: Generation; isOther: boolean }> {
  const [before] = await tx.query<{ identity: string; generation: number }>(
    'UPDATE chain SET generation = generation + 1 WHERE id = 1 RETURNING identity, generation',
  );
  if (before === undefined) {
    await tx.query(sql`INSERT INTO chain (id, identity, generation) VALUES (1, ${identity}, 1)`);
    return { generation: 1, isOther: false };
  }
  const isOther = before.identity !== identity;
  if (isOther)
    await tx.query(sql`UPDATE chain SET identity = ${identity}, shown = NULL, head_hash = NULL WHERE id = 1`);
  return { generation: before.generation, isOther };
}

/** Only the newest generation may still be read into; returns the one that is shown meanwhile. */
export async function lockUnfinished(tx: Transaction, generation: Generation): Promise<Generation | null> {
  const row = await updateChain(
    tx,
    sql`UPDATE chain SET generation = generation
    WHERE generation = ${generation} AND (shown IS NULL OR shown <> generation) RETURNING *`,
  );
  return row.shown;
}

export async function showGeneration(
  tx: Transaction,
  { generation, head, seenAt, startBlock, historyFloor, historyHash }: Shown,
): Promise<void> {
  const read = { shown: generation, startBlock: Number(startBlock), seenAt };
  const history = { historyFloor: Number(historyFloor), historyHash };
  await updateRows(tx.query, 'chain', { ...read, ...headColumns(head), ...history }, { id: 1 });
}

function headColumns({ number, hash, time }: Head) {
  return { headNumber: Number(number), headHash: hash, headTime: time };
}

/** Compare and set: throws FOLLOWER_OVERTAKEN where the stored head is not `base`. */
export async function moveHead(
  tx: Transaction,
  { generation, base, head }: { generation: Generation; base: Hex; head: Head },
  seenAt: number,
): Promise<void> {
  const changes = { ...headColumns(head), seenAt };
  const moved = await updateRows(tx.query, 'chain', changes, { shown: generation, headHash: base });
  if (moved === 0) throw new OperatorError('FOLLOWER_OVERTAKEN', {});
}

/** Compare and set, as above. */
export async function moveFloor(
  tx: Transaction,
  step: { generation: Generation; base: bigint; floor: bigint; parentHash: Hex },
): Promise<ChainRow> {
  const { generation, base, floor, parentHash } = step;
  return updateChain(
    tx,
    sql`UPDATE chain SET history_floor = ${Number(floor)}, history_hash = ${parentHash}
    WHERE shown = ${generation} AND history_floor = ${Number(base)} RETURNING *`,
  );
}

async function updateChain(tx: Transaction, statement: Sql): Promise<ChainRow> {
  const [row] = await tx.query<ChainRow>(statement);
  if (row === undefined) throw new OperatorError('FOLLOWER_OVERTAKEN', {});
  return row;
}
