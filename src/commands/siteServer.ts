// Joins chain, follower, store, services and HTTP into the site server.
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chainIdentity, type Deployment } from '#chain/deployment.ts';
import { watchHeads } from '#chain/heads.ts';
import { readPlans, readUnion } from '#chain/readMarket.ts';
import { createRpc } from '#chain/rpc.ts';
import { createChainSource } from '#chain/source.ts';
import type { Market } from '#domain/market.ts';
import { createSiteServer } from '#http/api/server.ts';
import type { AppLog } from '#http/app.ts';
import { createMetrics } from '#http/metrics.ts';
import type { ReadContext } from '#http/read.ts';
import { createReadyReplies } from '#http/readyReplies.ts';
import { follow } from '#projection/follow.ts';
import { createFreshness } from '#service/freshness.ts';
import { createLastKnown } from '#service/lastKnown.ts';
import { createMarketService } from '#service/market.ts';
import { buildSiteConfig } from '#service/siteConfig.ts';
import { buildUnionOverview } from '#service/union.ts';
import { createChangeStore } from '#store/changes.ts';
import type { Database } from '#store/database.ts';
import { createFactStore } from '#store/facts.ts';
import { loadFollowState } from '#store/head.ts';
import { createLease } from '#store/lease.ts';
import { migrate } from '#store/migrate.ts';
import { createPostgresDatabase } from '#store/postgres.ts';
import { createProjectionStore, projectionChannel } from '#store/projection.ts';
import { createSqliteDatabase } from '#store/sqlite.ts';
import { createTaskStore } from '#store/tasks.ts';

export type SiteOptions = {
  readonly deployment: Deployment;
  readonly rpcUrls: readonly string[];
  readonly publicRpcUrl: string;
  readonly chainName: string;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly host: string;
  readonly port: number;
  readonly now: () => number;
  readonly log: AppLog;
};

export type Site = { readonly url: string; readonly port: number; readonly close: () => Promise<void> };

const leaseMs = 3_000;

export async function createSite(options: SiteOptions): Promise<Site> {
  const { deployment, log, now } = options;
  const identity = chainIdentity(deployment);
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
        else log.info({ ...event }, `follower: ${event.kind}`);
      },
    },
    stop.signal,
  );

  const tasks = createTaskStore(database, identity);
  const listen = (onNotice: () => void) => database.listen(projectionChannel, onNotice);
  const freshness = await createFreshness({
    loadFollowState: () => loadFollowState(database, identity),
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
  };
  metrics.gauge('block', () => Number(freshness.state()?.head.number ?? 0));
  metrics.gauge('block_age_seconds', () => ageOf(freshness.state()?.head.time, now));

  const { siteConfig, union } = createChainAnswers(options, rpc, database);
  const app = createSiteServer({
    context,
    market: createMarketService({ tasks, now }),
    ledger: tasks,
    registryOf: (market) => deployment.markets[market].taskRegistry,
    siteConfig,
    union,
    changes: createChangeStore(database, identity),
    listen,
    state: freshness.state,
    metrics,
    log,
  });
  await app.listen({ host: options.host, port: options.port });
  const address = app.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : options.port;
  return {
    port,
    url: `http://${options.host}:${port}`,
    close: async () => {
      await app.close();
      stop.abort();
      rpc.close();
      await following;
      await freshness.close();
      await database.close();
    },
  };
}

function openDatabase({ databaseUrl, dataDir }: SiteOptions): Database {
  if (databaseUrl !== undefined) return createPostgresDatabase({ url: databaseUrl });
  mkdirSync(dataDir, { recursive: true });
  return createSqliteDatabase(join(dataDir, 'svc.sqlite'));
}

/** Answers that come straight from the chain, each remembered for when the chain is away. */
function createChainAnswers(options: SiteOptions, rpc: ReturnType<typeof createRpc>, database: Database) {
  const { deployment, now } = options;
  const facts = createFactStore(database, chainIdentity(deployment));

  function remember<T>(name: string, maxAgeMs: number, read: () => Promise<T>): () => Promise<T> {
    return createLastKnown({
      read,
      maxAgeMs,
      load: async () => {
        const text = await facts.loadFact(name);
        return text === null ? null : JSON.parse(text);
      },
      save: (value) => facts.saveFact(name, JSON.stringify(value)),
    });
  }

  async function readSiteConfig(market: Market) {
    const { parameters, ...addresses } = deployment.markets[market];
    const { tokToken, usdOracle, marketLens, usdc } = deployment;
    return buildSiteConfig({
      chainId: deployment.chainId,
      chainName: options.chainName,
      rpcUrl: options.publicRpcUrl,
      market,
      addresses: { ...addresses, tokToken, usdOracle, marketLens, usdc },
      parameters,
      plans: await readPlans(rpc, deployment, market),
      startBlock: deployment.startBlock,
    });
  }

  const configs = {
    standard: remember('site-config:standard', 60_000, () => readSiteConfig('standard')),
    micro: remember('site-config:micro', 60_000, () => readSiteConfig('micro')),
  };
  const readOverview = async (market: Market) =>
    buildUnionOverview(market, await readUnion(rpc, deployment, market), now());
  const unions = {
    standard: remember('union:standard', 2_000, () => readOverview('standard')),
    micro: remember('union:micro', 2_000, () => readOverview('micro')),
  };
  return { siteConfig: (market: Market) => configs[market](), union: (market: Market) => unions[market]() };
}

function ageOf(time: number | undefined, now: () => number): number | null {
  return time === undefined ? null : Math.max(0, now() - time);
}
