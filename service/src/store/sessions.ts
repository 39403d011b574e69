// Sessions as rows: a token by its hash, and the digest of the document that opened it, which works once.

import type { Address } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import type { Hex } from 'viem';
import type { Database } from './database.ts';
import { findRow, hasRow, insertNew, removeSome, updateRows } from './rows.ts';
import { sql } from './sql.ts';

export type NewSession = {
  readonly tokenHash: string;
  readonly digest: Hex;
  readonly wallet: Address;
  readonly createdAt: number;
  readonly expiresAt: number;
};

export type StoredSession = { readonly wallet: Address; readonly expiresAt: number };

export type SessionStore = ReturnType<typeof createSessionStore>;

export function createSessionStore(database: Database) {
  return {
    /** False, and no session, where the digest was used before. */
    saveSession: (session: NewSession): Promise<boolean> =>
      insertNew(database.write, 'sessions', { ...session, wallet: addressKey(session.wallet) }),

    isUsed: (digest: Hex): Promise<boolean> => hasRow(database.query, 'sessions', { digest }),

    loadSession: (tokenHash: string): Promise<StoredSession | undefined> =>
      findRow(database.query, 'sessions', { tokenHash, revokedAt: null }, 'wallet, expires_at'),

    async revokeSession(tokenHash: string, now: number): Promise<void> {
      await updateRows(database.write, 'sessions', { revokedAt: now }, { tokenHash });
    },

    /** Removes some of those that expired before that moment. */
    async forgetSessions(before: number): Promise<void> {
      const isExpired = sql`expires_at < ${before}`;
      await removeSome(database, 'sessions', 'token_hash', isExpired);
    },
  };
}
