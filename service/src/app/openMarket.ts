// Opens a market: the database, the indexer that reads the chain into it, and the reads that site and gateway offer.

import { createRpc, type Deployment } from '@svc/sdk/chain';
import { markets, type PublicChain } from '@svc/sdk/domain';
import { readPrice } from '@svc/sdk/internal/chain/readMarket';
import { runFollower } from '../chain/follow.ts';
import { watchHeads } from '../chain/heads.ts';
import { createChainSource } from '../chain/source.ts';
import type { Config } from '../config.ts';
import { checkEditionAt, notCompared } from '../deploy/edition.ts';
import { OperatorError } from '../errors/operatorError.ts';
import { createBodyCache } from '../http/bodyCache.ts';
import { createMetrics } from '../http/metrics.ts';
import type { ReadContext } from '../http/reads.ts';
import type { AppLog } from '../http/requestLog.ts';
import { createChainAnswers } from '../market/chainAnswers.ts';
import { createChangeFeed } from '../market/changeFeed.ts';
import { createConcernLists } from '../market/concernLists.ts';
import { createEarnings } from '../market/earnings.ts';
import { createFreshness } from '../market/freshness.ts';
import { createMarketService } from '../market/taskLists.ts';
import { createWithheldLoader, hideWithheld } from '../market/withholding.ts';
import { loadShown } from '../store/chainRow.ts';
import { createChangeStore } from '../store/changes.ts';
import { createConcernStore } from '../store/concerns.ts';
import { createCursorStore } from '../store/consume.ts';
import type { Database } from '../store/database.ts';
import { openDatabaseClock } from '../store/databaseClock.ts';
import { claimDatabase } from '../store/deploymentRow.ts';
import { createLease } from '../store/lease.ts';
import { migrate } from '../store/migrate.ts';
import { createMoveStore } from '../store/moves.ts';
import { createPriceStore } from '../store/prices.ts';
import { projectionChannel } from '../store/projection.ts';
import { createForwardStore } from '../store/reading.ts';
import { createTaskStore } from '../store/tasks.ts';
import { createReadProbe, createWriteProbe } from '../store/writeProbe.ts';
import { createChainProbe } from './chainProbe.ts';
import { choosePublicChain, chooseRpcUrls, loadDeploymentFor } from './connect.ts';
import { type FileStoreOptions, openFileStore } from './fileStore.ts';
import { createLog } from './log.ts';
import { observeDatabase, observeLoad, observeProcess, observeRpc, observeStorage } from './observe.ts';
import { openDatabase } from './openDatabase.ts';
import { createPostingServices } from './postingServices.ts';
import { createFollowReport, type ProgressOutput } from './progress.ts';
import { repeat } from './rounds.ts';

/** Those of the configuration have its defaults. */
export type MarketOptions = FileStoreOptions &
  Partial<Pick<Config, 'confirmations' | 'writesPerMinute' | 'recordPending'>> & {
    readonly deployment: Deployment;
    readonly rpcUrls: readonly string[];
    readonly publicChain: PublicChain;
    readonly databaseUrl: string | undefined;
    /** Unix seconds; default the time of the database, which all replicas share. */
    readonly now?: () => number;
    readonly log: AppLog;
    /** Shows a progress bar while the chain is read for the first time. */
    readonly terminal?: ProgressOutput;
  };

/** The options of a deployed market. Throws DEPLOYMENT_NOT_NAMED without SVC_DEPLOYMENT. */
export function readMarketOptions(config: Config, service: 'site' | 'gateway' = 'site'): MarketOptions {
  if (config.deploymentFile === undefined) throw new OperatorError('DEPLOYMENT_NOT_NAMED', {});
  const deployment = loadDeploymentFor(config, config.deploymentFile);
  return {
    ...config,
    deployment,
    rpcUrls: chooseRpcUrls(config, deployment.chainId),
    publicChain: choosePublicChain(config, deployment.chainId),
    databaseUrl: config.databaseUrl?.reveal(),
    log: createLog(
      config.logLevel ?? 'info',
      service,
      service === 'site' ? config.sitePort : config.gatewayPort,
    ),
  };
}

export type OpenMarket = Awaited<ReturnType<typeof openMarket>>;

const leaseMs = 3_000;
const adjustEveryMs = 60_000;

/** Of all processes on one database one follows the chain; the others read its rows, and one takes over when it ends. */
export async function openMarket(options: MarketOptions) {
  const stop = new AbortController();
  const closers: (() => Promise<unknown>)[] = [];
  async function close(): Promise<void> {
    stop.abort();
    const failures: unknown[] = [];
    for (const closePart of closers.splice(0).reverse())
      await closePart().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }
  try {
    return { ...(await openParts(options, stop.signal, (part) => void closers.push(part))), close };
  } catch (error) {
    // Otherwise an indexer would keep the lease in a process that serves nothing.
    await close().catch(() => undefined);
    throw error;
  }
}

