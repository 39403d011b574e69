// Where a database is: the environment by which a process of svc finds it.
import type { Database, DatabaseReport } from '#service/store/database.ts';
import { createPostgresDatabase } from '#service/store/postgres.ts';
import { createSqliteDatabase } from '#service/store/sqlite.ts';

export type DatabasePlace = { readonly SVC_DATA_DIR: string; readonly DATABASE_URL?: string };

export function openDatabase(
  { SVC_DATA_DIR, DATABASE_URL }: DatabasePlace,
  report: DatabaseReport = {},
): Database {
  if (DATABASE_URL !== undefined) return createPostgresDatabase({ ...report, url: DATABASE_URL });
  return createSqliteDatabase(SVC_DATA_DIR, report);
}
