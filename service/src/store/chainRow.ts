// The one row about the chain: whether its rows are shown, and where they end. Every write
// of the indexer begins with an update of this row, which locks it: of two indexers that build on the same state, one wins.

import type { Market } from '@svc/sdk/domain';
import type { Hex } from 'viem';
import { OperatorError } from '../errors/operatorError.ts';
import type { Query, Transaction } from './database.ts';
import { updateRows } from './rows.ts';
import { raw, type Sql, sql } from './sql.ts';

export type BlockRef = { readonly number: bigint; readonly hash: Hex };

/** The place of a log on the chain. */
export type LogPlace = { readonly blockNumber: bigint; readonly logIndex: number };

export type Head = BlockRef & { readonly time: number };

/** The rows that are visible to readers. */
export type Shown = {
  readonly head: Head;
  /** When the indexer wrote the head. */
  readonly seenAt: number;
  readonly startBlock: bigint;
};

export type ChainRow = {
  /** 1 once the first reading is whole. */
  isWhole: number;
  startBlock: number;
  headNumber: number;
  headHash: Hex;
  headTime: number;
  seenAt: number;
  course: string | null;
};

type Source = { readonly query: Query };

/** The condition that rows are shown. */
export const isWhole: Sql = raw('(SELECT is_whole FROM chain) = 1');

/** The condition that a row about a task is of this market and shown. */
export function ofMarket(market: Market): Sql {
  return sql`${isWhole} AND market = ${market}`;
}

/** Null until the first read of the chain is complete. */
export async function loadShown({ query }: Source): Promise<Shown | null> {
  const [row] = await query<ChainRow>('SELECT * FROM chain');
  return row === undefined ? null : parseShown(row);
}

/** Whether the first reading is whole. */
export async function isShown(source: Source): Promise<boolean> {
  return (await loadShown(source)) !== null;
}

/** Blocks come every two seconds, and a reading takes a fraction of one. */
const readings = 3;

/**
 * What `load` finds in the rows of one block, with that block; null while none are shown. Only where blocks come faster than
 * it loads may a part of it be of a later one.
 */
export async function loadAtOneBlock<T>(
  source: Source,
  load: (shown: Shown) => Promise<T>,
): Promise<{ readonly found: T; readonly head: Head } | null> {
  for (let reading = 1; ; reading++) {
    const shown = await loadShown(source);
    if (shown === null) return null;
    const found = await load(shown);
    const after = await loadShown(source);
    if (after === null) return null;
    if (after.head.hash === shown.head.hash || reading === readings) return { found, head: shown.head };
  }
}

function parseShown(row: ChainRow): Shown | null {
  if (row.isWhole === 0) return null;
  return {
    head: { number: BigInt(row.headNumber), hash: row.headHash, time: row.headTime },
    seenAt: row.seenAt,
    startBlock: BigInt(row.startBlock),
  };
}

function headColumns({ number, hash, time }: Head) {
  return { headNumber: Number(number), headHash: hash, headTime: time };
}

/** Compare and set: throws FOLLOWER_OVERTAKEN where the stored head is not `base`. */
export async function moveHead(
  tx: Transaction,
  { base, head }: { readonly base: Hex; readonly head: Head },
  seenAt: number,
): Promise<void> {
  const changes = { ...headColumns(head), seenAt };
  const moved = await updateRows(tx.query, 'chain', changes, { isWhole: 1, headHash: base });
  if (moved === 0) throw new OperatorError('FOLLOWER_OVERTAKEN', {});
}