/** Each part registers with `onClose` as soon as it is open; the last one is closed first. */
async function openParts(
  options: MarketOptions,
  stop: AbortSignal,
  onClose: (closePart: () => Promise<unknown>) => void,
) {
  const { deployment, log } = options;
  const metrics = createMetrics();
  onClose(observeProcess(metrics));
  const databaseReport = observeDatabase(metrics, log);
  const database = openDatabase(options, databaseReport);
  onClose(database.close);
  onClose(observeStorage(metrics, database, options.dataDir));
  observeLoad(metrics, database);
  // Before the first write: rows of other contracts would be nonsense.
  if (!(await checkEditionAt(options.rpcUrls, deployment))) log.error({}, notCompared);
  await migrate(database);
  await claimDatabase(database, deployment);
  const ownNow = options.now ?? (await startClock(database, log, onClose));
  // Deadlines are the chain's. Its time counts where its clock is ahead of ours, as on a chain moved into the future; it goes
  // on while no block comes, so that the age of the last one is true.
  let shown = { time: 0, seenAt: performance.now() };
  const now = () => Math.max(ownNow(), shown.time + Math.floor((performance.now() - shown.seenAt) / 1_000));
  const observed = observeRpc(metrics, (endpoint, { message: reason }) =>
    log.error({ endpoint, reason }, 'the RPC failed'),
  );
  const { chainId, genesisHash } = deployment;
  const rpc = createRpc({ ...observed, urls: options.rpcUrls, chainId, genesisHash });
  // Closed before everything else, because the other parts may be waiting for an answer of it.
  stop.addEventListener('abort', rpc.close);

  const report = createFollowReport(log, options.terminal ?? { write: () => undefined });
  let correctedRows = 0;
  let mistakes = 0;
  metrics.gauge('corrected_rows', () => correctedRows);
  metrics.gauge('task_mistakes', () => mistakes);
  const drain = new AbortController();
  const forward = createForwardStore(database, now);
  const following = runFollower(
    {
      // Anybody moves the clock of the embedded chain.
      source: createChainSource(rpc, deployment, options.now && (() => Number.POSITIVE_INFINITY)),
      store: forward,
      lease: createLease(database, { name: 'indexer', milliseconds: leaseMs }),
      onHead: (onHead) => watchHeads({ rpcUrls: options.rpcUrls, onHead }),
      onEvent: (event) => {
        metrics.count('follower', { event: event.kind });
        if (event.kind === 'corrected') correctedRows += event.tasks.length;
        if (event.kind === 'whole') mistakes = event.mistakes.length;
        report(event);
      },
    },
    AbortSignal.any([stop, drain.signal]),
  );
  onClose(() => following);

  const stored = createTaskStore(database);
  const listen = (onNotice: () => void) => database.listen(projectionChannel, onNotice);
  const freshness = await createFreshness({
    loadShown: async () => {
      const state = await loadShown(database);
      const time = state?.head.time ?? 0;
      if (time !== shown.time) shown = { time, seenAt: performance.now() };
      return state;
    },
    loadVersion: stored.loadVersion,
    loadNextDeadline: stored.loadNextDeadline,
    listen,
    now,
  });
  onClose(freshness.close);
  const context: ReadContext = {
    cache: createBodyCache(freshness.version),
    state: freshness.state,
    version: freshness.version,
    now,
  };
  metrics.gauge('block', () => Number(freshness.state()?.head.number ?? 0));
  metrics.gauge('block_age_seconds', () => ageOf(freshness.state()?.head.time, now));

  const { warmUp, ...chainAnswers } = createChainAnswers(
    { ...options, now },
    rpc,
    database,
    () => freshness.state()?.head ?? null,
  );
  const warmingUp = warmUp(stop);
  onClose(() => warmingUp);
  const changes = createChangeStore(database);
  const feed = await createChangeFeed({ source: changes, listen });
  onClose(feed.close);
  const posting = await createPostingServices({
    ...options,
    ...chainAnswers,
    database,
    observed,
    listen,
    now,
  });
  onClose(posting.close);
  const fileStore = openFileStore(database, options);
  const loadWithheld = createWithheldLoader({
    listWithheld: fileStore.withheld.listWithheld,
    version: () => markets.map(freshness.version).join(),
  });
  const moves = createMoveStore(database);
  const concernLists = createConcernLists({
    concerns: createConcernStore(database),
    moves,
    loadWithheld,
    now,
  });
  const tasks = hideWithheld(stored, loadWithheld);
  return {
    deployment,
    database,
    rpc,
    now,
    /** A time that has certainly passed: both our clock and the chain's have reached it. */
    past: () => Math.min(ownNow(), shown.time),
    log,
    metrics,
    writesPerMinute: options.writesPerMinute ?? 1_200,
    context,
    tasks,
    fileStore,
    loadWithheld,
    market: createMarketService({
      tasks,
      loadWithheld,
      now,
      lookUpFile: fileStore.lookUp,
      readPrice: chainAnswers.lastPrice,
    }),
    listEarnings: createEarnings({
      moves,
      prices: createPriceStore(database),
      readPriceAt: (blockHash) => readPrice(rpc, deployment, blockHash),
      now,
    }),
    concerns: concernLists,
    listConcerns: concernLists.list,
    state: freshness.state,
    changes,
    /** For followers of the changes. */
    cursors: createCursorStore(database),
    feed,
    chainAnswers,
    posting,
    /** How far the first reading is; null where there is none under way. */
    loadCatchUp: () => forward.loadCatchUp(),
    /** Whether the chain has been read once, so that reads can be answered. */
    isReady: () => freshness.state() !== null,
    /** Lets another process follow the chain; requests are still answered. */
    drain: (): void => drain.abort(),
    isDraining: (): boolean => drain.signal.aborted,
    probeReads: createReadProbe(database),
    probeWrites: createWriteProbe(database),
    probeChain: createChainProbe(rpc),
  };
}

async function startClock(
  database: Database,
  log: AppLog,
  onClose: (closePart: () => Promise<unknown>) => void,
): Promise<() => number> {
  const clock = await openDatabaseClock(database);
  const adjusting = repeat(log, 'reading the time of the database', adjustEveryMs, clock.adjust);
  onClose(adjusting.close);
  return clock.now;
}

function ageOf(time: number | undefined, now: () => number): number | null {
  return time === undefined ? null : Math.max(0, now() - time);
}
