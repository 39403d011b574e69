// Joins chain, follower, store, services and HTTP into the site server.
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chainIdentity, type Deployment } from '#chain/deployment.ts';
import { watchHeads } from '#chain/heads.ts';
import { createRpc } from '#chain/rpc.ts';
import { createChainSource } from '#chain/source.ts';
import { createSiteServer } from '#http/api/server.ts';
import { createMetrics } from '#http/metrics.ts';
import type { ReadContext } from '#http/read.ts';
import { createReadyReplies } from '#http/readyReplies.ts';
import type { AppLog } from '#http/requestLog.ts';
import { createStamp } from '#http/stamp.ts';
import { follow } from '#projection/follow.ts';
import { createChangeFeed } from '#service/changeFeed.ts';
import { type ChatOptions, createChatService } from '#service/chat/chat.ts';
import { createFreshness } from '#service/freshness.ts';
import { createMarketService } from '#service/market.ts';
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
import { listenOnFree, portOf, urlOf } from './listen.ts';
import { createPostingParts } from './postingParts.ts';
import { readVersion } from './version.ts';

export type SiteOptions = {
  readonly deployment: Deployment;
  readonly rpcUrls: readonly string[];
  readonly publicRpcUrl: string;
  readonly chainName: string;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly host: string;
  readonly port: number;
  /** How many ports are tried, from that one on; one unless given. */
  readonly portsTried?: number;
  readonly now: () => number;
  /** Blocks until a payment counts; one unless given. */
  readonly confirmations?: number;
  /** Whether a recorded post counts before the chain shows it; it does unless told otherwise. */
  readonly recordPending?: 'accept' | 'reject';
  /** The shape of answers unless a request asks for another. */
  readonly protocolVersion: 'v1' | 'v2';
  /** Undefined answers every chat with 503. */
  readonly chat?: ChatOptions | undefined;
  /** Whose X-Forwarded-For is believed; nobody's unless given. */
  readonly trustedProxies?: readonly string[];
  readonly log: AppLog;
};

export type Site = {
  readonly url: string;
  readonly port: number;
  /** Whether the chain has been read, so that reads are answered. */
  readonly isReady: () => boolean;
  readonly close: () => Promise<void>;
};

const leaseMs = 3_000;

export async function createSite(options: SiteOptions): Promise<Site> {
  const { deployment, log } = options;
  const identity = chainIdentity(deployment);
  // Deadlines are the chain's, so where its clock is ahead of ours, as on a chain that was moved ahead, its time counts.
  let headTime = 0;
  const now = () => Math.max(options.now(), headTime);
  const metrics = createMetrics();
  const database = openDatabase(options);
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

  const stop = new AbortController();
  const following = follow(
    {
      source: createChainSource(rpc, deployment),
      store: createProjectionStore(database, now),
      lease: createLease(database, { name: 'follower', holder: randomUUID(), milliseconds: leaseMs }),
      onHead: (onHead) => watchHeads({ rpcUrls: options.rpcUrls, onHead }),
      onEvent: (event) => {
        metrics.count('follower', { event: event.kind });
        if (event.kind === 'moved') return;
        if (event.kind === 'failed') log.error({ error: event.error }, 'following failed; it goes on');
        else log.info(toLogFields(event), `follower: ${event.kind}`);
      },
    },
    stop.signal,
  );

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
  const context: ReadContext = {
    ready: createReadyReplies(freshness.version),
    state: freshness.state,
    version: freshness.version,
    now,
    stamp: createStamp({ state: freshness.state, now }),
  };
  metrics.gauge('block', () => Number(freshness.state()?.head.number ?? 0));
  metrics.gauge('block_age_seconds', () => ageOf(freshness.state()?.head.time, now));

  const { siteConfig, union, price, plans } = createChainAnswers({ ...options, now }, rpc, database);
  const posting = await createPostingParts({ ...options, database, identity, plans, price, listen, now });
  const changes = createChangeStore(database, identity);
  const feed = await createChangeFeed({ source: changes, listen });
  const app = createSiteServer({
    context,
    market: createMarketService({ tasks, now }),
    earlier: { defaultProtocol: options.protocolVersion, tasks, readPrice: price, now },
    timeline: { loadTask: tasks.loadTask, loadTaskEvents: changes.loadTaskEvents },
    ledger: tasks,
    registryOf: (market) => deployment.markets[market].taskRegistry,
    chat: options.chat && createChatService(options.chat),
    posting: posting.posting,
    upgradePlan: posting.upgradePlan,
    planQuotes: posting.planQuotes,
    siteConfig,
    union,
    changes,
    feed,
    state: freshness.state,
    version: readVersion(),
    publicUrl: () => urlOf(app, options.host),
    metrics,
    log,
    trustedProxies: options.trustedProxies ?? [],
  });
  async function close(): Promise<void> {
    await app.close();
    stop.abort();
    rpc.close();
    await posting.close();
    await following;
    await feed.close();
    await freshness.close();
    await database.close();
  }
  try {
    await listenOnFree(app, { portsTried: 1, ...options });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    port: portOf(app),
    url: urlOf(app, options.host),
    isReady: () => freshness.state() !== null,
    close,
  };
}

/** Block numbers are big integers, which JSON cannot hold; as numbers they stay exact for ages. */
function toLogFields(fields: object): object {
  return JSON.parse(
    JSON.stringify(fields, (_key, value) => (typeof value === 'bigint' ? Number(value) : value)),
  );
}

function openDatabase({ databaseUrl, dataDir }: SiteOptions): Database {
  if (databaseUrl !== undefined) return createPostgresDatabase({ url: databaseUrl });
  mkdirSync(dataDir, { recursive: true });
  return createSqliteDatabase(join(dataDir, 'svc.sqlite'));
}

function ageOf(time: number | undefined, now: () => number): number | null {
  return time === undefined ? null : Math.max(0, now() - time);
}
