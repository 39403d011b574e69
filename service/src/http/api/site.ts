// /api/site-config, /api/union/overview and /api/wallet-name: small replies that come from a chain, not from rows.

import { type Market, parseAddress } from '@svc/sdk/domain';
import { routes } from '@svc/sdk/schemas';
import type { FastifyInstance } from 'fastify';
import { buildEarlierSiteConfig } from '#market/earlier.ts';
import type { FindName } from '#market/names.ts';
import type { SiteConfig } from '#market/siteConfig.ts';
import { createObjectReplies, marketKind, type ReadContext, send } from '../reads.ts';
import { createJsonKind, type ReplyKind } from '../reply.ts';
import { parseQuery } from '../requestFields.ts';
import { type EarlierMarket, isEarlier } from './earlier.ts';

export type SiteRoutes = {
  readonly context: ReadContext;
  readonly earlier: Pick<EarlierMarket, 'defaultProtocol'>;
  readonly siteConfig: (
    market: Market,
  ) => Promise<SiteConfig & { readonly chat: boolean; readonly names: boolean }>;
  readonly union: (market: Market) => Promise<object>;
  /** Undefined where no registry of names is configured. */
  readonly findName: FindName | undefined;
};

const nameKind = createJsonKind('public, max-age=60');
const configKind = createJsonKind('public, max-age=300');

export function registerSiteRoutes(app: FastifyInstance, options: SiteRoutes): void {
  const { context, earlier, siteConfig, union, findName } = options;

  register(routes.siteConfig.path, configKind, async (query) => {
    const given = parseQuery(routes.siteConfig.query, query);
    if (!isEarlier(given, earlier)) return siteConfig(given.market);
    return buildEarlierSiteConfig(await siteConfig('standard'));
  });

  register(routes.union.path, marketKind, (query) => union(parseQuery(routes.union.query, query).market));

  register(routes.walletName.path, nameKind, async (query) => {
    const address = parseAddress(parseQuery(routes.walletName.query, query).address);
    return { address, name: (await findName?.(address)) ?? null };
  });

  function register(path: string, kind: ReplyKind, load: (query: unknown) => Promise<object>): void {
    const replies = createObjectReplies(kind);
    app.route({
      method: ['GET', 'HEAD'],
      url: path,
      handler: async (request, reply) =>
        send(request, reply, context.headLines, replies(await load(request.query))),
    });
  }
}
