// Recorded posts that the chain has not shown yet, and what is counted of a wallet's day. Never more of them than the
// limit leaves room for, however many requests and processes race: each wallet's take turns in the database. A post that
// the mempool shows is in pending_posts and counts for everyone; one that nothing proves is in unproven_posts and counts for
// the caller that recorded it, so that nobody can use up the quota of a wallet of others.

import type { Address, Market } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import type { ChainEvent } from '@svc/sdk/internal/domain/event';
import { type Day, type PostingCounts, usedOf } from '@svc/sdk/internal/domain/posting';
import type { Hex } from 'viem';
import { isWhole } from './chainRow.ts';
import type { Database, Transaction } from './database.ts';
import { queryEvents } from './eventRows.ts';
import {
  hasRow,
  insertNew,
  insertRows,
  matchRow,
  queryColumn,
  returnsRow,
  takeTurn,
  updateRows,
} from './rows.ts';
import { type Param, raw, type Sql, sql } from './sql.ts';

export type Wallet = { readonly market: Market; readonly address: Address };

/** A wallet as one caller sees it: with the posts that this caller has recorded. */
export type AskedWallet = Wallet & { readonly caller: string };

export type RecordedPost = AskedWallet & { readonly number: bigint; readonly txHash: Hex };

export type Moment = { readonly now: number; readonly day: Day };

export type SavedPost = {
  /** False where the limit left no room. */
  readonly isSaved: boolean;
  /** When the caller, who has recorded too many posts that nothing proves, may record another one. */
  readonly callerFreeAt?: number;
  readonly counts: PostingCounts;
};

export type SaveOptions = Moment & {
  readonly limit: number;
  readonly expiresAt: number;
  /** Whether the mempool shows a post of this wallet. */
  readonly isProven: boolean;
};

/** Posts of one caller, for all wallets together, that nothing proves. */
const maxUnprovenOfCaller = 100;

/** What is asked of a wallet, by the names that a statement has for it. */
export function nameAsked({ market, address, caller }: AskedWallet, { now, day }: Moment) {
  return { market, poster: addressKey(address), caller, now, since: day.start, until: day.end };
}

/** One statement, so that a post on its way from pending to confirmed is counted exactly once. `asked` are values or columns. */
export function countPosts({
  market,
  poster,
  caller,
  now,
  since,
  until,
}: Record<keyof ReturnType<typeof nameAsked>, Param | Sql>): Sql {
  const ofWallet = sql`market = ${market} AND address = ${poster}
    AND expires_at > ${now}`;
  const ofMarket = sql`${isWhole} AND market = ${market}`;
  return sql`
    SELECT (SELECT COUNT(*) FROM tasks WHERE ${ofMarket} AND poster = ${poster}
              AND created_at >= ${since} AND created_at < ${until}) AS confirmed,
      COUNT(CASE WHEN seen_block IS NULL THEN 1 END) AS pending, COUNT(seen_block) AS arriving,
      MIN(expires_at) AS next_drop_at
    FROM (
      SELECT task_number, expires_at, seen_block FROM pending_posts WHERE ${ofWallet}
      UNION ALL
      SELECT task_number, expires_at, seen_block FROM unproven_posts AS own WHERE ${ofWallet} AND caller = ${caller}
        AND NOT EXISTS (SELECT 1 FROM pending_posts AS proven
          WHERE ${ofWallet} AND proven.task_number = own.task_number AND proven.tx_hash = own.tx_hash) ) AS waiting
    WHERE (seen_block IS NULL OR seen_block > (SELECT head_number FROM chain))
      AND NOT EXISTS (SELECT 1 FROM tasks WHERE ${ofMarket} AND number = waiting.task_number AND poster = ${poster})`;
}

export type PendingPostStore = ReturnType<typeof createPendingPostStore>;

