// Wallet requests as rows. Every change compares before it sets, so that of two concurrent decisions one wins.

import type { CreateRequest, RequestStatus } from '@svc/sdk/client';
import type { Address } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import type { Hex } from 'viem';
import type { Database } from './database.ts';
import { findRow, insertNew, queryValue, sumOf, updateRows } from './rows.ts';
import type { Migration } from './schema.ts';
import { raw, sql } from './sql.ts';

export const filedStep: Migration = {
  name: 'who filed a request',
  statements: [
    // The wallet of the request, where a session of the same wallet filed it; null for everybody else's.
    'ALTER TABLE wallet_requests ADD COLUMN filed_by TEXT',
    `CREATE INDEX wallet_requests_filed ON wallet_requests (filed_by, expires_at)
      WHERE filed_by IS NOT NULL AND status = 'pending'`,
  ],
};

export type StoredRequest = {
  readonly id: string;
  readonly status: RequestStatus;
  readonly request: CreateRequest;
  readonly transactionHashes: readonly Hex[];
  readonly signature: Hex | null;
  /** Why it failed, or why its owner rejected it. */
  readonly error: string | null;
  /** Unix seconds, as the times below. */
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly updatedAt: number;
};

export type RequestStore = ReturnType<typeof createRequestStore>;

type RequestRow = Omit<StoredRequest, 'request' | 'transactionHashes'> & {
  readonly request: string;
  readonly transactionHashes: string;
};

const columns =
  'id, status, request, transaction_hashes, signature, error, created_at, expires_at, updated_at';

export function createRequestStore(database: Database) {
  return {
    /** False, and no change, where there is one with this id, or an open one that is the same. */
    saveRequest: (
      made: StoredRequest,
      sameAs: string | null = null,
      filedBy: Address | null = null,
    ): Promise<boolean> =>
      insertNew(database.write, 'wallet_requests', {
        ...made,
        sameAs,
        filedBy: filedBy && addressKey(filedBy),
        bytes: Buffer.byteLength(JSON.stringify(made.request)),
        request: JSON.stringify(made.request),
        transactionHashes: JSON.stringify(made.transactionHashes),
      }),

    async loadRequest(id: string): Promise<StoredRequest | undefined> {
      const row = await findRow<RequestRow>(database.query, 'wallet_requests', { id }, columns);
      return row && parseRow(row);
    },

    /** Pending ones that a session of the wallet filed, for its owner to decide; those that end first. */
    async loadFiled(wallet: Address, now: number, limit: number): Promise<StoredRequest[]> {
      const rows = await database.query<RequestRow>(sql`SELECT ${raw(columns)} FROM wallet_requests
        WHERE filed_by = ${addressKey(wallet)} AND status = 'pending' AND expires_at > ${now}
        ORDER BY expires_at, id LIMIT ${limit}`);
      return rows.map(parseRow);
    },

    async loadSame(sameAs: string): Promise<StoredRequest | undefined> {
      const [row] = await database.query<RequestRow>(sql`SELECT ${raw(columns)} FROM wallet_requests
        WHERE same_as = ${sameAs} AND status IN ('pending', 'submitted')`);
      return row && parseRow(row);
    },

    /** Requests that the chain or the clock may have decided: submitted, or past their time. */
    async loadDue(now: number, limit: number): Promise<StoredRequest[]> {
      const rows = await database.query<RequestRow>(sql`SELECT ${raw(columns)} FROM wallet_requests
         WHERE (status = 'submitted' OR (status = 'pending' AND expires_at < ${now}))
         ORDER BY created_at LIMIT ${limit}`);
      return rows.map(parseRow);
    },

    /** Deletes requests that were decided before a time, or that nobody decided until another. */
    async forget(before: number, undecidedBefore: number): Promise<void> {
      await database.write(sql`DELETE FROM wallet_requests WHERE status NOT IN ('pending', 'submitted')
         AND updated_at < CASE WHEN status = 'expired' THEN CAST(${undecidedBefore} AS BIGINT)
         ELSE CAST(${before} AS BIGINT) END`);
    },

    async loadTaken(): Promise<number> {
      const sum = sql`SELECT ${sumOf('bytes')} AS bytes FROM wallet_requests`;
      return (await queryValue<number>(database.query, sum)) ?? 0;
    },

    /** Deletes this many bytes of requests that nobody has decided yet, the largest first: honest users make small ones. */
    async free(bytes: number): Promise<void> {
      await database.write(sql`DELETE FROM wallet_requests WHERE status = 'pending'
        AND id IN (
           SELECT id FROM (
             SELECT id, bytes, SUM(bytes) OVER (ORDER BY bytes DESC, created_at, id) AS freed
             FROM wallet_requests WHERE status = 'pending') AS largest
           WHERE freed - bytes < ${bytes})`);
    },

    /** Compare and set: undefined, and no change, where the stored request is no longer `before`. */
    async changeRequest(
      before: StoredRequest,
      change: Partial<StoredRequest>,
    ): Promise<StoredRequest | undefined> {
      const after = { ...before, ...change };
      const { id, status } = before;
      const isBefore = { id, status, transactionHashes: JSON.stringify(before.transactionHashes) };
      const { signature, error, updatedAt } = after;
      const transactionHashes = JSON.stringify(after.transactionHashes);
      const changes = { status: after.status, transactionHashes, signature, error, updatedAt };
      const changed = await updateRows(database.write, 'wallet_requests', changes, isBefore);
      return changed === 1 ? after : undefined;
    },
  };
}

function parseRow(row: RequestRow): StoredRequest {
  return {
    ...row,
    request: JSON.parse(row.request),
    transactionHashes: JSON.parse(row.transactionHashes),
  };
}
