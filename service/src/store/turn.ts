// Locks: transactions that use the same name wait for each other, across processes.
import type { Database, Transaction } from './database.ts';

/** Held until the transaction ends. SQLite already allows only one writer at a time. */
export async function takeTurn(dialect: Database['dialect'], tx: Transaction, name: string): Promise<void> {
  if (dialect === 'sqlite') return;
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
}
