// Brings the database to the newest schema: each numbered step runs once, in the first process that starts.
import type { Database, Transaction } from './database.ts';
import type { Migration } from './migration.ts';
import { projection } from './migrations/001-projection.ts';
import { posting } from './migrations/002-posting.ts';
import { gateway } from './migrations/003-gateway.ts';
import { paymentHolders } from './migrations/004-payment-holders.ts';
import { receiptAges } from './migrations/005-receipt-ages.ts';
import { rendering } from './migrations/006-rendering.ts';
import { relay } from './migrations/007-relay.ts';
import { files } from './migrations/008-files.ts';
import { details } from './migrations/009-details.ts';
import { settlements } from './migrations/010-settlements.ts';
import { boughtLimits } from './migrations/011-bought-limits.ts';
import { webhooks } from './migrations/012-webhooks.ts';
import { idempotency } from './migrations/013-idempotency.ts';
import { search } from './migrations/014-search.ts';
import { recheck } from './migrations/015-recheck.ts';

const migrations: readonly Migration[] = [
  projection,
  posting,
  gateway,
  paymentHolders,
  receiptAges,
  rendering,
  relay,
  files,
  details,
  settlements,
  boughtLimits,
  webhooks,
  idempotency,
  search,
  recheck,
];

const serialType = {
  sqlite: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  postgres: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
} as const;

/** Any number will do, as long as every process takes the same one. */
const advisoryLock = 7_304_211;

export async function migrate(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    // SQLite's transaction is already exclusive; PostgreSQL needs a lock, for CREATE TABLE IF NOT EXISTS races.
    if (database.dialect === 'postgres') {
      // Another process's migration may take longer than the usual lock timeout.
      await tx.query('SET LOCAL lock_timeout = 0');
      await tx.query('SELECT pg_advisory_xact_lock($1)', [advisoryLock]);
    }
    await tx.query('CREATE TABLE IF NOT EXISTS migrations (id BIGINT PRIMARY KEY, name TEXT NOT NULL)');
    const done = await tx.query<{ id: number }>('SELECT id FROM migrations');
    for (const migration of migrations) {
      if (done.some(({ id }) => id === migration.id)) continue;
      await runMigration(tx, migration, serialType[database.dialect]);
    }
  });
}

async function runMigration(tx: Transaction, migration: Migration, serial: string): Promise<void> {
  const statements = [...migration.statements, ...(migration.dialects?.[tx.dialect] ?? [])];
  for (const statement of statements) await tx.query(statement.replace('{serial}', serial));
  await tx.query('INSERT INTO migrations (id, name) VALUES ($1, $2)', [migration.id, migration.name]);
}
