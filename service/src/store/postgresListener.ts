// Listens to PostgreSQL's notices on a separate connection, and reconnects when it is lost.
import { sleep } from '@svc/sdk/internal/domain/backoff';
import pg from 'pg';
import type { Database } from './database.ts';
import { shareRun } from './keepFor.ts';

const relistenMs = 500;
/** A connection can be lost without an error; a regular query detects that. */
const heartbeatMs = 5_000;

/** Opened at the first use. After every (re)connect all listeners are called: something may have been missed. */
export function createListener(url: string): Pick<Database, 'listen' | 'close'> {
  const handlers = new Map<string, Set<() => void>>();
  let client: pg.Client | null = null;
  let closed = false;

  async function connect(): Promise<void> {
    const fresh = new pg.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: heartbeatMs,
      query_timeout: heartbeatMs,
    });
    fresh.on('error', () => lose(fresh));
    fresh.on('end', () => lose(fresh));
    fresh.on('notification', ({ channel }) => {
      for (const handler of handlers.get(channel) ?? []) handler();
    });
    try {
      await fresh.connect();
      for (const channel of handlers.keys()) await fresh.query(listenTo(channel));
    } catch (error) {
      void fresh.end().catch(() => undefined);
      throw error;
    }
    if (closed) return void (await fresh.end());
    client = fresh;
    watch(fresh);
    for (const set of handlers.values()) for (const handler of set) handler();
  }

  function watch(watched: pg.Client): void {
    const timer = setInterval(() => {
      if (client !== watched) clearInterval(timer);
      else watched.query('SELECT 1').catch(() => lose(watched));
    }, heartbeatMs);
    timer.unref();
  }

  function lose(lost: pg.Client): void {
    if (closed || client !== lost) return;
    client = null;
    void lost.end().catch(() => undefined);
    void ensureConnected().catch(() => undefined);
  }

  /** Tries until it succeeds or is closed. */
  const ensureConnected = shareRun(async () => {
    while (!closed) {
      try {
        return await connect();
      } catch {
        await sleep(relistenMs);
      }
    }
  });

  return {
    async listen(channel, onNotice) {
      const set = handlers.get(channel) ?? new Set();
      handlers.set(channel, set.add(onNotice));
      const current = client;
      if (current === null) await ensureConnected();
      else if (set.size === 1) await current.query(listenTo(channel)).catch(() => lose(current));
      return async () => {
        set.delete(onNotice);
      };
    },
    async close() {
      closed = true;
      const last = client;
      client = null;
      await last?.end().catch(() => undefined);
      await ensureConnected().catch(() => undefined);
    },
  };
}

function listenTo(channel: string): string {
  return `LISTEN ${pg.escapeIdentifier(channel)}`;
}
