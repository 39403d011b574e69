// /v1/market/*, /v1/tasks/:id, the leaderboards, market health, fees and treasury.

import { type Market, parseTaskId, SvcError, type TaskKey } from '@svc/sdk/domain';
import { gatewayRoutes } from '../../contract/apis.ts';
import { cutBoard } from '../../market/boards.ts';
import type { Boards } from '../../market/liveBoards.ts';
import type { MarketService } from '../../market/taskLists.ts';
import { planList, type RegisterRead } from '../reads.ts';

export type GatewayReads = {
  readonly market: MarketService;
  readonly boards: Boards;
};

export function registerGatewayReads(register: RegisterRead, { market, boards }: GatewayReads): void {
  register(gatewayRoutes.gatewayOpen, (request) => planList(request, () => market.listOpen(request)));
  register(gatewayRoutes.gatewayRecent, (request) => planList(request, () => market.listRecent(request)));
  register(gatewayRoutes.gatewayTask, (query, { id }) => {
    const key = parseGatewayTaskId(id, query);
    return { market: key.market, load: () => market.getTask(key) };
  });
  register(gatewayRoutes.reputation, ({ market: of, ...part }) => ({
    load: async (moment) => cutBoard(await boards.reputation(of, moment), 'agents', part),
  }));
  register(gatewayRoutes.verifiers, ({ market: of, ...part }) => ({
    load: async (moment) => cutBoard(await boards.verifiers(of, moment), 'verifiers', part),
  }));
  register(gatewayRoutes.treasury, ({ market: of, ...part }) => ({
    load: async (moment) => cutBoard(await boards.treasury(of, moment), 'agents', part),
  }));
  register(gatewayRoutes.treasuryHistory, ({ market: of }) => ({
    load: (moment) => boards.treasuryHistory(of, moment),
  }));
  register(gatewayRoutes.marketHealth, ({ market: of }) => ({ load: (moment) => boards.health(of, moment) }));
  register(gatewayRoutes.fees, ({ market: of }) => ({ load: (moment) => boards.fees(of, moment) }));
}

/** A plain number is a task of the market in the query. */
export function parseGatewayTaskId(
  id: string,
  { market }: { readonly market?: Market | undefined },
): TaskKey {
  if (/^[0-9]+$/.test(id)) return parseTaskId(`v2:${market ?? 'standard'}:${id}`);
  const key = parseTaskId(id);
  if (market !== undefined && market !== key.market)
    throw new SvcError('MARKET_MISMATCH', { market: key.market });
  return key;
}
