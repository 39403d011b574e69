// PostgreSQL through pg: a schema and a pool for each part, one more connection that listens.

import { SvcError } from '@svc/sdk/domain';
import { isErrorOf } from '@svc/sdk/internal/domain/errors';
import pg from 'pg';
import {
  buildRow,
  type Database,
  type DatabaseFailure,
  type DatabaseReport,
  type Part,
  type Query,
  type QueryOptions,
  type Row,
  toCamel,
} from './database.ts';
import { createListener, createNotices } from './postgresListener.ts';
import { type Param, type Sql, toStatement } from './sql.ts';

/** Block numbers, times and sequences fit a double exactly; amounts are kept as text. */
const int8 = 20;
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === int8 ? (text: string) => Number(text) : pg.types.getTypeParser(oid, format),
};

/** Limits that the server enforces, so that a crashed process does not block others or leave locks behind. */
export type PostgresLimits = {
  /** Long enough for the largest write. */
  readonly statementMs: number;
  /** How long a statement waits for rows that another transaction holds. */
  readonly lockMs: number;
  /**
   * How long a transaction may be idle. Ours send one statement after the other, so a longer pause means that the process
   * is gone or frozen. Shorter than `lockMs`, so that transactions that wait for its rows get them.
   */
  readonly idleInTransactionMs: number;
};

const usualLimits: PostgresLimits = { statementMs: 30_000, lockMs: 5_000, idleInTransactionMs: 3_000 };

/** A reachable server ends a statement before the client's own time limit is over. */
const silenceMs = 5_000;
const connectTimeoutMs = 4_000;
/** A user waits for this statement: a server that is frozen must not keep them longer. */
const usualAnswerMs = 5_000;
/** The driver takes 0 for its default. */
const longMs = 86_400_000;
/** A rollback, where the server may be gone. */
const rollbackMs = 1_000;

export type PostgresOptions = DatabaseReport & {
  readonly url: string;
  readonly poolSize?: number;
  readonly limits?: PostgresLimits;
  /** How long a statement is waited for. */
  readonly answerMs?: number;
  /** The role that writes `chain`, where it is another one. */
  readonly chainUrl?: string;
};

/** Tables are found by their names alone: those of `own` first. */
const ownPath = 'own, chain';
const chainPath = 'chain';
/** The statements of the indexer are large: they are waited for longer than the server's own limit lets them take. */
const chainAnswerMs = 35_000;
const chainPoolSize = 4;

export function createPostgresDatabase(options: PostgresOptions): Database {
  const { url, chainUrl = url, poolSize = 8, answerMs = usualAnswerMs } = options;
  const own = createPart({ ...options, path: ownPath, poolSize, answerMs }, (channels) =>
    notices.send(channels),
  );
  // Its pool connects at the first use, which only the process that follows the chain has.
  const chain = createPart(
    {
      ...options,
      url: chainUrl,
      path: chainPath,
      poolSize: chainPoolSize,
      answerMs: Math.max(answerMs, chainAnswerMs),
    },
    (channels) => notices.send(channels),
  );
  const listener = createListener(url);
  const notices = createNotices((channels) => own.pool.query(notifyOutside, [channels]));
  const pools = [own.pool, chain.pool];
  const sumOf = (read: (pool: pg.Pool) => number) => pools.reduce((sum, pool) => sum + read(pool), 0);

  return {
    ...own.part,
    chain: chain.part,
    listen: listener.listen,
    load: () => ({
      idle: sumOf(({ idleCount }) => idleCount),
      busy: sumOf(({ totalCount, idleCount }) => totalCount - idleCount),
      waiting: sumOf(({ waitingCount }) => waitingCount),
    }),
    async close() {
      await notices.end();
      await listener.close();
      for (const pool of pools) await pool.end();
    },
  };
}

type PartOptions = PostgresOptions & {
  readonly path: string;
  readonly poolSize: number;
  readonly answerMs: number;
};

function createPart(options: PartOptions, send: (channels: ReadonlySet<string>) => void) {
  const { url, path, poolSize, limits = usualLimits, answerMs } = options;
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    types,
    keepAlive: true,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: limits.statementMs + silenceMs,
    // Set after connecting: poolers refuse such settings as connection parameters.
    onConnect: (client) => client.query(ask(setLimits(limits, path), connectTimeoutMs)),
  });
  // A connection that breaks is replaced by the pool; without a listener the process would end.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const connect = () =>
    pool.connect().catch((error: unknown) => {
      options.onError?.(kindOf(error), error);
      return failAway(error);
    });
  const createOwnQuery = (target: pg.Pool | pg.PoolClient) => createQuery(target, options, answerMs);

  const part: Part = {
    dialect: 'postgres',
    query: createOwnQuery(pool),
    async write<T extends Row>(sql: string | Sql, params?: readonly Param[]): Promise<T[]> {
      const client = await connect();
      try {
        const rows = await createOwnQuery(client)<T>(sql, params);
        client.release();
        return rows;
      } catch (error) {
        client.release(isReadOnly(error) || isLost(error));
        throw error;
      }
    },
    async transaction(work, { isProvisional = false } = {}) {
      const client = await connect();
      const query = createOwnQuery(client);
      try {
        await query('BEGIN');
        if (isProvisional) await query('SET LOCAL synchronous_commit = off');
        const channels = new Set<string>();
        const notify = async (channel: string) => void channels.add(channel);
        const result = await work({ dialect: 'postgres', query, notify });
        await query('COMMIT');
        client.release();
        send(channels);
        return result;
      } catch (error) {
        // A connection whose rollback fails or is slow is not used again, nor one that is silent or only reads now.
        if (isLost(error)) client.release(true);
        else
          await client.query(ask('ROLLBACK', rollbackMs)).then(
            () => client.release(isReadOnly(error)),
            (broken) => client.release(broken),
          );
        throw error;
      }
    },
  };
  return { pool, part };
}

