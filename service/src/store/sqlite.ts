// SQLite through node:sqlite: a file for each part, one connection that writes each, and one that only reads both.
import { EventEmitter } from 'node:events';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { SvcError } from '@svc/sdk/domain';
import {
  buildRow,
  type Database,
  type DatabaseReport,
  type Query,
  type Row,
  type Transaction,
  type TransactionOptions,
  toCamel,
} from './database.ts';
import { type Param, type Sql, toStatement } from './sql.ts';

/** How often to check for writes of other processes; a write in this process is announced immediately. */
const watchIntervalMs = 100;
/** How long a statement waits for another process's transaction. */
const busyTimeoutMs = 5_000;
/**
 * A fixed share of memory whatever the file's size: the upper levels of all indexes of a million tasks. The rest is
 * left to the system's own cache, which is not this process's memory.
 */
const readCacheKib = 32 * 1024;
const writeCacheKib = 16 * 1024;
/** The log is cut back to this after each checkpoint. */
const journalLimitBytes = 64 * 1024 * 1024;
/** How long queries may take before the process does its other work. */
const turnMs = 8;
/** Four times the default: a page that changes often, such as the end of an index, is copied into the file less often. */
const checkpointPages = 4_000;

type OnError = (error: unknown) => void;

/** Where the parts are, in the folder of a market. The file of `chain` has a number, because a rebuild makes the next one. */
export function placeSqlite(folder: string) {
  return { own: join(folder, 'own.sqlite'), chain: join(folder, 'index-1.sqlite') };
}

export function createSqliteDatabase(folder: string, { onError }: DatabaseReport = {}): Database {
  const noteError: OnError = (error) => {
    if (findReason(error) !== undefined) onError?.('not_writable', error);
    else if (isSqliteError(error)) onError?.('refused', error);
  };
  const place = placeSqlite(folder);
  const turns = createTurns();
  const notices = new EventEmitter();
  notices.setMaxListeners(0);
  const shared = { turns, notices, noteError };
  const chain = createWriter(place.chain, openWriter(place.chain), shared);
  // Of the part that it does not write it can only read.
  const own = createWriter(place.own, attachChain(openWriter(place.own), place.chain), shared);
  const reader = attachChain(openReader(place.own), place.chain);
  const watcher = watchOtherProcesses(reader, notices);
  const query = createQuery(reader, turns, noteError);
  const writers = [own, chain];

  return {
    dialect: 'sqlite',
    query,
    write: own.write,
    transaction: own.transaction,
    chain: { dialect: 'sqlite', query, write: chain.write, transaction: chain.transaction },
    async listen(channel, onNotice) {
      notices.on(channel, onNotice);
      notices.on(anyChannel, onNotice);
      return async () => {
        notices.off(channel, onNotice);
        notices.off(anyChannel, onNotice);
      };
    },
    // One connection reads, without waiting; one writes each part.
    load: () => {
      const counts = writers.map(({ transactions }) => transactions());
      const busy = counts.filter((count) => count > 0).length;
      return {
        idle: 1 + writers.length - busy,
        busy,
        waiting: counts.reduce((sum, count) => sum + Math.max(0, count - 1), 0),
      };
    },
    async close() {
      clearInterval(watcher);
      for (const { queue } of writers) await queue();
      await turns.end();
      for (const { disk } of writers) await disk.close();
      reader.database.close();
      // The last connection to a file cuts its log back, which one that only reads cannot.
      for (const { connection } of writers) connection.database.close();
    },
  };
}

type Shared = { readonly turns: Turns; readonly notices: EventEmitter; readonly noteError: OnError };

/** The one connection of this process that writes into this file. */
function createWriter(path: string, connection: Connection, { notices, noteError }: Omit<Shared, 'turns'>) {
  const disk = createDiskWait(`${path}-wal`);
  let queue: Promise<unknown> = Promise.resolve();
  let transactions = 0;

  /** Transactions take turns: an await inside one must not let another statement slip into it. */
  async function transaction<T>(
    work: (tx: Transaction) => Promise<T>,
    { isProvisional = false }: TransactionOptions = {},
  ): Promise<T> {
    transactions++;
    const turn = queue.then(() => runTransaction(connection, work)).finally(() => transactions--);
    queue = turn.catch(() => undefined);
    try {
      const { result, channels } = await turn;
      if (!isProvisional) await disk.wait();
      for (const channel of channels) notices.emit(channel);
      return result;
    } catch (error) {
      noteError(error);
      return explain(error);
    }
  }

  return {
    connection,
    disk,
    transaction,
    write: (<T extends Row>(sql: string | Sql, params?: readonly Param[]) =>
      transaction((tx) => tx.query<T>(sql, params))) as Query,
    queue: () => queue,
    transactions: () => transactions,
  };
}

const anyChannel = '*';

/** SQLITE_BUSY, READONLY, IOERR and FULL; the lower eight bits are the kind of an error. Then those of the file system. */
const refusals: Readonly<Record<number | string, string>> = {
  EIO: 'its disk does not work',
  ENOSPC: 'its disk is full',
  5: 'another process has been writing for too long',
  8: 'it is read-only',
  10: 'its disk does not work',
  13: 'its disk is full',
};

type SqliteError = { readonly errcode: number };

function isSqliteError(error: unknown): error is SqliteError {
  return typeof (error as Partial<SqliteError>).errcode === 'number';
}

function findReason(error: unknown): string | undefined {
  return refusals[
    isSqliteError(error) ? error.errcode & 0xff : ((error as NodeJS.ErrnoException).code ?? '')
  ];
}

