// Sessions as rows: a token by its hash, and the digest of the document that opened it, which works once.

import type { Address } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import type { Hex } from 'viem';
import type { Database } from './database.ts';
import { insertNew, removeSome } from './rows.ts';

export type NewSession = {
  readonly tokenHash: string;
  readonly digest: Hex;
  readonly wallet: Address;
  readonly createdAt: number;
  readonly expiresAt: number;
};

export type StoredSession = { readonly wallet: Address; readonly expiresAt: number };

export type SessionStore = ReturnType<typeof createSessionStore>;

export function createSessionStore(database: Database, identity: string) {
  return {
    /** False, and no session, where the digest was used before. */
    saveSession: (session: NewSession): Promise<boolean> =>
      insertNew(database.write, 'sessions', { identity, ...session, wallet: addressKey(session.wallet) }),

    async isUsed(digest: Hex): Promise<boolean> {
      const rows = await database.query('SELECT 1 FROM sessions WHERE identity = $1 AND digest = $2', [
        identity,
        digest,
      ]);
      return rows.length > 0;
    },

    async loadSession(tokenHash: string): Promise<StoredSession | undefined> {
      const [row] = await database.query<StoredSession>(
        `SELECT wallet, expires_at FROM sessions
         WHERE identity = $1 AND token_hash = $2 AND revoked_at IS NULL`,
        [identity, tokenHash],
      );
      return row;
    },

    async revokeSession(tokenHash: string, now: number): Promise<void> {
      await database.write('UPDATE sessions SET revoked_at = $3 WHERE identity = $1 AND token_hash = $2', [
        identity,
        tokenHash,
        now,
      ]);
    },

    /** Removes some of those that expired before that moment. */
    async forgetSessions(before: number): Promise<void> {
      const expired = { key: 'identity, token_hash', where: 'identity = $1 AND expires_at < $2' };
      await removeSome(database, 'sessions', expired, [identity, before]);
    },
  };
}
