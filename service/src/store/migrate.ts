// Brings the database to the newest schema: each step runs once, in the first process that starts.

import { SvcError } from '@svc/sdk/domain';
import { sleep } from '@svc/sdk/internal/domain/backoff';
import { OperatorError } from '../errors/operatorError.ts';
import { replacedStep } from './changes.ts';
import { collateralStep } from './collateral.ts';
import { offersStep } from './conversationList.ts';
import type { Database } from './database.ts';
import { epochStep } from './epoch.ts';
import { grantsStep } from './grantRows.ts';
import { ledgerStep } from './ledgerRows.ts';
import { boundedStep, movesByTaskStep } from './moves.ts';
import { noHalfStep, unansweredStep } from './noticeRows.ts';
import { paymentLedgerStep, paymentPapersStep } from './paymentLedger.ts';
import { paymentNamesStep } from './paymentNames.ts';
import { requestBytesStep, sameRequestStep } from './requests.ts';
import { returnsRow } from './rows.ts';
import { firstSchema, type Migration } from './schema.ts';
import { grantSites } from './siteRole.ts';
import { arbitratorsStep } from './standing.ts';

/** In order; the number of a step is its place. */
export const migrations: readonly Migration[] = [
  firstSchema,
  paymentLedgerStep,
  requestBytesStep,
  epochStep,
  paymentNamesStep,
  movesByTaskStep,
  offersStep,
  replacedStep,
  unansweredStep,
  collateralStep,
  arbitratorsStep,
  sameRequestStep,
  ledgerStep,
  paymentPapersStep,
  noHalfStep,
  boundedStep,
  grantsStep,
];

const serialType = {
  sqlite: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  postgres: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
} as const;

const findMigrations = {
  sqlite: `SELECT 1 FROM sqlite_master WHERE name = 'migrations'`,
  postgres: `SELECT 1 FROM pg_tables WHERE tablename = 'migrations' AND schemaname = current_schema()`,
} as const;

/** It could not be listened to either: nothing would ever be shown. */
const findStandby = 'SELECT 1 WHERE pg_is_in_recovery()';

/** Any number works, as long as every process uses the same one. */
const advisoryLock = 7_304_211;

/** How long a step waits for a table, while everybody else waits behind it; and the pause in which those pass. */
const tableMs = 2_000;
const passMs = 1_000;
const tableAttempts = 100;

/** Throws SCHEMA_UNKNOWN for a database of a build before 0.1, and DATABASE_STANDBY for one that takes no writes. */
export async function migrate(database: Database, steps = migrations): Promise<void> {
  const isStandby = database.dialect === 'postgres' && (await returnsRow(database.query, findStandby));
  if (isStandby) throw new OperatorError('DATABASE_STANDBY', {});
  for (let attempt = 1; ; attempt++) {
    try {
      return await migrateOnce(database, steps);
    } catch (error) {
      if (!isTableTaken(error) || attempt === tableAttempts) throw error;
      await sleep(passMs);
    }
  }
}

/** PostgreSQL's lock_not_available: old processes, or a report, use the table that a step changes. */
function isTableTaken(error: unknown): boolean {
  return error instanceof SvcError && (error.cause as { readonly code?: unknown } | null)?.code === '55P03';
}

async function migrateOnce(database: Database, steps: readonly Migration[]): Promise<void> {
  const { dialect } = database;
  await database.transaction(async (tx) => {
    // SQLite's transaction is already exclusive; PostgreSQL needs a lock.
    if (dialect === 'postgres') {
      // A migration, ours or that of another process, may take longer than the usual limits.
      await tx.query('SET LOCAL lock_timeout = 0');
      await tx.query('SET LOCAL statement_timeout = 0');
      await tx.query('SELECT pg_advisory_xact_lock($1)', [advisoryLock], { isLong: true });
      await tx.query(`SET LOCAL lock_timeout = ${tableMs}`);
    }
    // The role of sites may not create anything, and need not once all steps are done.
    if (!(await returnsRow(tx.query, findMigrations[dialect])))
      await tx.query('CREATE TABLE migrations (id BIGINT PRIMARY KEY, name TEXT NOT NULL)');
    const done = await tx.query<{ name: string }>('SELECT name FROM migrations ORDER BY id');
    // A newer version may have added steps: during a rolling upgrade both use one database.
    const isKnown = steps.every(({ name }, at) => at >= done.length || done[at]?.name === name);
    if (!isKnown) throw new OperatorError('SCHEMA_UNKNOWN', {});
    for (const [at, { name, statements, dialects }] of steps.entries()) {
      if (at < done.length) continue;
      for (const statement of [...statements, ...(dialects?.[dialect] ?? [])])
        await tx.query(statement.replace('{serial}', serialType[dialect]), [], { isLong: true });
      await tx.query('INSERT INTO migrations (id, name) VALUES ($1, $2)', [at + 1, name]);
    }
    if (dialect === 'postgres' && steps === migrations) await grantSites(tx, done.length < steps.length);
  });
}