export function createPendingPostStore(database: Database) {
  async function count({ query }: Transaction, wallet: AskedWallet, moment: Moment): Promise<PostingCounts> {
    const [row] = await query<PostingCounts>(countPosts(nameAsked(wallet, moment)));
    return row as PostingCounts;
  }

  /** Null where the caller may record another post that nothing proves. */
  async function findFreeAt({ query }: Transaction, caller: string, now: number): Promise<number | null> {
    const [row] = await query<{ posts: number; freeAt: number | null }>(sql`SELECT COUNT(*) AS posts,
      MIN(expires_at) AS free_at FROM unproven_posts
       WHERE caller = ${caller} AND expires_at > ${now}`);
    return row !== undefined && row.posts >= maxUnprovenOfCaller ? row.freeAt : null;
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
    /**
     * The same post again changes nothing; one whose time was up is taken as new. A transaction that the mempool shows posts one
     * task, so the number that was told last replaces another.
     */
    savePending(
      post: RecordedPost,
      { limit, expiresAt, isProven, ...moment }: SaveOptions,
    ): Promise<SavedPost> {
      const { caller } = post;
      const row = { ...buildKey(post), ...(!isProven && { caller }) };
      const { taskNumber, ...transaction } = row;
      const table = isProven ? 'pending_posts' : 'unproven_posts';
      const turn = `posts ${post.market} ${addressKey(post.address)}`;
      const save = async (tx: Transaction): Promise<SavedPost> => {
        await takeTurn(tx, turn);
        await tx.query(sql`DELETE FROM ${raw(table)} WHERE ${matchRow(isProven ? transaction : row)}
          AND (expires_at <= ${moment.now} OR task_number <> ${taskNumber})`);
        const counts = await count(tx, post, moment);
        if (await hasRow(tx.query, table, row)) return { isSaved: true, counts };
        if (usedOf(counts) >= limit) return { isSaved: false, counts };
        const callerFreeAt = isProven ? null : await findFreeAt(tx, caller, moment.now);
        if (callerFreeAt !== null) return { isSaved: false, callerFreeAt, counts };
        await insertRows(tx, table, [{ ...row, expiresAt }]);
        return { isSaved: true, counts: await count(tx, post, moment) };
      };
      return inTurn(turn, () => database.transaction(save));
    },

    /** A post that is on the chain in a block which our rows may not show yet: it counts, whatever the limit, on its day. */
    async saveArriving(post: RecordedPost, seenBlock: bigint, expiresAt: number): Promise<void> {
      const row = { ...buildKey(post), expiresAt, seenBlock: Number(seenBlock) };
      const key = ['market', 'address', 'task_number', 'tx_hash'];
      await insertNew(database.write, 'pending_posts', row, { key, updated: ['seen_block', 'expires_at'] });
    },

    /** The log that a task was posted by, as far as our rows know it. */
    async loadPosted(market: Market, number: bigint): Promise<ChainEvent | null> {
      const where = sql`market = ${market} AND task_number = ${Number(number)} AND name = 'TaskPosted'`;
      return (await queryEvents(database, where))[0] ?? null;
    },

    /** Transactions that wait to be seen, those first whose time is up first. */
    async loadUnseen(now: number, limit: number): Promise<Hex[]> {
      const isWaiting = sql`expires_at > ${now} AND seen_block IS NULL`;
      const waiting = sql`SELECT tx_hash, expires_at FROM pending_posts WHERE ${isWaiting}
        UNION ALL SELECT tx_hash, expires_at FROM unproven_posts WHERE ${isWaiting}
        ORDER BY expires_at LIMIT ${limit}`;
      return [...new Set(await queryColumn<Hex>(database.query, waiting))];
    },

    async markSeen(txHash: Hex, seenBlock: bigint): Promise<void> {
      const unseen = { txHash, seenBlock: null };
      for (const table of tables)
        await updateRows(database.write, table, { seenBlock: Number(seenBlock) }, unseen);
    },

    /** Deletes what no longer counts. */
    async sweepPending(now: number): Promise<void> {
      const isOver = sql`(expires_at <= ${now}
        OR seen_block <= (SELECT head_number FROM chain))`;
      for (const table of tables) {
        // Usually there is nothing to delete, and then no write has to wait.
        const some = sql`SELECT 1 FROM ${raw(table)} WHERE ${isOver} LIMIT 1`;
        if (await returnsRow(database.query, some))
          await database.write(sql`DELETE FROM ${raw(table)} WHERE ${isOver}`);
      }
    },
  };
}

const tables = ['pending_posts', 'unproven_posts'] as const;

function buildKey({ market, address, number, txHash }: RecordedPost) {
  const taskNumber = Number(number);
  return { market, address: addressKey(address), taskNumber, txHash: txHash.toLowerCase() };
}
