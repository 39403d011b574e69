// The site server: every route of /api on one port.

import { siteApi } from '@svc/sdk/schemas';
import type { FastifyInstance } from 'fastify';
import { createReadApp } from '../app.ts';
import { type ContractRoutes, registerContractRoutes } from '../contract.ts';
import { type DiscoveryRoutes, registerDiscoveryRoutes } from '../discoveryRoutes.ts';
import { type HealthRoutes, registerHealthRoutes } from '../health.ts';
import type { Metrics } from '../metrics.ts';
import type { ServerLimits } from '../nodeServer.ts';
import { type PageRoutes, registerPages } from '../pages.ts';
import type { ReadContext } from '../reads.ts';
import type { AppLog } from '../requestLog.ts';
import { readTaskHead } from '../taskHead.ts';
import { type ChatRoutes, registerChatRoutes } from './chat.ts';
import { type EventRoutes, registerEventRoutes } from './events.ts';
import { type MarketRoutes, registerMarketRoutes } from './market.ts';
import { type PostingRoutes, registerPostingRoutes } from './posting.ts';
import { registerSiteRoutes, type SiteRoutes } from './site.ts';

export type SiteServerOptions = Omit<
  MarketRoutes &
    PostingRoutes &
    ChatRoutes &
    SiteRoutes &
    EventRoutes &
    HealthRoutes &
    ContractRoutes &
    DiscoveryRoutes,
  'context' | 'reads' | 'now' | 'api'
> & {
  readonly pages: Omit<PageRoutes, 'context' | 'readTaskHead'>;
  readonly context: ReadContext;
  readonly metrics: Metrics;
  readonly log: AppLog;
  readonly trustedProxies: readonly string[];
  /** The defaults unless given. */
  readonly limits?: ServerLimits | undefined;
};

export function createSiteServer(options: SiteServerOptions): FastifyInstance {
  const { context, metrics, log, trustedProxies, limits, isDraining } = options;
  const { app, reads } = createReadApp({ log, context, metrics, trustedProxies, limits, isDraining });
  registerMarketRoutes(app, { ...options, reads });
  registerPostingRoutes(app, options);
  registerChatRoutes(app, options);
  registerSiteRoutes(app, options);
  registerHealthRoutes(app, { ...options, now: context.now });
  registerEventRoutes(app, options);
  registerContractRoutes(app, { ...options, api: siteApi });
  registerDiscoveryRoutes(app, options);
  registerPages(app, { ...options.pages, context, readTaskHead: (id) => readTaskHead(options.market, id) });
  return app;
}
