// PostgreSQL through pg: a pool for statements, one more connection that listens.
import pg from 'pg';
import type { Database, Param, Row } from './database.ts';

/** After a lost connection the listener comes back by itself. */
const relistenMs = 500;

/** Block numbers, times and sequences fit a double exactly; amounts are kept as text. */
const int8 = 20;
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === int8 ? (text: string) => Number(text) : pg.types.getTypeParser(oid, format),
};

export type PostgresOptions = { readonly url: string; readonly poolSize?: number };

export function createPostgresDatabase({ url, poolSize = 8 }: PostgresOptions): Database {
  const pool = new pg.Pool({ connectionString: url, max: poolSize, types });
  // An idle connection that breaks is replaced by the pool; without a listener the process would end.
  pool.on('error', () => undefined);
  const listener = createListener(url);

  return {
    dialect: 'postgres',
    query: (sql, params) => run(pool, sql, params),
    async transaction(work) {
      const client = await pool.connect();
      try {
        await client.query('BEGIN');
        const result = await work({ query: (sql, params) => run(client, sql, params) });
        await client.query('COMMIT');
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
    async notify(channel) {
      await pool.query('SELECT pg_notify($1, $2)', [channel, '']);
    },
    async close() {
      await listener.close();
      await pool.end();
    },
  };
}

async function run<T extends Row>(
  target: pg.Pool | pg.PoolClient,
  sql: string,
  params: readonly Param[] = [],
): Promise<T[]> {
  const result = await target.query<T>(sql, [...params]);
  return result.rows;
}

type Listener = { listen: Database['listen']; close(): Promise<void> };

/** Opened at the first use. After every (re)connect all listeners are called: something may have been missed. */
function createListener(url: string): Listener {
  const handlers = new Map<string, Set<() => void>>();
  let client: pg.Client | null = null;
  let connecting: Promise<void> | null = null;
  let closed = false;

  async function connect(): Promise<void> {
    const fresh = new pg.Client({ connectionString: url, keepAlive: true });
    fresh.on('error', () => reconnect(fresh));
    fresh.on('end', () => reconnect(fresh));
    fresh.on('notification', ({ channel }) => {
      for (const handler of handlers.get(channel) ?? []) handler();
    });
    await fresh.connect();
    client = fresh;
    for (const channel of handlers.keys()) await fresh.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    for (const set of handlers.values()) for (const handler of set) handler();
  }

  function reconnect(lost: pg.Client): void {
    if (closed || (client !== null && client !== lost)) return;
    client = null;
    connecting ??= retry().finally(() => {
      connecting = null;
    });
  }

  async function retry(): Promise<void> {
    while (!closed) {
      await new Promise((resolve) => setTimeout(resolve, relistenMs));
      try {
        if (!closed) await connect();
        return;
      } catch {
        // The server is still away; the next turn tries again.
      }
    }
  }

  return {
    async listen(channel, onNotice) {
      const set = handlers.get(channel) ?? new Set();
      const isNew = set.size === 0;
      handlers.set(channel, set.add(onNotice));
      if (client !== null) {
        if (isNew) await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
      } else {
        connecting ??= connect().finally(() => {
          connecting = null;
        });
        await connecting;
      }
      return async () => {
        set.delete(onNotice);
      };
    },
    async close() {
      closed = true;
      await client?.end().catch(() => undefined);
    },
  };
}
