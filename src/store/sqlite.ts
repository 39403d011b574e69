// SQLite through node:sqlite: one connection that writes, one that reads, both on the same file.
import { EventEmitter } from 'node:events';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Database, Param, Queryable, Row } from './database.ts';

/** How often another process's writes are looked for; a write in this process is told at once. */
const watchIntervalMs = 100;
/** How long a statement waits for another process's transaction. */
const busyTimeoutMs = 5_000;

export function createSqliteDatabase(path: string): Database {
  const writer = open(path);
  const reader = open(path);
  const notices = new EventEmitter();
  notices.setMaxListeners(0);
  const watcher = watchOtherProcesses(reader, notices);
  let queue: Promise<unknown> = Promise.resolve();

  /** Transactions take turns: an await inside one must not let another statement slip into it. */
  function transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    const turn = queue.then(() => runTransaction(writer, work));
    queue = turn.catch(() => undefined);
    return turn;
  }

  return {
    dialect: 'sqlite',
    async query<T extends Row>(sql: string, params: readonly Param[] = []): Promise<T[]> {
      if (isRead(sql)) return run<T>(reader, sql, params);
      return transaction((tx) => tx.query<T>(sql, params));
    },
    transaction,
    async listen(channel, onNotice) {
      notices.on(channel, onNotice);
      notices.on(anyChannel, onNotice);
      return async () => {
        notices.off(channel, onNotice);
        notices.off(anyChannel, onNotice);
      };
    },
    async notify(channel) {
      notices.emit(channel);
    },
    async close() {
      clearInterval(watcher);
      await queue;
      reader.database.close();
      writer.database.close();
    },
  };
}

const anyChannel = '*';

type Connection = { readonly database: DatabaseSync; readonly statements: Map<string, StatementSync> };

function open(path: string): Connection {
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
  return { database, statements: new Map() };
}

async function runTransaction<T>(connection: Connection, work: (tx: Queryable) => Promise<T>): Promise<T> {
  connection.database.exec('BEGIN IMMEDIATE');
  try {
    const result = await work({
      query: async <R extends Row>(sql: string, params: readonly Param[] = []) =>
        run<R>(connection, sql, params),
    });
    connection.database.exec('COMMIT');
    return result;
  } catch (error) {
    // A full disk can end the transaction by itself; there is nothing left to roll back then.
    if (connection.database.isTransaction) connection.database.exec('ROLLBACK');
    throw error;
  }
}

function run<T extends Row>(connection: Connection, sql: string, params: readonly Param[]): T[] {
  let statement = connection.statements.get(sql);
  if (statement === undefined) {
    // SQLite numbers its parameters ?1; the shared text is written for PostgreSQL's $1.
    statement = connection.database.prepare(sql.replace(/\$(\d+)/g, '?$1'));
    connection.statements.set(sql, statement);
  }
  return statement.all(...params.map(toSqlite)) as T[];
}

function toSqlite(value: Param): string | number | bigint | null | Uint8Array {
  return typeof value === 'boolean' ? Number(value) : value;
}

function isRead(sql: string): boolean {
  return /^\s*(SELECT|WITH)\b/i.test(sql) && !/\b(INSERT|UPDATE|DELETE)\b/i.test(sql);
}

/** `data_version` changes on this connection whenever any other connection has committed. */
function watchOtherProcesses(reader: Connection, notices: EventEmitter): NodeJS.Timeout {
  const statement = reader.database.prepare('PRAGMA data_version');
  let seen = statement.get()?.data_version;
  const timer = setInterval(() => {
    const version = statement.get()?.data_version;
    if (version === seen) return;
    seen = version;
    notices.emit(anyChannel);
  }, watchIntervalMs);
  timer.unref();
  return timer;
}
