// The database: whether it can be reached, and whether what it holds is whole.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { Config } from '#config.ts';
import { explain, type Finding, fail, ok } from './finding.ts';

export async function checkDatabase({ databaseUrl, dataDir }: Config): Promise<readonly Finding[]> {
  return [
    databaseUrl === undefined
      ? checkSqlite(join(dataDir, 'svc.sqlite'))
      : await checkPostgres(databaseUrl.reveal()),
  ];
}

function checkSqlite(file: string): Finding {
  if (!existsSync(file)) return ok('database', `SQLite in ${file}, made at the first start`);
  try {
    const database = new DatabaseSync(file, { readOnly: true });
    const [row] = database.prepare('PRAGMA quick_check(1)').all();
    database.close();
    if (row?.quick_check === 'ok') return ok('database', `SQLite in ${file} is whole`);
  } catch (error) {
    return fail('database', `${file} cannot be opened (${explain(error)})`, mendSqlite);
  }
  return fail('database', `${file} is damaged`, mendSqlite);
}

const mendSqlite =
  'Restore a backup. Without one: move the file away; tasks are read from the chain again, wallet requests and ' +
  'receipts in it are lost.';

async function checkPostgres(url: string): Promise<Finding> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query(
      "SELECT current_setting('server_version') AS version, has_schema_privilege(current_schema(), 'CREATE') AS may",
    );
    const { version, may } = rows[0] as { version: string; may: boolean };
    if (may) return ok('database', `PostgreSQL ${version} answers`);
    return fail(
      'database',
      `PostgreSQL ${version} lets us make no tables`,
      'Grant CREATE on the schema to this user.',
    );
  } catch (error) {
    const mend = 'Is it running, and are host, user and password in DATABASE_URL right?';
    return fail('database', `PostgreSQL cannot be reached (${explain(error)})`, mend);
  } finally {
    await client.end().catch(() => undefined);
  }
}