/** It writes no rows, so that it does not wait for the disk. */
const notifyOutside = `SELECT pg_notify(channel, '') FROM unnest($1::text[]) AS channel`;

function setLimits({ statementMs, lockMs, idleInTransactionMs }: PostgresLimits, path: string): string {
  return `SET search_path = ${path}; SET statement_timeout = ${statementMs}; SET lock_timeout = ${lockMs};
    SET idle_in_transaction_session_timeout = ${idleInTransactionMs}`;
}

/** The driver takes a limit for a single statement, of which its types know nothing. */
function ask(text: string, timeoutMs: number): pg.QueryConfig & { readonly query_timeout: number } {
  return { text, query_timeout: timeoutMs };
}

function createQuery(
  target: pg.Pool | pg.PoolClient,
  { onError, requestId }: DatabaseReport,
  timeoutMs: number,
): Query {
  return async <T extends Row>(
    statement: string | Sql,
    given: readonly Param[] = [],
    { isHot = false, isLong = false }: QueryOptions = {},
  ): Promise<T[]> => {
    try {
      const { text: sql, params } = toStatement(statement, given);
      const id = isHot ? undefined : requestId?.();
      // Seen in pg_stat_activity and in the server's log.
      const text = id === undefined ? sql : `/* request ${id} */ ${sql}`;
      const name = isHot ? { name: nameOf(sql) } : {};
      const asked = {
        ...ask(text, isLong ? longMs : timeoutMs),
        ...name,
        values: [...params],
        rowMode: 'array' as const,
      };
      const { fields, rows } = await target.query<unknown[]>(asked);
      const names = fields.map(({ name }) => toCamel(name));
      return rows.map((values) => buildRow<T>(names, values));
    } catch (error) {
      onError?.(kindOf(error), error);
      failAway(error);
    }
  };
}

const preparedNames = new Map<string, string>();

/** Of a prepared statement: the same on every connection. */
function nameOf(sql: string): string {
  let name = preparedNames.get(sql);
  if (name === undefined) {
    name = `svc_${preparedNames.size}`;
    preparedNames.set(sql, name);
  }
  return name;
}

function kindOf(error: unknown): DatabaseFailure {
  if (findReason(error) !== undefined) return 'not_writable';
  return isAway(error) ? 'unreachable' : 'refused';
}

/** A server whose disk is full, and one that only reads now, such as a primary that became a standby. */
const notWritable: Readonly<Record<string, string>> = { 53100: 'its disk is full', 25006: 'it is read-only' };

function findReason(error: unknown): string | undefined {
  return notWritable[String((error as { readonly code?: unknown }).code)];
}

function failAway(error: unknown): never {
  const reason = findReason(error);
  if (reason !== undefined) throw new SvcError('STORE_NOT_WRITABLE', { reason }, error);
  throw isAway(error) ? new SvcError('STORE_UNREACHABLE', {}, error) : error;
}

/**
 * Of PostgreSQL's own codes, classes 08, 28 and 3D are about connections, who may make them and to what, 53 about a
 * server that has no room, and 57P about one that ends or starts. The single ones are the limits above: 57014 and 55P03 a
 * statement that took or waited too long, 25P03 a transaction that said nothing, 40P01 and 40001 one that was ended for
 * the sake of another.
 */
function isAway(error: unknown): boolean {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  if (typeof code === 'string')
    return /^(08|28|3D|53|57P)|^(57014|55P03|25P03|40P01|40001)$|^E[A-Z]+$/.test(code);
  return driverWords.some((words) => String(message).startsWith(words));
}

/** After the client's own time limit an answer may still come: it would be taken for that of the next statement. */
function isLost(error: unknown): boolean {
  return isErrorOf(error, 'STORE_UNREACHABLE');
}

/** Such a connection stays read-only: the next one may lead to another server. */
function isReadOnly(error: unknown): boolean {
  return isErrorOf(error, 'STORE_NOT_WRITABLE');
}

/** The driver's own errors have no code. */
const driverWords = [
  'Connection terminated',
  'Client has encountered a connection error',
  'Client was closed',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
];
