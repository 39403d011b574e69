// `svc audit`: reads every task from the chain and compares it with what the site answers.

import { join } from 'node:path';
import { formatTaskId, isSameAddress, type Market, markets, SvcError, type Task } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { createBackoff, sleep } from '@svc/sdk/internal/domain/backoff';
import type { ChainEvent } from '@svc/sdk/internal/domain/event';
import { mapMarkets } from '@svc/sdk/internal/domain/market';
import { readFacts } from '@svc/sdk/internal/domain/task';
import { isAddress, zeroAddress } from 'viem';
import { openDeployment } from '../app/connect.ts';
import { readFile, replaceFile } from '../app/durableFile.ts';
import { serveMetrics } from '../app/metricsServer.ts';
import { observeRpc } from '../app/observe.ts';
import { createProgress } from '../app/progress.ts';
import { watchSignals } from '../app/serve.ts';
import { createRange } from '../chain/logRange.ts';
import { createChainSource } from '../chain/source.ts';
import { checkEditionAt, notCompared } from '../deploy/edition.ts';
import { OperatorError } from '../errors/operatorError.ts';
import { createMetrics, type Metrics } from '../http/metrics.ts';
import {
  type ApiTimeline,
  type AuditNeeds,
  type AuditResult,
  auditMarkets,
  type ShownEvent,
} from '../market/audit.ts';
import { type AccountNeeds, type AuditLogs, boardLimit, dropEntries } from '../market/auditAccounts.ts';
import type { ApiPage, ApiRecord, AuditBlock, Difference } from '../market/auditCheck.ts';
import {
  defineRun,
  flag,
  parseHttpUrl,
  parsePort,
  parseWhole,
  text,
  type Usage,
  type Values,
} from './options.ts';

export const usage = {
  command: 'audit',
  synopsis: ['[options]'],
  about:
    'Reads every task from the chain and compares it with what the site answers, list by list, field by field and event by event, at the block that each reply names; then the sums of every ledger, and the boards of the gateway. The market may be in use. Exits with 1 if anything differs; with --watch it continues, says so, and counts it.',
  options: {
    site: text(
      '<url>',
      'the site; default SVC_SITE_URL, or the one on this machine at SVC_SITE_PORT',
      parseHttpUrl,
    ),
    gateway: text(
      '<url>',
      'the gateway whose boards are compared; default SVC_GATEWAY_URL, or the site if it serves them',
      parseHttpUrl,
    ),
    rpc: text(
      '<url>',
      "the chain; default SVC_RPC_URL or CHAIN_RPC_URL, then Base's public RPC if SVC_DEPLOYMENT is set, then the embedded chain on SVC_CHAIN_PORT",
      parseHttpUrl,
    ),
    watch: flag('compare again and again, until it is stopped'),
    every: text(
      '<min>',
      'with --watch: minutes between two comparisons; default 60',
      parseWhole(1_440, 1),
      60,
    ),
    'metrics-port': text('<n>', 'with --watch: serve metrics at http://SVC_HOST:<n>/metrics', parsePort),
    'no-history': flag('compare only what the contracts store, not what their logs add'),
  },
  json: 'print each result as one line of JSON',
  notes: [
    'The contracts are those of the file that SVC_DEPLOYMENT names; the embedded chain reports its own.',
  ],
  examples: [
    'svc audit',
    'svc audit --site https://market.example --json',
    'svc audit --watch --every 30 --metrics-port 4024',
  ],
} as const satisfies Usage;

type Given = Values<typeof usage.options>;

