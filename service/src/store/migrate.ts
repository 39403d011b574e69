// Brings the database to the newest schema: each step runs once, in the first process that starts.

import { SvcError } from '@svc/sdk/domain';
import { sleep } from '@svc/sdk/internal/domain/backoff';
import { OperatorError } from '../errors/operatorError.ts';
import type { Database, Part } from './database.ts';
import { noteEpoch, raiseChanges } from './epoch.ts';
import { grantsStep } from './grantRows.ts';
import { chainSchema } from './indexedTables.ts';
import { filedStep } from './requests.ts';
import { returnsRow } from './rows.ts';
import { type Migration, ownSchema } from './schema.ts';
import { grantSites } from './siteRole.ts';

export type PartName = 'own' | 'chain';

/** Of each part, in order; the number of a step is its place. */
export const migrations: Readonly<Record<PartName, readonly Migration[]>> = {
  own: [ownSchema, grantsStep, filedStep],
  chain: [chainSchema],
};

const serialType = {
  sqlite: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  postgres: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
} as const;

/** `main` is what SQLite calls the file of `own`. */
const findMigrations = {
  sqlite: (part: PartName) =>
    `SELECT 1 FROM ${part === 'own' ? 'main' : part}.sqlite_master WHERE name = 'migrations'`,
  postgres: (part: string) =>
    `SELECT 1 FROM pg_tables WHERE tablename = 'migrations' AND schemaname = '${part}'`,
} as const;

/** It could not be listened to either: nothing would ever be shown. */
const findStandby = 'SELECT 1 WHERE pg_is_in_recovery()';

/** Any numbers work, as long as every process uses the same ones. */
const advisoryLocks = { own: 7_304_211, chain: 7_304_212 } as const;

/** How long a step waits for a table, while everybody else waits behind it; and the pause in which those pass. */
const tableMs = 2_000;
const passMs = 1_000;
const tableAttempts = 100;

/** Throws SCHEMA_UNKNOWN for a database of an earlier build, and DATABASE_STANDBY for one that takes no writes. */
export async function migrate(database: Database, steps = migrations): Promise<void> {
  const { dialect, query } = database;
  const isStandby = dialect === 'postgres' && (await returnsRow(query, findStandby));
  if (isStandby) throw new OperatorError('DATABASE_STANDBY', {});
  const has = (part: PartName) => returnsRow(query, findMigrations[dialect](part));
  const hadOwn = await has('own');
  // Earlier builds had their tables in the schema that is there from the beginning.
  if (dialect === 'postgres' && !hadOwn && (await returnsRow(query, findMigrations.postgres('public'))))
    throw new OperatorError('SCHEMA_UNKNOWN', {});
  await migratePart(database, 'own', steps);
  // Clients and cursors hold numbers of the changes that were lost with the part: the new ones begin above them.
  const epoch = hadOwn && !(await has('chain')) ? await noteEpoch(database) : null;
  await migratePart(database.chain, 'chain', steps, epoch);
}

async function migratePart(
  part: Part,
  name: PartName,
  steps: typeof migrations,
  epoch: number | null = null,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await migrateOnce(part, name, steps[name], epoch);
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

async function migrateOnce(
  { dialect, transaction }: Part,
  name: PartName,
  steps: readonly Migration[],
  epoch: number | null,
): Promise<void> {
  await transaction(async (tx) => {
    // SQLite's transaction is already exclusive; PostgreSQL needs a lock.
    if (dialect === 'postgres') {
      // A migration, ours or that of another process, may take longer than the usual limits.
      await tx.query('SET LOCAL lock_timeout = 0');
      await tx.query('SET LOCAL statement_timeout = 0');
      await tx.query('SELECT pg_advisory_xact_lock($1)', [advisoryLocks[name]], { isLong: true });
      await tx.query(`SET LOCAL lock_timeout = ${tableMs}`);
    }
    // The role of sites may not create anything, and need not once all steps are done.
    const isOld = await returnsRow(
      tx.query,
      dialect === 'sqlite' ? findMigrations.sqlite('own') : findMigrations.postgres(name),
    );
    if (!isOld) {
      if (dialect === 'postgres') await tx.query(`CREATE SCHEMA IF NOT EXISTS ${name}`);
      await tx.query('CREATE TABLE migrations (id BIGINT PRIMARY KEY, name TEXT NOT NULL)');
    }
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
    if (!isOld && epoch !== null) await raiseChanges(tx, epoch);
    if (dialect === 'postgres') await grantSites(tx, name, done.length < steps.length);
  });
}
