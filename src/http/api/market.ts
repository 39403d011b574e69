// /api/market/*, /api/poster/tasks, /api/worker/tasks and the ledger.
import type { FastifyInstance } from 'fastify';
import { type Address, parseAddress } from '#domain/address.ts';
import { SvcError } from '#domain/errors.ts';
import type { Market } from '#domain/market.ts';
import { parseTaskId } from '#domain/taskId.ts';
import {
  listQuerySchema,
  taskQuerySchema,
  walletListQuerySchema,
  walletQuerySchema,
} from '#schemas/requests.ts';
import { buildLedger, type LedgerSource } from '#service/ledger.ts';
import type { MarketService } from '#service/market.ts';
import { parseQuery } from '../query.ts';
import { type ReadContext, registerRead } from '../read.ts';

export type MarketRoutes = {
  readonly context: ReadContext;
  readonly market: MarketService;
  readonly ledger: LedgerSource;
  readonly registryOf: (market: Market) => Address;
};

export function registerMarketRoutes(
  app: FastifyInstance,
  { context, market, ledger, registryOf }: MarketRoutes,
) {
  registerRead(app, context, '/api/market/open', async (query) => {
    const page = parsePage(query);
    return { market: page.market, body: await market.listOpen(page) };
  });

  registerRead(app, context, '/api/market/recent', async (query) => {
    const page = parsePage(query);
    return { market: page.market, body: await market.listRecent(page) };
  });

  registerRead(app, context, '/api/market/task', async (query) => {
    const given = parseQuery(taskQuerySchema, query);
    const key = parseTaskId(given.id ?? given.taskId);
    if (given.market !== undefined && given.market !== key.market) {
      throw new SvcError('MARKET_MISMATCH', { market: key.market });
    }
    return { market: key.market, body: await market.getTask(key) };
  });

  registerRead(app, context, '/api/poster/tasks', async (query) => {
    const page = parseWalletPage(query);
    return { market: page.market, body: await market.listByPoster(page) };
  });

  registerRead(app, context, '/api/worker/tasks', async (query) => {
    const page = parseWalletPage(query);
    return { market: page.market, body: await market.listByWorker(page) };
  });

  registerRead(app, context, '/api/get-market-ledger', async (query) => {
    const given = parseQuery(walletQuerySchema, query);
    const account = { market: given.market, address: parseAddress(given.address) };
    const body = await buildLedger(ledger, { ...account, registryAddress: registryOf(given.market) });
    return { market: given.market, body: JSON.stringify(body) };
  });
}

function parsePage(query: unknown) {
  const { market, limit, cursor } = parseQuery(listQuerySchema, query);
  return { market, limit, before: cursor };
}

function parseWalletPage(query: unknown) {
  const { address, market, limit, cursor } = parseQuery(walletListQuerySchema, query);
  return { address: parseAddress(address), market, limit, before: cursor };
}
