// /api/market/*, /api/poster/tasks, /api/worker/tasks and the ledger.

import {
  type Address,
  type Market,
  parseAddress,
  parseTaskId,
  SvcError,
  type TaskKey,
} from '@svc/sdk/domain';
import { routes } from '@svc/sdk/internal/schemas/routes';
import type { ConcernRequest } from '../../market/concernLists.ts';
import { buildLedger } from '../../market/ledger.ts';
import { parseLogPlace, type WalletPage } from '../../market/listPages.ts';
import type { MarketService } from '../../market/taskLists.ts';
import { buildTimeline, type TimelineSource } from '../../market/timeline.ts';
import { feedLength, writeFeed } from '../atomFeed.ts';
import { planList, type RegisterRead } from '../reads.ts';
import {
  type EarlierMarket,
  isEarlier,
  planEarlierOpen,
  planEarlierPoster,
  planEarlierTask,
} from './earlier.ts';

export type MarketRoutes = {
  readonly market: MarketService;
  readonly earlier: EarlierMarket;
  readonly listConcerns: (request: ConcernRequest) => Promise<object>;
  readonly listEarnings: (request: WalletPage) => Promise<object>;
  readonly timeline: TimelineSource;
  readonly ledger: Parameters<typeof buildLedger>[0];
  readonly registryOf: (market: Market) => Address;
  readonly deployment: { readonly chainId: number };
  /** Where the pages are reached. */
  readonly pagesUrl: () => string;
};

export function registerMarketRoutes(register: RegisterRead, options: MarketRoutes): void {
  const { market, earlier, listConcerns, listEarnings, timeline, ledger, registryOf, deployment, pagesUrl } =
    options;

  register(routes.open, (given) => {
    if (isEarlier(given, earlier)) return planEarlierOpen(given, earlier);
    const { protocolVersion: _, ...request } = given;
    return planList(request, () => market.listOpen(request));
  });

  register(routes.recent, (request) => planList(request, () => market.listRecent(request)));

  register(routes.feed, (request) => ({
    question: request,
    load: async () => {
      const { tasks } = await market.listOpenInFull({ ...request, limit: feedLength });
      const { chainId } = deployment;
      const { market: of, tag: tags = [] } = request;
      return writeFeed(tasks, { url: pagesUrl(), chainId, registry: registryOf(of), market: of, tags });
    },
  }));

  register(routes.task, (given) => {
    const { id = given.taskId, taskId = id } = given;
    if (id !== taskId) throw new SvcError('TASK_IDS_DIFFER', {});
    if (isEarlier(given, earlier)) return planEarlierTask(given, earlier);
    const key = parseTaskId(id);
    requireMarket(key, given.market);
    // Not kept: there are too many tasks, and in a busy market no copy would be true for longer than a block.
    return { market: key.market, load: () => market.getTask(key) };
  });

  register(routes.tasks, (given) => {
    const keys = parseTaskIds(given.ids);
    const [key] = keys;
    requireMarket(key, given.market);
    const numbers = keys.map(({ number }) => number);
    return { market: key.market, load: () => market.getTasks(key.market, numbers) };
  });

  register(routes.timeline, ({ id, taskId = id, limit, cursor }) => {
    if ((id ?? taskId) !== taskId) throw new SvcError('TASK_IDS_DIFFER', {});
    const key = parseTaskId(taskId);
    const page = { limit, after: cursor === undefined ? null : parseLogPlace(cursor) };
    return { question: { ...key, ...page }, load: () => buildTimeline(timeline, key, page) };
  });

  register(routes.poster, (given) => {
    const address = parseAddress(given.address);
    if (isEarlier(given, earlier)) return planEarlierPoster({ ...given, address }, earlier);
    const { protocolVersion: _, ...request } = { ...given, address };
    return planList(request, () => market.listByPoster(request));
  });

  register(routes.worker, (given) => {
    const request = { ...given, address: parseAddress(given.address) };
    return planList(request, () => market.listByWorker(request));
  });

  register(routes.concerns, (given) => {
    const request = { ...given, address: parseAddress(given.address) };
    // Not kept: the answer changes with time.
    return { market: given.market, load: () => listConcerns(request) };
  });

  register(routes.earnings, (given) => {
    const request = { ...given, address: parseAddress(given.address) };
    return { question: request, load: () => listEarnings(request) };
  });

  register(routes.ledger, (given) => {
    const request = { ...given, address: parseAddress(given.address) };
    const registryAddress = registryOf(given.market);
    return { question: request, load: () => buildLedger(ledger, { ...request, registryAddress }) };
  });
}

function requireMarket(key: TaskKey, market: Market | undefined): void {
  if (market !== undefined && market !== key.market)
    throw new SvcError('MARKET_MISMATCH', { market: key.market });
}

/** A request that names more costs more than a page of a list. */
const maxIds = 50;

/** One id, or several of one market, separated by commas. */
function parseTaskIds(text: string | undefined): readonly [TaskKey, ...TaskKey[]] {
  const [first, ...others] = (text ?? '').split(',');
  const key = parseTaskId(first);
  if (others.length >= maxIds) throw new SvcError('TOO_MANY_IDS', {});
  const keys = others.map(parseTaskId);
  if (keys.some(({ market }) => market !== key.market)) throw new SvcError('TASK_MARKETS_DIFFER', {});
  if (new Set([first, ...others]).size <= others.length) throw new SvcError('TASK_ID_REPEATED', {});
  return [key, ...keys];
}
