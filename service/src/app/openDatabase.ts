// Opens the database of a market: PostgreSQL, or SQLite in the data folder.

import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { OperatorError } from '../errors/operatorError.ts';
import type { Database, DatabaseReport } from '../store/database.ts';
import { beginEpoch } from '../store/epoch.ts';
import { migrate, migrations } from '../store/migrate.ts';
import { createPostgresDatabase } from '../store/postgres.ts';
import { createSqliteDatabase, placeSqlite } from '../store/sqlite.ts';

type DatabaseOptions = {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
};

/** How many steps the schema of this version has. */
export const schemaSteps = migrations.own.length + migrations.chain.length;

/** Throws SCHEMA_UNKNOWN where an earlier build left its database. */
export function openDatabase(
  { databaseUrl, dataDir }: DatabaseOptions,
  report: DatabaseReport = {},
): Database {
  if (databaseUrl !== undefined) return createPostgresDatabase({ ...report, url: databaseUrl });
  if (!existsSync(placeSqlite(dataDir).own) && existsSync(join(dataDir, earlierFile)))
    throw new OperatorError('SCHEMA_UNKNOWN', {});
  // It holds wallet requests and receipts, which are private, unlike the rows about the chain.
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  return createSqliteDatabase(dataDir, report);
}

/** Where SQLite keeps the parts, for what looks at the files. */
export const placeDatabase = (dataDir: string) => placeSqlite(dataDir);

/** One file for everything. */
const earlierFile = 'svc.sqlite';

/** Deletes the SQLite database and the uploaded files of a market that starts over; keys, policies and settings stay. */
export function removeMarketData(dataDir: string): void {
  for (const file of [...Object.values(placeSqlite(dataDir)), join(dataDir, earlierFile)])
    for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
  rmSync(join(dataDir, 'files'), { recursive: true, force: true });
}

/** For commands of the operator, which work on the rows of the servers: an empty database of their own would only look like success. */
export async function openOperatorDatabase({ dataDir, databaseUrl }: Config): Promise<Database> {
  const { own: file } = placeSqlite(dataDir);
  if (databaseUrl === undefined && !existsSync(file)) {
    const reason = 'there is none; set SVC_DATA_DIR or DATABASE_URL as the servers have it';
    throw new OperatorError('FILE_UNUSABLE', { file, reason });
  }
  const database = openDatabase({ dataDir, databaseUrl: databaseUrl?.reveal() });
  await migrate(database);
  return database;
}

const backupMark = 'last-backup';

/** The age of this file is that of the last backup, however it was taken. */
export function noteBackup(dataDir: string): void {
  writeFileSync(join(dataDir, backupMark), '');
}

/** In Unix seconds; null where none is known. */
export function readBackupTime(dataDir: string): number | null {
  const found = statSync(join(dataDir, backupMark), { throwIfNoEntry: false });
  return found === undefined ? null : Math.floor(found.mtimeMs / 1_000);
}

/** After a restore; resolves to the first of the new numbers. */
export async function beginNewNumbers(config: Config): Promise<number> {
  const database = await openOperatorDatabase(config);
  return beginEpoch(database, Math.floor(Date.now() / 1_000)).finally(database.close);
}
