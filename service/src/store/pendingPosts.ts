// Recorded posts that the chain has not shown yet, and what is counted of a wallet's day. Never more of them than the
// limit leaves room for, however many requests and processes race: each wallet's take turns in the database.

import type { Address, Market } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import type { ChainEvent } from '@svc/sdk/internal/domain/event';
import { type Day, type PostingCounts, usedOf } from '@svc/sdk/internal/domain/posting';
import type { Hex } from 'viem';
import { shownGeneration } from './chainRow.ts';
import type { Database, Transaction } from './database.ts';
import { type EventRow, parseEventRow } from './eventRows.ts';
import { insertRows, takeTurn } from './rows.ts';

export type Wallet = { readonly market: Market; readonly address: Address };

export type RecordedPost = Wallet & { readonly number: bigint; readonly txHash: Hex };

export type Moment = { readonly now: number; readonly day: Day };

export type SavedPost = {
  /** False where the limit left no room. */
  readonly isSaved: boolean;
  readonly counts: PostingCounts;
};

/** One statement, so that a post on its way from pending to confirmed is counted exactly once. */
const countSql = `
  SELECT (SELECT COUNT(*) FROM tasks WHERE generation = ${shownGeneration(1)} AND market = $2 AND poster = $3
            AND created_at >= $4 AND created_at < $5) AS confirmed,
    COUNT(CASE WHEN seen_block IS NULL THEN 1 END) AS pending,
    COUNT(seen_block) AS arriving,
    MIN(expires_at) AS next_drop_at
  FROM pending_posts
  WHERE identity = $1 AND market = $2 AND address = $3 AND expires_at > $6
    AND (seen_block IS NULL OR seen_block > (SELECT head_number FROM chain WHERE identity = $1))
    AND NOT EXISTS (SELECT 1 FROM tasks WHERE generation = ${shownGeneration(1)} AND market = $2
                      AND number = pending_posts.task_number AND poster = $3)`;

export type PendingPostStore = ReturnType<typeof createPendingPostStore>;

export function createPendingPostStore(database: Database, identity: string) {
  async function count(
    { query }: Pick<Transaction, 'query'>,
    wallet: Wallet,
    moment: Moment,
  ): Promise<PostingCounts> {
    const { now, day } = moment;
    const params = [identity, wallet.market, addressKey(wallet.address), day.start, day.end, now];
    const [row] = await query<PostingCounts>(countSql, params);
    return row as PostingCounts;
  }

  const turns = new Map<string, Promise<unknown>>();

  /** Those of one wallet in this process wait here: waiting in the database, each would hold a connection. */
  function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
    const turn = (turns.get(name) ?? Promise.resolve()).then(work);
    const settled = turn
      .catch(() => undefined)
      .finally(() => turns.get(name) === settled && turns.delete(name));
    turns.set(name, settled);
    return turn;
  }

  return {
    loadCounts: (wallet: Wallet, moment: Moment): Promise<PostingCounts> => count(database, wallet, moment),

    /** The same post again changes nothing; one whose time was up is taken as new. */
    savePending(
      post: RecordedPost,
      { limit, expiresAt, ...moment }: Moment & { readonly limit: number; readonly expiresAt: number },
    ): Promise<SavedPost> {
      const row = buildKey(identity, post);
      const key = Object.values(row);
      const turn = `${identity} ${post.market} ${addressKey(post.address)}`;
      const save = async (tx: Transaction): Promise<SavedPost> => {
        await takeTurn(tx, turn);
        await tx.query(`DELETE FROM pending_posts WHERE ${isPost} AND expires_at <= $6`, [
          ...key,
          moment.now,
        ]);
        const counts = await count(tx, post, moment);
        const known = await tx.query(`SELECT 1 FROM pending_posts WHERE ${isPost}`, key);
        if (known.length > 0) return { isSaved: true, counts };
        if (usedOf(counts) >= limit) return { isSaved: false, counts };
        await insertRows(tx, 'pending_posts', [{ ...row, expiresAt }]);
        return { isSaved: true, counts: await count(tx, post, moment) };
      };
      return inTurn(turn, () => database.transaction(save));
    },

    /** A post that is on the chain in a block which our rows may not show yet: it counts, whatever the limit. */
    async saveArriving(post: RecordedPost, seenBlock: bigint, expiresAt: number): Promise<void> {
      await database.write(
        `INSERT INTO pending_posts (identity, market, address, task_number, tx_hash, expires_at, seen_block)
         VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (identity, market, address, task_number, tx_hash)
         DO UPDATE SET seen_block = excluded.seen_block`,
        [...Object.values(buildKey(identity, post)), expiresAt, Number(seenBlock)],
      );
    },

    /** The log that a task was posted by, as far as our rows know it. */
    async loadPosted(market: Market, number: bigint): Promise<ChainEvent | null> {
      const [row] = await database.query<EventRow>(
        `SELECT * FROM events WHERE generation = ${shownGeneration(1)} AND market = $2 AND task_number = $3
           AND name = 'TaskPosted'`,
        [identity, market, Number(number)],
      );
      return row === undefined ? null : parseEventRow(row);
    },

    /** Transactions that wait to be seen, those first whose time is up first. */
    async loadUnseen(now: number, limit: number): Promise<Hex[]> {
      const rows = await database.query<{ txHash: Hex }>(
        `SELECT tx_hash FROM pending_posts WHERE identity = $1 AND expires_at > $2 AND seen_block IS NULL
         ORDER BY expires_at LIMIT $3`,
        [identity, now, limit],
      );
      return [...new Set(rows.map(({ txHash }) => txHash))];
    },

    async markSeen(txHash: Hex, seenBlock: bigint): Promise<void> {
      await database.write(
        `UPDATE pending_posts SET seen_block = $3 WHERE identity = $1 AND tx_hash = $2 AND seen_block IS NULL`,
        [identity, txHash, Number(seenBlock)],
      );
    },

    /** Lets go of what no longer counts. */
    async sweepPending(now: number): Promise<void> {
      const isOver = `identity = $1 AND (expires_at <= $2
        OR seen_block <= (SELECT head_number FROM chain WHERE identity = $1))`;
      // Mostly there is nothing, and then nobody has to wait for a write.
      const some = await database.query(`SELECT 1 FROM pending_posts WHERE ${isOver} LIMIT 1`, [
        identity,
        now,
      ]);
      if (some.length > 0) await database.write(`DELETE FROM pending_posts WHERE ${isOver}`, [identity, now]);
    },
  };
}

const isPost = 'identity = $1 AND market = $2 AND address = $3 AND task_number = $4 AND tx_hash = $5';

function buildKey(identity: string, { market, address, number, txHash }: RecordedPost) {
  const taskNumber = Number(number);
  return { identity, market, address: addressKey(address), taskNumber, txHash: txHash.toLowerCase() };
}
