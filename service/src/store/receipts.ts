// Receipts that were used: one statement, so that of many who present the same one, one gets in.
import { randomBytes } from 'node:crypto';
import type { Database } from './database.ts';
import { insertNew, keepSecret, removeSome } from './rows.ts';
import { sql } from './sql.ts';

export function createReceiptStore(database: Database) {
  return {
    /** A random value of this database, made by the first gateway that needs it. */
    loadReceiptSecret: (): Promise<string> =>
      keepSecret(database, 'receipts', randomBytes(32).toString('hex')),

    /** Returns whether this was the first use. */
    spendReceipt: (nonce: string, now: number): Promise<boolean> =>
      insertNew(database.write, 'used_receipts', { nonce: nonce.toLowerCase(), usedAt: now }),

    /** Removes some of those that were used before that moment. */
    async forgetReceipts(before: number): Promise<void> {
      const isOld = sql`used_at < ${before}`;
      await removeSome(database, 'used_receipts', 'nonce', isOld);
    },
  };
}
