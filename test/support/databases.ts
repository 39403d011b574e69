// Runs the same tests on both databases: SQLite in a temporary folder, and a real PostgreSQL.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Database, DatabaseReport } from '#service/store/database.ts';
import { migrate } from '#service/store/migrate.ts';
import { createPostgresDatabase } from '#service/store/postgres.ts';
import { type DatabasePlace, openDatabase } from './databasePlace.ts';
import { type Postgres, startPostgres } from './postgres.ts';

export type TestDatabases = {
  readonly dialect: Database['dialect'];
  /** An empty database with the newest schema. */
  readonly create: () => Promise<Database>;
  /**
   * Two connections to one database with the newest schema. On SQLite it is one: a second writer would wait for the first by
   * standing still in this very thread.
   */
  readonly createPair: () => Promise<readonly [Database, Database]>;
  /** A place for a database, without schema: the environment by which a process of svc finds it. */
  readonly place: () => Promise<DatabasePlace>;
  /** A place with the newest schema, and a connection to it. */
  readonly createAt: () => Promise<{ readonly at: DatabasePlace; readonly database: Database }>;
  /** Another connection to a place, as another process would have. */
  readonly open: (place: DatabasePlace, report?: DatabaseReport) => Database;
  /** A test on SQLite alone: of a rule whose statements other tests run on both. */
  readonly once: typeof test;
  /** The server of all suites; only on PostgreSQL. */
  readonly server: () => Postgres;
};

/** One for all suites of this process; removed after the last of them. */
let cluster: Promise<Postgres> | undefined;
let suites = 0;
/** A database with the newest schema, to be copied: that is faster than to create the tables again. */
let migrated: Promise<string> | undefined;
/** Copies that earlier tests have used and that are empty again: that is faster still. */
let cleared: string[] = [];

let migratedFolder: Promise<string> | undefined;

async function createMigratedFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const database = openDatabase({ SVC_DATA_DIR: folder });
  await migrate(database);
  await database.close();
  return folder;
}

async function createMigrated(postgres: Postgres): Promise<string> {
  migrated ??= postgres.createDatabase().then(async (url) => {
    const database = openDatabase({ SVC_DATA_DIR: '', DATABASE_URL: url });
    await migrate(database);
    await database.write(splitting);
    await database.write(keeping);
    columns = (await readState(database))?.columns;
    await database.close();
    return url;
  });
  return cleared.pop() ?? postgres.createDatabase(await migrated);
}

const parts = ['own', 'chain'] as const;
const ofEach = (kind: 'table' | 'sequence', work: string, schemas: readonly string[] = parts) =>
  `FOR part, one IN SELECT schemaname, ${kind}name FROM pg_${kind}s WHERE schemaname IN ('${schemas.join("', '")}')
   LOOP ${work} END LOOP;`;
const block = (...works: string[]) =>
  `DO $$ DECLARE part text; one text; hasRows boolean; BEGIN ${works.join(' ')} END $$`;
/** The rows that are there from the beginning, by the names of both. */
const keeping = block(
  'CREATE SCHEMA kept;',
  ofEach(
    'table',
    `EXECUTE format('SELECT EXISTS (SELECT 1 FROM %I.%I)', part, one) INTO hasRows;
     IF hasRows THEN EXECUTE format('CREATE TABLE kept.%I AS TABLE %I.%I', part || '.' || one, part, one); END IF;`,
  ),
);
const clearing = block(
  ofEach('table', `EXECUTE format('DELETE FROM %I.%I', part, one);`),
  ofEach(
    'table',
    `EXECUTE format('INSERT INTO %I.%I SELECT * FROM kept.%I', split_part(one, '.', 1), split_part(one, '.', 2), one);`,
    ['kept'],
  ),
  ofEach('sequence', `EXECUTE format('ALTER SEQUENCE %I.%I RESTART', part, one);`),
);

const roleOf = (part: string) => `svc_test_${part}`;
/** Roles are of the whole server, and rights of each database. */
const splitting = block(
  ...parts.map((part, at) => {
    const [role, other] = [roleOf(part), parts[1 - at]];
    return `IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '${role}') THEN CREATE ROLE ${role} LOGIN PASSWORD 'test'; END IF;
      GRANT USAGE, CREATE ON SCHEMA ${part} TO ${role}; GRANT ALL ON ALL TABLES IN SCHEMA ${part} TO ${role};
      GRANT ALL ON ALL SEQUENCES IN SCHEMA ${part} TO ${role};
      GRANT USAGE ON SCHEMA ${other} TO ${role}; GRANT SELECT ON ALL TABLES IN SCHEMA ${other} TO ${role};`;
  }),
);
const roleUrl = (url: string, part: string) =>
  Object.assign(new URL(url), { username: roleOf(part), password: 'test' }).href;