export const run = defineRun(usage, async ({ values: given }, config) => {
  const metrics = createMetrics();
  const named = given.rpc === undefined ? {} : { urls: [given.rpc] };
  const { deployment, urls, rpc } = await openDeployment(config, { ...observeRpc(metrics), ...named });
  if (!(await checkEditionAt(urls, deployment))) console.error(`Note: ${notCompared}.`);
  const site = createAuditedSite(
    given.site ?? config.siteUrl,
    given.gateway ?? (given.site === undefined ? config.gatewayPublicUrl : undefined),
  );
  // Kept from one comparison to the next: logs that were read once need not be read again.
  const reads = createAuditReads(site, { source: createChainSource(rpc, deployment), rpc, deployment });
  const compare = async (onProgress?: AuditNeeds['onProgress']) => {
    const withHistory = !given['no-history'];
    const result = await auditMarkets({
      ...reads,
      ...(onProgress && { onProgress }),
      ...(!withHistory && { readFacts: null, timeline: null, accounts: null }),
    });
    console.log(given.json ? JSON.stringify({ ...result, withHistory }) : describe(result, withHistory));
    return result;
  };
  const kept = createLastAudit(join(config.dataDir, 'audit.json'), given.site ?? config.siteUrl);
  if (given.watch) return watch(compare, metrics, config.host, kept, rpc.close, given);
  const progress = createProgress(process.stderr);
  const { differences } = await compare((market, done, total) =>
    progress.show(`Comparing ${market}`, done, total),
  ).finally(() => {
    progress.end();
    rpc.close();
  });
  return differences.length === 0 ? 0 : 1;
});

type LastAudit = { readonly differences: number; readonly at: number };

/** The last result outlives the process, so that a restart neither clears an alert nor delays one. */
function createLastAudit(path: string, site: string) {
  return {
    load: (): LastAudit | null => {
      try {
        const { of, differences, at } = JSON.parse(readFile(path) ?? '{}');
        return of === site ? { differences: Number(differences), at: Number(at) } : null;
      } catch {
        return null;
      }
    },
    /** Without a folder to write to, the result is lost at the next start. */
    save: (last: LastAudit): void => {
      try {
        replaceFile(path, JSON.stringify({ of: site, ...last }));
      } catch (error) {
        console.error(`The result is not kept: ${(error as Error).message}`);
      }
    },
  };
}

/**
 * Deliberately a separate process: inside the site it would trust the site's caches and clock. Before the first audit of
 * all, its time is that of the start, so that one that never succeeds raises an alert as well.
 */
async function watch(
  compare: () => Promise<AuditResult>,
  metrics: Metrics,
  host: string,
  kept: ReturnType<typeof createLastAudit>,
  close: () => void,
  given: Given,
): Promise<number> {
  const stop = watchSignals();
  stop.addEventListener('abort', close);
  const now = () => Math.floor(Date.now() / 1_000);
  const startedAt = now();
  let last = kept.load();
  metrics.gauge('audit_differences', () => last?.differences ?? null);
  metrics.gauge('audit_at', () => last?.at ?? startedAt);
  for (const outcome of ['clean', 'different', 'failed']) metrics.counter('audits', { outcome });
  const closeMetrics = await serveMetrics(metrics, 'audit', host, given['metrics-port']);
  // A site that starts together with this process is not ready at once.
  const retries = createBackoff({ firstMs: 5_000, longestMs: given.every * 60_000 });
  while (!stop.aborted) {
    let pauseMs = given.every * 60_000;
    try {
      const result = await compare();
      retries.reset();
      last = { differences: result.differences.length, at: now() };
      kept.save(last);
      metrics.count('audits', { outcome: last.differences === 0 ? 'clean' : 'different' });
    } catch (error) {
      if (stop.aborted) break;
      metrics.count('audits', { outcome: 'failed' });
      console.error(`Not compared: ${(error as Error).message}`);
      pauseMs = retries.nextMs();
    }
    await sleep(pauseMs, stop);
  }
  closeMetrics();
  return 0;
}

function describe(result: AuditResult, withHistory: boolean): string {
  const { tasks, ledgers, boards, fromBlock, toBlock, differences } = result;
  const more = withHistory ? `state and history, ${ledgers} ledgers and ${boards} boards` : 'state';
  const summary = `Compared ${tasks} tasks, ${more}, at blocks ${fromBlock} to ${toBlock}: `;
  if (differences.length === 0) return `${summary}no differences.`;
  return [...differences.map(describeDifference), `${summary}${differences.length} differences.`].join('\n');
}

function describeDifference({ id, where, field, api, chain, block }: Difference): string {
  return `${id} ${field} in ${where}: the API says ${show(api)}, the chain ${show(chain)} (block ${block})`;
}

