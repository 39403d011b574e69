// The read side that site and gateway share: chain, follower, database, and what is asked of them.
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chainIdentity, createRpc, type Deployment } from '@svc/sdk/chain';
import { createMetrics } from '#http/metrics.ts';
import type { ReadContext } from '#http/read.ts';
import { createReadyReplies } from '#http/readyReplies.ts';
import type { AppLog } from '#http/requestLog.ts';
import { createStamp } from '#http/stamp.ts';
import { follow } from '#indexer/follow.ts';
import { watchHeads } from '#indexer/heads.ts';
import { createChainSource } from '#indexer/source.ts';
import { createChangeFeed } from '#market/changeFeed.ts';
import { createFreshness } from '#market/freshness.ts';
import { createMarketService } from '#market/market.ts';
import { createChangeStore } from '#store/changes.ts';
import type { Database } from '#store/database.ts';
import { loadFollowState } from '#store/head.ts';
import { createLease } from '#store/lease.ts';
import { migrate } from '#store/migrate.ts';
import { createPostgresDatabase } from '#store/postgres.ts';
import { createProjectionStore, projectionChannel } from '#store/projection.ts';
import { createSqliteDatabase } from '#store/sqlite.ts';
import { createTaskStore } from '#store/tasks.ts';
import { createChainAnswers } from './chainAnswers.ts';
import { createFollowReport } from './followReport.ts';
import { createPostingParts } from './postingParts.ts';
import type { ProgressOutput } from './progress.ts';

export type ReadSideOptions = {
  readonly deployment: Deployment;
  readonly rpcUrls: readonly string[];
  readonly publicRpcUrl: string;
  readonly chainName: string;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly now: () => number;
  /** Blocks until a payment counts; one unless given. */
  readonly confirmations?: number;
  /** Whether a recorded post counts before the chain shows it; it does unless told otherwise. */
  readonly recordPending?: 'accept' | 'reject';
  readonly log: AppLog;
  /** Where a bar tells how far reading the chain is; nowhere unless given. */
  readonly terminal?: ProgressOutput;
};

export type ReadSide = Awaited<ReturnType<typeof createReadSide>>;

const leaseMs = 3_000;

/** Of all processes on one database one follows; the others read what it writes, and take over when it ends. */
export async function createReadSide(options: ReadSideOptions) {
  const stop = new AbortController();
  const parts = new AsyncDisposableStack();
  async function close(): Promise<void> {
    stop.abort();
    await parts.disposeAsync();
  }
  try {
    return { ...(await openParts(options, stop.signal, parts)), close };
  } catch (error) {
    // A follower left behind would hold the lease in a process that serves nothing and never ends.
    await close().catch(() => undefined);
    throw error;
  }
}

/** Whatever has to be closed is put on the stack as soon as it is open; the last is closed first. */
async function openParts(options: ReadSideOptions, stop: AbortSignal, parts: AsyncDisposableStack) {
  const { deployment, log } = options;
  const identity = chainIdentity(deployment);
  // Deadlines are the chain's, so where its clock is ahead of ours, as on a chain that was moved ahead, its time counts.
  let headTime = 0;
  const now = () => Math.max(options.now(), headTime);
  const metrics = createMetrics();
  const database = openDatabase(options);
  parts.defer(database.close);
  await migrate(database);
  const rpc = createRpc({
    urls: options.rpcUrls,
    chainId: deployment.chainId,
    genesisHash: deployment.genesisHash,
    onError: (endpoint, error) => {
      metrics.count('rpc_errors', { endpoint });
      log.error({ endpoint, reason: error.message }, 'the RPC failed');
    },
  });
  // At once, since those who are closed before may be waiting for it.
  stop.addEventListener('abort', rpc.close);

  const report = createFollowReport(log, options.terminal ?? { write: () => undefined });
  const drain = new AbortController();
  const following = follow(
    {
      source: createChainSource(rpc, deployment),
      store: createProjectionStore(database, now),
      lease: createLease(database, { name: 'follower', holder: randomUUID(), milliseconds: leaseMs }),
      onHead: (onHead) => watchHeads({ rpcUrls: options.rpcUrls, onHead }),
      onEvent: (event) => {
        metrics.count('follower', { event: event.kind });
        report(event);
      },
    },
    AbortSignal.any([stop, drain.signal]),
  );
  parts.defer(() => following);

  const tasks = createTaskStore(database, identity);
  const listen = (onNotice: () => void) => database.listen(projectionChannel, onNotice);
  const freshness = await createFreshness({
    loadFollowState: async () => {
      const state = await loadFollowState(database, identity);
      headTime = state?.head.time ?? 0;
      return state;
    },
    loadVersion: tasks.loadVersion,
    loadNextDeadline: tasks.loadNextDeadline,
    listen,
    now,
  });
  parts.defer(freshness.close);
  const context: ReadContext = {
    ready: createReadyReplies(freshness.version),
    state: freshness.state,
    version: freshness.version,
    now,
    stamp: createStamp({ state: freshness.state, now }),
  };
  metrics.gauge('block', () => Number(freshness.state()?.head.number ?? 0));
  metrics.gauge('block_age_seconds', () => ageOf(freshness.state()?.head.time, now));

  const { learn, ...chainAnswers } = createChainAnswers({ ...options, now }, rpc, database);
  const learning = learn(stop);
  parts.defer(() => learning);
  const changes = createChangeStore(database, identity);
  const feed = await createChangeFeed({ source: changes, listen });
  parts.defer(feed.close);
  const posting = await createPostingParts({ ...options, ...chainAnswers, database, identity, listen, now });
  parts.defer(posting.close);
  return {
    deployment,
    identity,
    database,
    rpc,
    now,
    /** Has passed for certain: a clock of ours, or a chain's, that jumps ahead is not believed alone. */
    past: () => Math.min(options.now(), headTime),
    log,
    metrics,
    context,
    tasks,
    market: createMarketService({ tasks, now }),
    state: freshness.state,
    changes,
    feed,
    chainAnswers,
    posting,
    /** Whether the chain has been read, so that reads are answered. */
    isReady: () => freshness.state() !== null,
    /** Lets another process follow the chain from now on; what is asked is answered all the same. */
    drain: (): void => drain.abort(),
    isDraining: (): boolean => drain.signal.aborted,
  };
}

function openDatabase({ databaseUrl, dataDir }: ReadSideOptions): Database {
  if (databaseUrl !== undefined) return createPostgresDatabase({ url: databaseUrl });
  // Wallet requests and receipts lie there, besides what anyone can read on the chain.
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  return createSqliteDatabase(join(dataDir, 'svc.sqlite'));
}

function ageOf(time: number | undefined, now: () => number): number | null {
  return time === undefined ? null : Math.max(0, now() - time);
}