/** Of the schema with which each begins. */
let columns: number | undefined;

/** Grows with every change of the schema, with every client, and with rows that are no more. */
async function readState(database: Database) {
  const [now] = await database.query<{ columns: number; clients: number; size: number }>(
    `SELECT (SELECT COUNT(*) FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
        WHERE relnamespace IN ('own'::regnamespace, 'chain'::regnamespace)) AS columns,
      (SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database()) AS clients,
      pg_database_size(current_database()) / 1000000 AS size`,
  );
  return now;
}

/** Makes it as it was for the next test, unless that is in doubt. */
async function clear(url: string): Promise<void> {
  const database = openDatabase({ SVC_DATA_DIR: '', DATABASE_URL: url });
  try {
    const now = await readState(database);
    if (now?.columns !== columns || now?.clients !== 1 || now.size > 20) return;
    await database.write(clearing);
    cleared.push(url);
  } finally {
    await database.close();
  }
}

export function onBothDatabases(define: (databases: TestDatabases) => void): void {
  const none = (): never => {
    throw new Error('SQLite has no server');
  };
  describe('on SQLite', () => define({ ...onSqlite(), server: none }));
  describe('on PostgreSQL', () => {
    let postgres: Postgres;
    suites++;
    before(async () => {
      cluster ??= startPostgres();
      postgres = await cluster;
    });
    after(async () => {
      if (--suites > 0) return;
      await (await cluster)?.remove();
      cluster = undefined;
      migrated = undefined;
      cleared = [];
    });
    const createUrl = (isMigrated: boolean) =>
      isMigrated ? createMigrated(postgres) : postgres.createDatabase();
    define({ ...createPlaces('postgres', createUrl, clear), server: () => postgres });
  });
}

/** For tests whose statements others run on both. */
export function onSqlite(): Omit<TestDatabases, 'server'> {
  return createPlaces('sqlite', async () => undefined);
}

/** What a test has opened is closed after it. */
function createPlaces(
  dialect: Database['dialect'],
  createUrl: (isMigrated: boolean) => Promise<string | undefined>,
  giveBack: (url: string) => Promise<void> = async () => undefined,
): Omit<TestDatabases, 'server'> {
  const opened: Database[] = [];
  const folders: string[] = [];
  const used: string[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((database) => database.close()));
    // One that does not answer is not used again.
    await Promise.all(used.splice(0).map((url) => giveBack(url).catch(() => undefined)));
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });

  async function place(isMigrated = false): Promise<DatabasePlace> {
    const SVC_DATA_DIR = mkdtempSync(join(tmpdir(), 'svc-'));
    folders.push(SVC_DATA_DIR);
    const DATABASE_URL = await createUrl(isMigrated);
    if (isMigrated && DATABASE_URL !== undefined) used.push(DATABASE_URL);
    return { SVC_DATA_DIR, ...(DATABASE_URL !== undefined && { DATABASE_URL }) };
  }

  function open(at: DatabasePlace, report?: DatabaseReport): Database {
    const database = openDatabase(at, report);
    opened.push(database);
    return database;
  }

  /** Each part is written by a role that can only read the other one, as SQLite lets it do anyway. */
  function openParts({ DATABASE_URL: url = '' }: DatabasePlace): Database {
    const database = createPostgresDatabase({ url: roleUrl(url, 'own'), chainUrl: roleUrl(url, 'chain') });
    opened.push(database);
    return database;
  }

  async function createAt() {
    const at = await place(true);
    migratedFolder ??= createMigratedFolder();
    if (dialect === 'sqlite') cpSync(await migratedFolder, at.SVC_DATA_DIR, { recursive: true });
    return { at, database: dialect === 'sqlite' ? open(at) : openParts(at) };
  }

  return {
    dialect,
    createAt,
    createPair: async () => {
      const { at, database } = await createAt();
      return [database, dialect === 'sqlite' ? database : openParts(at)];
    },
    once: dialect === 'sqlite' ? test : ((async () => undefined) as unknown as typeof test),
    place: () => place(),
    open,
    create: async () => (await createAt()).database,
  };
}
