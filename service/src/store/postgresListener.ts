// PostgreSQL's notices: sent after their transactions, heard on a separate connection that reconnects when it is lost.
import { sleep } from '@svc/sdk/internal/domain/backoff';
import pg from 'pg';
import type { Database } from './database.ts';
import { shareRun } from './keepFor.ts';

const relistenMs = 500;
/** A connection can be lost without an error; a regular query detects that. */
const heartbeatMs = 5_000;

/**
 * Opened at the first use. After every (re)connect all listeners are called, since something may have been missed, and at every
 * heartbeat: a process can end between its transaction and the notice.
 */
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
    callAll();
  }

  function callAll(): void {
    for (const set of handlers.values()) for (const handler of set) handler();
  }

  function watch(watched: pg.Client): void {
    const timer = setInterval(() => {
      if (client !== watched) clearInterval(timer);
      else watched.query('SELECT 1').then(callAll, () => lose(watched));
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

/** Each notice wakes every process of the market: they read once for all that was written meanwhile. */
const betweenNoticesMs = 20;

/**
 * Inside of a transaction a notice would take a lock of the whole server until the commit is on the disk: all that notify would
 * commit one at a time. Notices that come while others are sent, or soon after, wait and go together.
 */
export function createNotices(send: (channels: readonly string[]) => Promise<unknown>) {
  const waiting = new Set<string>();
  let sending: Promise<void> | null = null;
  let sentAt = Number.NEGATIVE_INFINITY;

  async function sendAll(): Promise<void> {
    while (waiting.size > 0) {
      // A timer may be early.
      while (performance.now() < sentAt + betweenNoticesMs)
        await sleep(Math.ceil(sentAt + betweenNoticesMs - performance.now()));
      sentAt = performance.now();
      const channels = [...waiting];
      waiting.clear();
      // Where it fails, the listeners have lost their connections too, or find out at the next heartbeat.
      await send(channels).catch(() => undefined);
    }
    sending = null;
  }

  return {
    send(channels: Iterable<string>): void {
      for (const channel of channels) waiting.add(channel);
      if (waiting.size > 0) sending ??= sendAll();
    },
    end: async (): Promise<void> => void (await sending),
  };
}

function listenTo(channel: string): string {
  return `LISTEN ${pg.escapeIdentifier(channel)}`;
}
