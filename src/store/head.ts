// Reads where the follower stands, for those who serve.
import type { Head } from '#domain/follow.ts';
import type { Database } from './database.ts';
import type { ChainRow } from './generation.ts';

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
