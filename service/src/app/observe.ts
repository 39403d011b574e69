// Connects metrics with what they measure: the process, its database, its RPC, and what it does for users.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { RpcOptions } from '@svc/sdk/chain';
import { SvcError } from '@svc/sdk/domain';
import { statusOf } from '../http/errors.ts';
import type { CounterName, Metrics } from '../http/metrics.ts';
import { type AppLog, currentRequestId } from '../http/requestLog.ts';
import {
  type Database,
  type DatabaseReport,
  loadPostgresState,
  loadSize,
  type PostgresState,
} from '../store/database.ts';
import { readBackupTime } from './openDatabase.ts';
import { readBuild, readVersion } from './packageFiles.ts';
import { createRounds } from './rounds.ts';

const lagResolutionMs = 20;
const lagQuantiles = [0.5, 0.99, 1];

/** Returns the function that stops it. */
export function observeProcess(metrics: Metrics): () => Promise<void> {
  const startedAt = Math.floor(Date.now() / 1_000 - process.uptime());
  const labels = { version: readVersion(), build: readBuild(), node: process.version };
  const lag = monitorEventLoopDelay({ resolution: lagResolutionMs });
  lag.enable();
  metrics.gauge('build_info', () => [{ labels, value: 1 }]);
  metrics.gauge('started_at', () => startedAt);
  metrics.gauge('memory_bytes', readMemory);
  metrics.gauge('event_loop_lag_seconds', () => {
    const samples = lagQuantiles.map((quantile) => ({
      labels: { quantile: String(quantile) },
      value: toLag(quantile === 1 ? lag.max : lag.percentile(100 * quantile)),
    }));
    lag.reset();
    return samples;
  });
  return async () => void lag.disable();
}

/** The histogram measures from one timer to the next, in nanoseconds. */
function toLag(nanoseconds: number): number {
  const microseconds = Math.round(nanoseconds / 1e3 - lagResolutionMs * 1e3);
  return Math.max(0, microseconds / 1e6);
}

function readMemory() {
  const { rss, heapUsed, external } = process.memoryUsage();
  const kinds = { resident: rss, heap: heapUsed, outside: external };
  return Object.entries(kinds).map(([kind, value]) => ({ labels: { kind }, value }));
}

/** Between two log lines about the database. */
const quietMs = 1_000;

/** Statements carry the id of their request, and so does the log line of one that fails. */
export function observeDatabase(metrics: Metrics, log: Pick<AppLog, 'error'>): DatabaseReport {
  for (const kind of ['unreachable', 'not_writable', 'refused']) metrics.counter('database_errors', { kind });
  let loggedAt = -quietMs;
  return {
    onError: (kind, error) => {
      metrics.count('database_errors', { kind });
      // While it is away, every request would write a line.
      if (performance.now() < loggedAt + quietMs) return;
      loggedAt = performance.now();
      log.error({ kind, reason: (error as Error).message }, 'the database failed');
    },
    requestId: currentRequestId,
  };
}

export function observeLoad(metrics: Metrics, database: Pick<Database, 'load'>): void {
  metrics.gauge('database_connections', () => {
    const load = database.load();
    return (['idle', 'busy', 'waiting'] as const).map((state) => ({ labels: { state }, value: load[state] }));
  });
}

const lookEveryMs = 60_000;

/** How large the database is, and when the last backup was taken; returns the function that stops it. */
export function observeStorage(metrics: Metrics, database: Database, dataDir: string): () => Promise<void> {
  let bytes: number | null = null;
  let backupAt: number | null = null;
  let state: PostgresState | null = null;
  metrics.gauge('database_bytes', () => bytes);
  metrics.gauge('backup_at', () => backupAt);
  metrics.gauge('database_replication_seconds', () => state?.replicationSeconds ?? null);
  metrics.gauge('database_wraparound_ratio', () => state?.wraparoundRatio ?? null);
  metrics.gauge('database_transaction_seconds', () => state?.transactionSeconds ?? null);
  const look = async () => {
    backupAt = readBackupTime(dataDir);
    bytes = await loadSize(database);
    if (database.dialect === 'postgres') state = await loadPostgresState(database);
  };
  // The next round tries again.
  const onError = () => undefined;
  const first = look().catch(onError);
  const looking = createRounds({ round: look, onError, pauseMs: lookEveryMs });
  return async () => {
    await looking.close();
    await first;
  };
}

/** `method="state"` counts impossible answers, which any of several reads can give. */
export function observeRpc(
  metrics: Metrics,
  onError: (endpoint: string, error: Error) => void = () => undefined,
): Required<Pick<RpcOptions, 'onAsked' | 'onError'>> {
  return {
    onAsked: (endpoint, methods, milliseconds) => {
      for (const method of methods) metrics.count('rpc_requests', { endpoint, method });
      metrics.time('rpc_seconds', { endpoint }, milliseconds);
    },
    onError: (endpoint, error, methods) => {
      for (const method of methods.length === 0 ? ['state'] : methods)
        metrics.count('rpc_errors', { endpoint, method });
      onError(endpoint, error);
    },
  };
}

/** Counts how work for users ends: done, refused (the mistake is theirs), or failed (it is ours). */
export function observeOutcomes(metrics: Metrics, name: CounterName) {
  const done = metrics.counter(name, { outcome: 'done' });
  const refused = metrics.counter(name, { outcome: 'refused' });
  const failed = metrics.counter(name, { outcome: 'failed' });
  function fail(error: unknown): never {
    const isRefusal = error instanceof SvcError && statusOf(error.code) < 500;
    (isRefusal ? refused : failed)();
    throw error;
  }
  return {
    fail,
    /** Counts the end of this work. */
    end: async <T>(work: Promise<T>): Promise<T> => {
      const result = await work.catch(fail);
      done();
      return result;
    },
  };
}
