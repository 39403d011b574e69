// Reads where the follower stands, for those who serve.
import type { Head } from '@svc/sdk/domain';
import type { Database } from './database.ts';
import { type ChainRow, isHistoryWhole } from './generation.ts';

export type FollowState = {
  readonly head: Head;
  /** When the follower wrote it. */
  readonly seenAt: number;
  readonly startBlock: bigint;
  readonly historyFloor: bigint;
};

/** Null until the first read of this very chain is complete: rows of another one are nobody's business. */
export async function loadFollowState(database: Database, identity: string): Promise<FollowState | null> {
  const [row] = await database.query<ChainRow>(
    'SELECT * FROM chain WHERE identity = $1 AND shown IS NOT NULL',
    [identity],
  );
  if (row === undefined) return null;
  return {
    head: { number: BigInt(row.head_number), hash: row.head_hash, time: row.head_time },
    seenAt: row.seen_at,
    startBlock: BigInt(row.start_block),
    historyFloor: BigInt(row.history_floor),
  };
}

/**
 * What `load` finds while the whole history is known, and the same reading of the chain is shown before and after; null
 * otherwise. For sums over events, which over a part of them would be wrong.
 */
export async function loadWhole<T>(
  database: Database,
  identity: string,
  load: () => Promise<T>,
): Promise<T | null> {
  const before = await loadWholeGeneration(database, identity);
  if (before === null) return null;
  const found = await load();
  return (await loadWholeGeneration(database, identity)) === before ? found : null;
}

async function loadWholeGeneration(database: Database, identity: string): Promise<number | null> {
  const [row] = await database.query<ChainRow>('SELECT * FROM chain WHERE identity = $1', [identity]);
  return row === undefined || row.shown === null || !isHistoryWhole(row) ? null : row.shown;
}
