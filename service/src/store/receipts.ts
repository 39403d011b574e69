// Receipts that were used: one statement, so that of many who present the same one, one gets in.
import { randomBytes } from 'node:crypto';
import type { Database } from './database.ts';

const rowsAtOnce = 1_000;

export function createReceiptStore(database: Database, identity: string) {
  return {
    /** A random value of this database, made by the first gateway that needs it. */
    async loadReceiptSecret(): Promise<string> {
      const known = 'SELECT value FROM gateway_secrets WHERE name = $1';
      const name = 'receipts';
      const [row] = await database.query<{ value: string }>(known, [name]);
      if (row !== undefined) return row.value;
      await database.write(
        'INSERT INTO gateway_secrets (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING',
        [name, randomBytes(32).toString('hex')],
      );
      const [made] = await database.query<{ value: string }>(known, [name]);
      if (made === undefined) throw new Error('the secret of receipts was not saved');
      return made.value;
    },

    /** Answers whether this was the first use. */
    async spendReceipt(nonce: string, now: number): Promise<boolean> {
      const rows = await database.write(
        `INSERT INTO used_receipts (identity, nonce, used_at) VALUES ($1, $2, $3)
         ON CONFLICT (identity, nonce) DO NOTHING RETURNING nonce`,
        [identity, nonce.toLowerCase(), now],
      );
      return rows.length === 1;
    },

    /** Some of those that were used before that moment. */
    async forgetReceipts(before: number): Promise<void> {
      const some = `SELECT identity, nonce FROM used_receipts WHERE identity = $1 AND used_at < $2 LIMIT ${rowsAtOnce}`;
      // Mostly there is nothing, and then nobody has to wait for a write.
      if ((await database.query(some, [identity, before])).length === 0) return;
      await database.write(`DELETE FROM used_receipts WHERE (identity, nonce) IN (${some})`, [
        identity,
        before,
      ]);
    },
  };
}
