// PostgreSQL through pg: a pool for statements, one more connection that listens.
import pg from 'pg';
import { SvcError } from '#domain/errors.ts';
import type { Database, Param, Query, Row } from './database.ts';
import { createListener } from './postgresListener.ts';

/** Block numbers, times and sequences fit a double exactly; amounts are kept as text. */
const int8 = 20;
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === int8 ? (text: string) => Number(text) : pg.types.getTypeParser(oid, format),
};

/** Long enough for the largest write, short enough that a server which went away in silence is noticed. */
const queryTimeoutMs = 30_000;
const connectTimeoutMs = 5_000;

export type PostgresOptions = { readonly url: string; readonly poolSize?: number };

export function createPostgresDatabase({ url, poolSize = 8 }: PostgresOptions): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    types,
    keepAlive: true,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: queryTimeoutMs,
  });
  // A connection that breaks is replaced by the pool; without a listener the process would end.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const listener = createListener(url);
  const query = createQuery(pool);

  return {
    dialect: 'postgres',
    query,
    write: query,
    async transaction(work) {
      const client = await pool.connect().catch(failAway);
      const query = createQuery(client);
      try {
        await query('BEGIN');
        const notify = async (channel: string) =>
          void (await query('SELECT pg_notify($1, $2)', [channel, '']));
        const result = await work({ query, notify });
        await query('COMMIT');
        client.release();
        return result;
      } catch (error) {
        // A connection whose rollback fails is not handed out again.
        await client.query('ROLLBACK').then(
          () => client.release(),
          (broken) => client.release(broken),
        );
        throw error;
      }
    },
    listen: listener.listen,
    async close() {
      await listener.close();
      await pool.end();
    },
  };
}

function createQuery(target: pg.Pool | pg.PoolClient): Query {
  return async <T extends Row>(sql: string, params: readonly Param[] = []): Promise<T[]> => {
    try {
      return (await target.query<T>(sql, [...params])).rows;
    } catch (error) {
      failAway(error);
    }
  };
}

function failAway(error: unknown): never {
  throw isAway(error) ? new SvcError('STORE_UNREACHABLE', {}, error) : error;
}

/**
 * Of PostgreSQL's own codes, classes 08, 28 and 3D are about connections, who may make them and to what, and 57P about a
 * server that ends or starts.
 */
function isAway(error: unknown): boolean {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  if (typeof code === 'string') return /^(08|28|3D|57P)|^E[A-Z]+$/.test(code);
  return driverWords.some((words) => String(message).startsWith(words));
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