function show(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

/** Reads the site, with the block and the time that each reply names. */
export function createAuditedSite(baseUrl: string, gatewayUrl?: string) {
  const unreadable = (reason: string, url = baseUrl, cause?: Error) =>
    new OperatorError('SITE_UNREADABLE', { url, reason }, cause);

  async function get(
    path: string,
    query: Record<string, string>,
    {
      url = baseUrl,
      headers = {},
    }: { readonly url?: string; readonly headers?: Record<string, string> } = {},
  ): Promise<Response> {
    const asked = fetch(`${url}${path}?${new URLSearchParams(query)}`, { headers });
    const response = await asked.catch((error: Error) => {
      throw unreadable('it does not answer', url, error);
    });
    if (response.ok || response.status === 404) return response;
    throw unreadable(`${path} answers ${response.status}`, url);
  }

  async function loadList(path: string, market: Market, cursor: string | null): Promise<ApiPage> {
    const response = await get(path, { market, limit: '100', ...(cursor !== null && { cursor }) });
    const body = (await response.json()) as { tasks?: ApiRecord[]; nextCursor?: string | null };
    return { records: body.tasks ?? [], nextCursor: body.nextCursor ?? null, ...readStamp(response) };
  }

  function readStamp({ headers }: Response): Pick<ApiPage, 'block' | 'now'> {
    const [block, age] = [headers.get('svc-block'), Number(headers.get('svc-block-age'))];
    if (block === null) throw unreadable('it names no block');
    return { block: BigInt(block), now: (blockTime) => blockTime + age };
  }

  const loadHealth = async (): Promise<{ block?: number }> => (await get('/health', {})).json() as object;

  return {
    loadRecent: (market: Market, cursor: string | null) => loadList('/api/market/recent', market, cursor),
    loadOpen: (market: Market, cursor: string | null) => loadList('/api/market/open', market, cursor),
    loadTask: async (id: string): Promise<ApiPage> => {
      const response = await get('/api/market/task', { id });
      if (response.status === 404) {
        const { block = 0 } = await loadHealth();
        return { records: [], nextCursor: null, block: BigInt(block), now: (blockTime) => blockTime };
      }
      const { task } = (await response.json()) as { task: ApiRecord };
      return { records: [task], nextCursor: null, ...readStamp(response) };
    },
    loadTimeline: async (id: string): Promise<ApiTimeline> => {
      const events: ShownEvent[] = [];
      for (let cursor: string | null = null; ; ) {
        const query = { id, limit: '100', ...(cursor !== null && { cursor }) };
        const response = await get('/api/market/timeline', query);
        const page = (await response.json()) as { events?: ShownEvent[]; nextCursor?: string | null };
        for (const { name, contract, txHash, logIndex, blockNumber, time } of page.events ?? [])
          events.push({ name, contract, txHash, logIndex, blockNumber, time });
        cursor = page.nextCursor ?? null;
        if (cursor === null) return { events, block: readStamp(response).block };
      }
    },
    loadLedger: async (market: Market, wallet: string): Promise<ApiPage> => {
      const response = await get('/api/get-market-ledger', { market, address: wallet, limit: '1' });
      const records = [dropEntries(wallet, (await response.json()) as object)];
      return { records, nextCursor: null, ...readStamp(response) };
    },
    loadBoard: (async (market, board, { address, isAgain }) => {
      const url = gatewayUrl ?? baseUrl;
      // It keeps its answers for seconds.
      const { block } = isAgain
        ? ((await (await get('/health', {}, { url })).json()) as { block?: number })
        : {};
      const all = board === 'treasury/history' ? {} : { limit: String(boardLimit) };
      const response = await get(
        `/v1/${board}`,
        { market, ...(address === undefined ? all : { address }) },
        { url, ...(block !== undefined && { headers: { 'svc-at-least-block': String(block) } }) },
      );
      if (response.status !== 404)
        return { body: (await response.json()) as object, block: readStamp(response).block };
      if (gatewayUrl !== undefined) throw unreadable('it serves no boards: it is no gateway', url);
      return null;
    }) satisfies AccountNeeds['loadBoard'],
  };
}

type Source = ReturnType<typeof createChainSource>;

/** What the audit reads of site and chain. */
export function createAuditReads(
  site: ReturnType<typeof createAuditedSite>,
  { source, rpc, deployment }: Pick<AccountNeeds, 'rpc' | 'deployment'> & { readonly source: Source },
): AuditNeeds {
  const readLogs = createHistoryReader(source);
  const readBlock: AuditNeeds['readBlock'] = async (number) => {
    const block = await source.readBlock(number);
    if (block === null) throw new SvcError('CHAIN_CHANGED', {});
    return block;
  };
  const readNumbered: AccountNeeds['readNumbered'] = async (market, numbers, { hash }) => {
    const tasks: Task[] = [];
    for (let at = 0; at < numbers.length; at += pageSize)
      tasks.push(...(await source.readTasks(market, numbers.slice(at, at + pageSize), hash)));
    return tasks;
  };
  return {
    ...site,
    timeline: { load: site.loadTimeline, read: async (block) => (await readLogs(block)).ofTask },
    readBlock,
    readTaskCount: async (market, { hash }) => (await source.readTaskCounts(hash))[market],
    readTasks: (market, from, to, block) =>
      readNumbered(
        market,
        Array.from({ length: Number(to - from) + 1 }, (_, at) => from + BigInt(at)),
        block,
      ),
    readFacts: async (block) => {
      const { ofTask } = await readLogs(block);
      return (task) => readFacts(ofTask(formatTaskId(task)));
    },
    accounts: { ...site, readBlock, readLogs, readNumbered, rpc, deployment, pause: sleep },
    pause: sleep,
  };
}

const pageSize = 150;

/** Reads what only logs say: once from the first block on, then further as the chain grows. */
function createHistoryReader(source: Source) {
  const range = createRange({ first: 2_000, largest: 2_000 });
  /** By the id of their task, and by their kind. */
  const events = new Map<string, ChainEvent[]>();
  const tasksOf = mapMarkets(() => new Map<string, Set<bigint>>());
  let next = source.startBlock;
  let parent: AuditBlock['hash'] | null = null;

  async function readTo(block: AuditBlock): Promise<void> {
    while (next <= block.number) {
      const { to, ...read } = await range.use(async (size) => {
        const last = next + BigInt(size) - 1n;
        const end = last >= block.number ? block : await source.readBlock(last);
        if (end === null) throw new SvcError('CHAIN_CHANGED', {});
        return { ...(await source.readEvents(next, end)), to: end };
      });
      if (parent !== null && read.parentHash !== parent) {
        // After a fork below the last block that was read, everything is read again.
        events.clear();
        for (const market of markets) tasksOf[market].clear();
        next = source.startBlock;
        parent = null;
        throw new SvcError('CHAIN_CHANGED', {});
      }
      for (const event of read.events) keep(event);
      parent = to.hash;
      next = to.number + 1n;
    }
  }

  function keep(event: ChainEvent): void {
    const { market, contract, name, taskNumber, args } = event;
    const add = (key: string) => {
      const list = events.get(key);
      if (list === undefined) events.set(key, [event]);
      else list.push(event);
    };
    add(`${market} ${contract}.${name}`);
    if (taskNumber === null) return;
    add(formatTaskId({ market, number: taskNumber }));
    for (const value of Object.values(args)) {
      if (typeof value !== 'string' || !isAddress(value) || isSameAddress(value, zeroAddress)) continue;
      const own = tasksOf[market].get(addressKey(value)) ?? new Set();
      tasksOf[market].set(addressKey(value), own.add(taskNumber));
    }
  }

  return async (block: AuditBlock): Promise<AuditLogs> => {
    await readTo(block);
    const upTo = (key: string) =>
      (events.get(key) ?? []).filter(({ blockNumber }) => blockNumber <= block.number);
    return {
      ofTask: upTo,
      named: (market, contract, name) => upTo(`${market} ${contract}.${name}`),
      listWallets: (market) => [...tasksOf[market].keys()],
      listTasks: (market, wallet) => [...(tasksOf[market].get(wallet) ?? [])],
    };
  };
}