function explain(error: unknown): never {
  const reason = findReason(error);
  throw reason === undefined ? error : new SvcError('STORE_NOT_WRITABLE', { reason }, error);
}

type Connection = { readonly database: DatabaseSync; readonly statements: Map<string, Prepared> };

type Prepared = { readonly statement: StatementSync; readonly names: readonly string[] };

function openWriter(path: string): Connection {
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
  // Checkpoints happen on this connection; NORMAL leaves the wait for the disk after a commit to us (createDiskWait).
  database.exec(
    `PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;
     PRAGMA cache_size = -${writeCacheKib}; PRAGMA journal_size_limit = ${journalLimitBytes};
     PRAGMA wal_autocheckpoint = ${checkpointPages}`,
  );
  return { database, statements: new Map() };
}

/**
 * Waits until what has been committed is on the disk. SQLite would wait in the commit, and every reader of the process with
 * it. Commits that come while the disk is busy share the next wait.
 */
function createDiskWait(logPath: string) {
  let log: FileHandle | undefined;
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  async function sync(): Promise<void> {
    next = undefined;
    log ??= await open(logPath, 'r+');
    await log.datasync();
  }

  function wait(): Promise<void> {
    if (next === undefined) {
      next = running.catch(() => undefined).then(sync);
      running = next;
    }
    return next;
  }

  return {
    wait,
    async close(): Promise<void> {
      await running.catch(() => undefined);
      await log?.close();
    },
  };
}

/** Read-only, so that a statement which writes cannot be sent here by mistake. */
function openReader(path: string): Connection {
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs, readOnly: true });
  database.exec(`PRAGMA cache_size = -${readCacheKib}`);
  return { database, statements: new Map() };
}

/** Names of tables are looked up in the file itself first, then in the attached one. */
function attachChain(connection: Connection, path: string): Connection {
  const url = pathToFileURL(path);
  url.searchParams.set('mode', 'ro');
  connection.database.prepare('ATTACH ? AS chain').run(url.href);
  return connection;
}

async function runTransaction<T>(connection: Connection, work: (tx: Transaction) => Promise<T>) {
  const channels = new Set<string>();
  connection.database.exec('BEGIN IMMEDIATE');
  try {
    const result = await work({
      dialect: 'sqlite',
      // Without turns: other connections of this process would wait for the lock, in the one thread that has to release it.
      query: createQuery(connection, null),
      notify: async (channel) => void channels.add(channel),
    });
    connection.database.exec('COMMIT');
    return { result, channels };
  } catch (error) {
    // A full disk can end the transaction; then there is nothing left to roll back.
    if (connection.database.isTransaction) connection.database.exec('ROLLBACK');
    throw error;
  }
}

/**
 * Statements run in this thread and resolve without leaving it, so a caller that reads in a loop would stop everything else.
 * Each statement therefore waits until the event loop has done its other work, once statements have taken `turnMs`.
 */
function createTurns() {
  let began: number | null = null;
  let waiting = 0;

  function begin(): void {
    if (began !== null) return;
    began = performance.now();
    // Registered before anyone waits, so that a new turn has begun when those who wait go on.
    setImmediate(() => {
      began = null;
    });
  }

  const isOver = () => began !== null && performance.now() - began >= turnMs;

  async function wait(): Promise<void> {
    waiting++;
    while (isOver()) await nextTurn();
    waiting--;
    begin();
  }

  return {
    /** Null where there is nothing to wait for. */
    take(): Promise<void> | null {
      if (isOver()) return wait();
      begin();
      return null;
    },
    /** After the statements that wait. */
    async end(): Promise<void> {
      while (waiting > 0) await nextTurn();
    },
  };
}

type Turns = ReturnType<typeof createTurns>;

function createQuery({ database, statements }: Connection, turns: Turns | null, onError?: OnError): Query {
  return async <T extends Row>(statement: string | Sql, given: readonly Param[] = []): Promise<T[]> => {
    const turn = turns?.take() ?? null;
    if (turn !== null) await turn;
    try {
      const { text, params } = toStatement(statement, given);
      let prepared = statements.get(text);
      if (prepared === undefined) {
        prepared = prepare(database, text);
        statements.set(text, prepared);
      }
      const rows = prepared.statement.all(...params) as unknown as unknown[][];
      return rows.map((values) => buildRow<T>(prepared.names, values));
    } catch (error) {
      onError?.(error);
      throw error;
    }
  };
}

/** Rows come as arrays and get their names in `buildRow`: Node would create the names again for each row. */
function prepare(database: DatabaseSync, sql: string): Prepared {
  // SQLite numbers its parameters ?1; the shared text is written for PostgreSQL's $1.
  const statement = database.prepare(sql.replace(/\$(\d+)/g, '?$1'));
  statement.setReturnArrays(true);
  return { statement, names: statement.columns().map(({ name }) => toCamel(name)) };
}

/** `data_version` changes on this connection whenever any other connection has committed into that file. */
function watchOtherProcesses(reader: Connection, notices: EventEmitter): NodeJS.Timeout {
  const statements = ['main', 'chain'].map((part) => reader.database.prepare(`PRAGMA ${part}.data_version`));
  const look = () => statements.map((statement) => statement.get()?.data_version).join();
  let seen = look();
  const timer = setInterval(() => {
    let version = seen;
    try {
      version = look();
    } catch {
      // The disk fails: the next read reports it; here it only means that there is no notice.
      return;
    }
    if (version === seen) return;
    seen = version;
    notices.emit(anyChannel);
  }, watchIntervalMs);
  timer.unref();
  return timer;
}
