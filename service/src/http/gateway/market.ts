// /v1/market/*, /v1/tasks/:id, the leaderboards, market health, fees and treasury.

import type { Market } from '@svc/sdk/domain';
import { parseTaskId, SvcError, type TaskKey } from '@svc/sdk/domain';
import type {
  Fees,
  MarketHealth,
  ReputationBoard,
  Treasury,
  TreasuryHistory,
  VerifierBoard,
} from '@svc/sdk/schemas';
import {
  agentBoardQuerySchema,
  boardQuerySchema,
  gatewayRoutes,
  gatewayTaskQuerySchema,
  historyQuerySchema,
} from '@svc/sdk/schemas';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { cutBoard } from '#market/boards.ts';
import type { MarketService } from '#market/market.ts';
import { createObjectReplies, marketKind, planRead, type ReadContext, type Reads, send } from '../reads.ts';
import { parseQuery } from '../requestFields.ts';

export type GatewayReads = {
  readonly context: ReadContext;
  readonly reads: Reads;
  readonly market: MarketService;
  readonly boards: {
    readonly reputation: (market: Market) => Promise<ReputationBoard>;
    readonly verifiers: (market: Market) => Promise<VerifierBoard>;
    readonly treasury: (market: Market) => Promise<Treasury>;
    readonly treasuryHistory: (market: Market) => Promise<TreasuryHistory>;
    readonly health: (market: Market) => Promise<MarketHealth>;
    readonly fees: (market: Market) => Promise<Fees>;
  };
};

export function registerGatewayReads(
  app: FastifyInstance,
  { context, reads, market, boards }: GatewayReads,
): void {
  reads.register(app, gatewayRoutes.gatewayOpen, (request) =>
    planRead(request, () => market.listOpen(request)),
  );
  reads.register(app, gatewayRoutes.gatewayRecent, (request) =>
    planRead(request, () => market.listRecent(request)),
  );

  reads.register(app, gatewayRoutes.gatewayTask, (query, params) => {
    const key = parseGatewayTaskId((params as { id: string }).id, query);
    return { market: key.market, key: null, load: () => market.getTask(key) };
  });

  registerBoard(gatewayRoutes.reputation.path, agentBoardQuerySchema, async ({ market: of, ...part }) =>
    cutBoard(await boards.reputation(of), 'agents', part),
  );
  registerBoard(gatewayRoutes.verifiers.path, agentBoardQuerySchema, async ({ market: of, ...part }) =>
    cutBoard(await boards.verifiers(of), 'verifiers', part),
  );
  registerBoard(gatewayRoutes.treasury.path, agentBoardQuerySchema, async ({ market: of, ...part }) =>
    cutBoard(await boards.treasury(of), 'agents', part),
  );
  registerBoard(gatewayRoutes.treasuryHistory.path, historyQuerySchema, ({ market: of }) =>
    boards.treasuryHistory(of),
  );
  registerBoard(gatewayRoutes.marketHealth.path, historyQuerySchema, ({ market: of }) => boards.health(of));
  registerBoard(gatewayRoutes.fees.path, boardQuerySchema, ({ market: of }) => boards.fees(of));

  function registerBoard<Query>(
    path: string,
    schema: z.ZodType<Query>,
    load: (query: Query) => Promise<object>,
  ): void {
    const replies = createObjectReplies(marketKind);
    app.route({
      method: ['GET', 'HEAD'],
      url: path,
      handler: async (request, reply) => {
        const query = parseQuery(schema, request.query);
        send(request, reply, context.headLines, replies(await load(query)));
      },
    });
  }
}

/** A plain number is a task of the market in the query. */
export function parseGatewayTaskId(id: string, query: unknown): TaskKey {
  const { market } = parseQuery(gatewayTaskQuerySchema, query);
  if (/^[0-9]+$/.test(id)) return parseTaskId(`v2:${market ?? 'standard'}:${id}`);
  const key = parseTaskId(id);
  if (market !== undefined && market !== key.market)
    throw new SvcError('MARKET_MISMATCH', { market: key.market });
  return key;
}
