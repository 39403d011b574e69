// Receipts that were used: one statement, so that of many who present the same one, one gets in.
import type { Database } from './database.ts';

export function createReceiptStore(database: Database, identity: string) {
  return {
    /** Answers whether this was the first use. */
    async spendReceipt(nonce: string, now: number): Promise<boolean> {
      const rows = await database.write(
        `INSERT INTO used_receipts (identity, nonce, used_at) VALUES ($1, $2, $3)
         ON CONFLICT (identity, nonce) DO NOTHING RETURNING nonce`,
        [identity, nonce.toLowerCase(), now],
      );
      return rows.length === 1;
    },
  };
}
