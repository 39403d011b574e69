// Sessions as rows: a token by its hash, and the digest of the document that opened it, which works once.
import { type Address, addressKey, type Hash } from '@svc/sdk/domain';
import type { Database } from './database.ts';

export type NewSession = {
  readonly tokenHash: string;
  readonly digest: Hash;
  readonly wallet: Address;
  readonly createdAt: number;
  readonly expiresAt: number;
};

export type StoredSession = { readonly wallet: Address; readonly expiresAt: number };

export type SessionStore = ReturnType<typeof createSessionStore>;

const rowsAtOnce = 1_000;

export function createSessionStore(database: Database, identity: string) {
  return {
    /** False, and no session, where the digest was used before. */
    async saveSession({ tokenHash, digest, wallet, createdAt, expiresAt }: NewSession): Promise<boolean> {
      const rows = await database.write(
        `INSERT INTO session (identity, token_hash, digest, wallet, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (identity, digest) DO NOTHING RETURNING digest`,
        [identity, tokenHash, digest, addressKey(wallet), createdAt, expiresAt],
      );
      return rows.length === 1;
    },

    async isUsed(digest: Hash): Promise<boolean> {
      const rows = await database.query('SELECT 1 FROM session WHERE identity = $1 AND digest = $2', [
        identity,
        digest,
      ]);
      return rows.length > 0;
    },

    async loadSession(tokenHash: string): Promise<StoredSession | undefined> {
      const [row] = await database.query<StoredSession>(
        `SELECT wallet, expires_at AS "expiresAt" FROM session
         WHERE identity = $1 AND token_hash = $2 AND revoked_at IS NULL`,
        [identity, tokenHash],
      );
      return row;
    },

    async revokeSession(tokenHash: string, now: number): Promise<void> {
      await database.write('UPDATE session SET revoked_at = $3 WHERE identity = $1 AND token_hash = $2', [
        identity,
        tokenHash,
        now,
      ]);
    },

    /** Removes some of those that expired before that moment. */
    async forgetSessions(before: number): Promise<void> {
      const some = `SELECT identity, token_hash FROM session WHERE identity = $1 AND expires_at < $2 LIMIT ${rowsAtOnce}`;
      if ((await database.query(some, [identity, before])).length === 0) return;
      await database.write(`DELETE FROM session WHERE (identity, token_hash) IN (${some})`, [
        identity,
        before,
      ]);
    },
  };
}
