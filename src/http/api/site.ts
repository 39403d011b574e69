// /api/site-config and /api/union/overview: small answers that come from the chain, not from rows.
import type { FastifyInstance } from 'fastify';
import type { Market } from '#domain/market.ts';
import { marketQuerySchema } from '#schemas/requests.ts';
import { sendReady } from '../conditional.ts';
import { parseQuery } from '../query.ts';
import { blockHeaders, marketCacheControl, type ReadContext } from '../read.ts';
import { buildReply } from '../readyReplies.ts';

export type SiteRoutes = {
  readonly context: ReadContext;
  readonly siteConfig: (market: Market) => Promise<object>;
  readonly union: (market: Market) => Promise<object>;
};

export function registerSiteRoutes(app: FastifyInstance, { context, siteConfig, union }: SiteRoutes): void {
  register('/api/site-config', siteConfig, 'public, max-age=300');
  register('/api/union/overview', union, marketCacheControl);

  function register(path: string, build: (market: Market) => Promise<object>, cacheControl: string): void {
    app.route({
      method: ['GET', 'HEAD'],
      url: path,
      handler: async (request, reply) => {
        const { market } = parseQuery(marketQuerySchema, request.query);
        const body = JSON.stringify(await build(market));
        const contentType = 'application/json; charset=utf-8';
        const built = buildReply(body, { contentType, cacheControl, version: '' });
        reply.hijack();
        sendReady(request.raw, reply.raw, built, blockHeaders(context));
      },
    });
  }
}
