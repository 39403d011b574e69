// /api/posting/*: the daily quota, recorded posts, and plans.

import { parseAddress, parseTaskId, SvcError } from '@svc/sdk/domain';
import { daySeconds, type Quota } from '@svc/sdk/internal/domain/posting';
import type { ProtocolVersion } from '@svc/sdk/internal/schemas/queries';
import type { RequestBody, Route } from '@svc/sdk/internal/schemas/route';
import { routes } from '@svc/sdk/internal/schemas/routes';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PlanQuotes } from '../../posting/planQuote.ts';
import type { Upgrade, UpgradedQuota } from '../../posting/planUpgrade.ts';
import type { Posting } from '../../posting/postingQuota.ts';
import { createRateLimit, toNetwork } from '../rateLimit.ts';
import type { ReadContext, ReadRoute } from '../reads.ts';
import { parseBody, parseQuery } from '../requestFields.ts';
import { type EarlierMarket, isEarlier } from './earlier.ts';

export type PostingRoutes = {
  readonly context: Pick<ReadContext, 'state' | 'now'>;
  readonly earlier: Pick<EarlierMarket, 'defaultProtocol'>;
  readonly posting: Posting;
  readonly upgradePlan: (upgrade: Upgrade) => Promise<UpgradedQuota>;
  readonly planQuotes: PlanQuotes;
  /** Of one client. */
  readonly writesPerMinute: number;
};

export function registerPostingRoutes(app: FastifyInstance, options: PostingRoutes): void {
  const { context, earlier, posting, upgradePlan, planQuotes } = options;
  const writes = createRateLimit({ name: 'writes', limit: options.writesPerMinute });

  registerQuota(routes.quota, async ({ query, ip }) => {
    const { address, market } = parseQuery(routes.quota.query, query);
    return () => posting.getQuota({ market, address: parseAddress(address), caller: toNetwork(ip) });
  });

  registerQuota(routes.check, async ({ body, ip }) => {
    const { address, market } = parseBody(routes.check.body.schema, body);
    return () => posting.check({ market, address: parseAddress(address), caller: toNetwork(ip) });
  });

  registerQuota(routes.record, async ({ query, body, ip }, reply) => {
    requireAddress(body);
    const { protocolVersion } = parseQuery(routes.record.query, query);
    const post = parsePost(body, protocolVersion, earlier);
    writes.take(ip, reply);
    return () => posting.record({ ...post, caller: toNetwork(ip) });
  });

  registerQuota(routes.upgrade, async ({ query, body, ip }, reply) => {
    requireAddress(body);
    const { protocolVersion } = parseQuery(routes.upgrade.query, query);
    const { address, ...given } = parseBody(routes.upgrade.body.schema, body);
    // The body is the same in both shapes, but for the market, of which the earlier one knows one only.
    isEarlier({ protocolVersion, market: given.market }, earlier);
    writes.take(ip, reply);
    return () =>
      upgradePlan({
        ...given,
        payWith: given.payWith,
        address: parseAddress(address),
        caller: toNetwork(ip),
      });
  });

  register(routes.quote, async ({ query }) => {
    const { address, ...given } = parseQuery(routes.quote.query, query);
    return planQuotes.quote({ ...given, address: parseAddress(address) });
  });

  register(routes.tokPreview, async ({ query }) => {
    const { market, tier } = parseQuery(routes.tokPreview.query, query);
    return planQuotes.preview(market, tier);
  });

  /** Validates the request before reading the quota; the result is a quota, or an error that contains one. */
  function registerQuota(
    route: Route,
    plan: (request: FastifyRequest, reply: FastifyReply) => Promise<() => Promise<Quota>>,
  ): void {
    register(route, async (request, reply) => {
      const load = await plan(request, reply);
      if (context.state() === null) throw new SvcError('NOT_READY', {});
      try {
        const quota = await load();
        tellLimit(reply, quota, context.now());
        return quota;
      } catch (error) {
        const isFull = error instanceof SvcError && error.code === 'POSTING_LIMIT';
        if (isFull) tellLimit(reply, error.details.quota as Quota, context.now());
        throw error;
      }
    });
  }

  function register(
    route: ReadRoute & { readonly body?: RequestBody },
    load: (request: FastifyRequest, reply: FastifyReply) => Promise<object>,
  ): void {
    const isPost = route.body !== undefined;
    app.route({
      method: isPost ? 'POST' : ['GET', 'HEAD'],
      url: route.path,
      handler: load,
    });
  }
}

/** Reported before other errors, including those of the query; every body has this field. */
function requireAddress(body: unknown): void {
  parseBody(routes.record.body.schema.pick({ address: true }), body);
}

/** The record body of either shape. */
function parsePost(
  body: unknown,
  protocolVersion: ProtocolVersion | undefined,
  earlier: Pick<EarlierMarket, 'defaultProtocol'>,
) {
  if ((protocolVersion ?? earlier.defaultProtocol) === 'v1') {
    const { address, taskId, txHash, market } = parseBody(routes.record.body.earlier, body);
    isEarlier({ protocolVersion: 'v1', market }, earlier);
    // The budget is at the price of another moment, so it cannot be compared with what the chain says.
    const key = { market: 'standard', number: taskId } as const;
    return { ...key, address: parseAddress(address), txHash, amountTokWei: null };
  }
  const { address, taskId, txHash, taskAmountTok, market } = parseBody(routes.record.body.schema, body);
  const key = parseTaskId(taskId);
  if (market !== undefined && market !== key.market)
    throw new SvcError('MARKET_MISMATCH', { market: key.market });
  return { ...key, address: parseAddress(address), txHash, amountTokWei: taskAmountTok };
}

function tellLimit(reply: FastifyReply, { limit, remaining, resetsAt }: Quota, now: number): void {
  reply.header('RateLimit-Policy', `"posting";q=${limit};w=${daySeconds}`);
  reply.header('RateLimit', `"posting";r=${remaining};t=${Math.max(0, resetsAt - now)}`);
}
