// The block list of the operator: files and documents that are not served.
import type { Database } from './database.ts';
import { projectionChannel } from './projection.ts';
import { hasRow, matchRow, queryValue } from './rows.ts';
import { type Sql, sql } from './sql.ts';

/** A file by its SHA-256 (64 digits), a document by its keccak-256 (0x and 64 digits), all that a wallet publishes. */
export type WithheldKind = 'file' | 'document' | 'wallet';

export type Withheld = {
  readonly kind: WithheldKind;
  readonly hash: string;
  readonly reason: string;
  readonly since: number;
};

export type WithheldStore = ReturnType<typeof createWithheldStore>;

export function createWithheldStore(database: Database) {
  /** Replies that show a document are cached until their market changes. */
  async function change(statement: Sql): Promise<number> {
    return database.transaction(async (tx) => {
      const rows = await tx.query(statement);
      await tx.query('UPDATE withheld_version SET version = version + 1');
      await tx.notify(projectionChannel);
      return rows.length;
    });
  }

  return {
    isWithheld: (kind: WithheldKind, hash: string): Promise<boolean> =>
      hasRow(database.query, 'withheld_hashes', { kind, hash: hash.toLowerCase() }),

    /** Why what a wallet publishes is not shown: one document, or all of the wallet; null where it is shown. */
    async findReason(wallet: string, documentHash: string): Promise<string | null> {
      const found = sql`SELECT reason FROM withheld_hashes WHERE kind = 'wallet' AND hash = ${wallet.toLowerCase()}
        OR kind = 'document' AND hash = ${documentHash.toLowerCase()} LIMIT 1`;
      return (await queryValue<string>(database.query, found)) ?? null;
    },

    async withhold({ kind, hash, reason, since }: Withheld): Promise<void> {
      await change(sql`INSERT INTO withheld_hashes (kind, hash, reason, since)
        VALUES (${kind}, ${hash.toLowerCase()}, ${reason}, ${since})
        ON CONFLICT (kind, hash) DO UPDATE SET reason = excluded.reason`);
    },

    /** Resolves to whether it was withheld. */
    async restore(kind: WithheldKind, hash: string): Promise<boolean> {
      const isIt = matchRow({ kind, hash: hash.toLowerCase() });
      return (await change(sql`DELETE FROM withheld_hashes WHERE ${isIt} RETURNING hash`)) > 0;
    },

    async listWithheld(): Promise<Withheld[]> {
      return database.query<Withheld>(
        'SELECT kind, hash, reason, since FROM withheld_hashes ORDER BY since, hash',
      );
    },
  };
}
