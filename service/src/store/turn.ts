// Turns: transactions that name the same thing wait for each other, in whichever process they are.
import type { Database, Transaction } from './database.ts';

/** Until the transaction ends. SQLite has one writer at a time by itself. */
export async function takeTurn(dialect: Database['dialect'], tx: Transaction, name: string): Promise<void> {
  if (dialect === 'sqlite') return;
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
}
