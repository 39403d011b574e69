// Runs the same tests on both databases: SQLite in a temporary folder, and a real PostgreSQL.
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Database, DatabaseReport } from '#service/store/database.ts';
import { migrate } from '#service/store/migrate.ts';
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

let migratedFile: Promise<string> | undefined;

async function createMigratedFile(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const database = openDatabase({ SVC_DATA_DIR: folder });
  await migrate(database);
  await database.close();
  return join(folder, 'svc.sqlite');
}

async function createMigrated(postgres: Postgres): Promise<string> {
  migrated ??= postgres.createDatabase().then(async (url) => {
    const database = openDatabase({ SVC_DATA_DIR: '', DATABASE_URL: url });
    await migrate(database);
    await database.close();
    return url;
  });
  return postgres.createDatabase(await migrated);
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
    });
    const createUrl = (isMigrated: boolean) =>
      isMigrated ? createMigrated(postgres) : postgres.createDatabase();
    define({ ...createPlaces('postgres', createUrl), server: () => postgres });
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
): Omit<TestDatabases, 'server'> {
  const opened: Database[] = [];
  const folders: string[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((database) => database.close()));
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });

  async function place(isMigrated = false): Promise<DatabasePlace> {
    const SVC_DATA_DIR = mkdtempSync(join(tmpdir(), 'svc-'));
    folders.push(SVC_DATA_DIR);
    const DATABASE_URL = await createUrl(isMigrated);
    return { SVC_DATA_DIR, ...(DATABASE_URL !== undefined && { DATABASE_URL }) };
  }

  function open(at: DatabasePlace, report?: DatabaseReport): Database {
    const database = openDatabase(at, report);
    opened.push(database);
    return database;
  }

  async function createAt() {
    const at = await place(true);
    migratedFile ??= createMigratedFile();
    if (dialect === 'sqlite') copyFileSync(await migratedFile, join(at.SVC_DATA_DIR, 'svc.sqlite'));
    return { at, database: open(at) };
  }

  return {
    dialect,
    createAt,
    createPair: async () => {
      const { at, database } = await createAt();
      return [database, dialect === 'sqlite' ? database : open(at)];
    },
    once: dialect === 'sqlite' ? test : ((async () => undefined) as unknown as typeof test),
    place: () => place(),
    open,
    create: async () => (await createAt()).database,
  };
}
