// /api/market/*, /api/poster/tasks, /api/worker/tasks and the ledger.

import type { Market } from '@svc/sdk/domain';
import { type Address, parseAddress, parseTaskId, SvcError } from '@svc/sdk/domain';
import { routes } from '@svc/sdk/schemas';
import type { FastifyInstance } from 'fastify';
import { buildLedger } from '#market/ledger.ts';
import type { MarketService } from '#market/market.ts';
import { buildTimeline, parseLogPlace, type TimelineSource } from '#market/timeline.ts';
import { type BuildPlan, planRead, type Reads } from '../reads.ts';
import { parseQuery } from '../requestFields.ts';
import {
  type EarlierMarket,
  isEarlier,
  planEarlierOpen,
  planEarlierPoster,
  planEarlierTask,
} from './earlier.ts';

export type MarketRoutes = {
  readonly reads: Reads;
  readonly market: MarketService;
  readonly earlier: EarlierMarket;
  readonly timeline: TimelineSource;
  readonly ledger: Parameters<typeof buildLedger>[0];
  readonly registryOf: (market: Market) => Address;
};

export function registerMarketRoutes(app: FastifyInstance, options: MarketRoutes): void {
  const { reads, market, earlier, timeline, ledger, registryOf } = options;
  const register = (path: string, plan: BuildPlan) => reads.register(app, path, plan);

  register(routes.open.path, (query) => {
    const given = parseQuery(routes.open.query, query);
    if (isEarlier(given, earlier)) return planEarlierOpen(given, earlier);
    const page = toPage(given);
    return planRead(page, () => market.listOpen(page));
  });

  register(routes.recent.path, (query) => {
    const page = toPage(parseQuery(routes.recent.query, query));
    return planRead(page, () => market.listRecent(page));
  });

  register(routes.task.path, (query) => {
    const given = parseQuery(routes.task.query, query);
    if (isEarlier(given, earlier)) return planEarlierTask(given, earlier);
    const key = parseTaskId(given.id ?? given.taskId);
    if (given.market !== undefined && given.market !== key.market) {
      throw new SvcError('MARKET_MISMATCH', { market: key.market });
    }
    // Not kept: there are too many tasks, and in a busy market no copy would be true for longer than a block.
    return { market: key.market, key: null, load: () => market.getTask(key) };
  });

  register(routes.timeline.path, (query) => {
    const { id, taskId, limit, cursor } = parseQuery(routes.timeline.query, query);
    const key = parseTaskId(id ?? taskId);
    const page = { limit, after: cursor === undefined ? null : parseLogPlace(cursor) };
    return planRead({ ...key, ...page }, async () =>
      JSON.stringify(await buildTimeline(timeline, key, page)),
    );
  });

  register(routes.poster.path, (query) => {
    const given = parseQuery(routes.poster.query, query);
    const address = parseAddress(given.address);
    if (isEarlier(given, earlier)) return planEarlierPoster({ ...given, address }, earlier);
    const page = { ...toPage(given), address };
    return planRead(page, () => market.listByPoster(page));
  });

  register(routes.worker.path, (query) => {
    const given = parseQuery(routes.worker.query, query);
    const page = { ...toPage(given), address: parseAddress(given.address) };
    return planRead(page, () => market.listByWorker(page));
  });

  register(routes.ledger.path, (query) => {
    const given = parseQuery(routes.ledger.query, query);
    const account = { market: given.market, address: parseAddress(given.address) };
    const registryAddress = registryOf(given.market);
    return planRead(account, async () =>
      JSON.stringify(await buildLedger(ledger, { ...account, registryAddress })),
    );
  });
}

type Page = { readonly market: Market; readonly limit: number; readonly cursor?: bigint | undefined };

function toPage({ market, limit, cursor }: Page) {
  return { market, limit, before: cursor };
}
