// The one row about the chain: which generation is shown, and where it stands. Every write
// of the indexer begins with an update of this row, which locks it: of two indexers that build on the same state, one wins.

import type { Market } from '@svc/sdk/domain';
import type { Hex } from 'viem';
import { OperatorError } from '../errors/operatorError.ts';
import type { Query, Transaction } from './database.ts';
import { queryValue, updateRows } from './rows.ts';
import { raw, type Sql, sql } from './sql.ts';

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

/** The generation whose rows are shown. */
export const shownGeneration: Sql = raw('(SELECT shown FROM chain)');

/** The condition that a row about a task is of this market and shown. */
export function ofMarket(market: Market): Sql {
  return sql`generation = ${shownGeneration} AND market = ${market}`;
}

/** Whether every event since the deployment is known. */
export function isHistoryWhole({
  historyFloor,
  startBlock,
}: Pick<ChainRow | Shown, 'historyFloor' | 'startBlock'>) {
  return historyFloor <= startBlock;
}

/** Null until the first read of the chain is complete. */
export async function loadShown({ query }: Source): Promise<Shown | null> {
  const [row] = await query<ChainRow>('SELECT * FROM chain');
  return row === undefined ? null : parseShown(row);
}

/** The generation that is shown, if the whole history is known. */
export async function loadWholeGeneration(source: Source): Promise<Generation | null> {
  const shown = await loadShown(source);
  return shown !== null && isHistoryWhole(shown) ? shown.generation : null;
}

export async function isHistoryComplete(source: Source): Promise<boolean> {
  return (await loadWholeGeneration(source)) !== null;
}

/**
 * What `load` finds while the whole history is known and the same reading of the chain is shown before and after; null
 * otherwise. For sums over events, which over a part of them would be wrong.
 */
export async function loadWhole<T>(source: Source, load: () => Promise<T>): Promise<T | null> {
  const before = await loadWholeGeneration(source);
  if (before === null) return null;
  const found = await load();
  return (await loadWholeGeneration(source)) === before ? found : null;
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

export async function beginGeneration(tx: Transaction): Promise<Generation> {
  const generation = await queryValue<number>(
    tx.query,
    `INSERT INTO chain (id, generation) VALUES (1, 1)
      ON CONFLICT (id) DO UPDATE SET generation = chain.generation + 1 RETURNING generation`,
  );
  return generation as Generation;
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
