// The site server: every route of /api on one port, hot reads before the router.

import { siteApi } from '@svc/sdk/schemas';
import type { FastifyInstance } from 'fastify';
import { createApp } from '../app.ts';
import { type ContractRoutes, registerContractRoutes } from '../contract.ts';
import { countResponses } from '../countResponses.ts';
import { type HealthRoutes, registerHealthRoutes } from '../health.ts';
import { answerHot, type Shortcut } from '../hot.ts';
import type { Metrics } from '../metrics.ts';
import type { ServerLimits } from '../nodeServer.ts';
import { type PageRoutes, registerPages } from '../pages.ts';
import type { ReadContext } from '../read.ts';
import { createRequestIds } from '../requestId.ts';
import { type AppLog, createRequestLog } from '../requestLog.ts';
import { type ChatRoutes, registerChatRoutes } from './chat.ts';
import { type EventRoutes, registerEventRoutes } from './events.ts';
import { type MarketRoutes, registerMarketRoutes } from './market.ts';
import { type PostingRoutes, registerPostingRoutes } from './posting.ts';
import { registerSiteRoutes, type SiteRoutes } from './site.ts';
import { createTaskShortcut } from './taskShortcut.ts';

export type SiteServerOptions = Omit<
  MarketRoutes & PostingRoutes & ChatRoutes & SiteRoutes & EventRoutes & HealthRoutes & ContractRoutes,
  'context' | 'now' | 'api'
> & {
  readonly pages: Omit<PageRoutes, 'context'>;
  readonly context: ReadContext;
  readonly metrics: Metrics;
  readonly log: AppLog;
  readonly trustedProxies: readonly string[];
  /** The usual ones unless given. */
  readonly limits?: ServerLimits | undefined;
};

export function createSiteServer(options: SiteServerOptions): FastifyInstance {
  const { context, metrics, log, trustedProxies, limits, isDraining } = options;
  const requestIdOf = createRequestIds();
  const logRequest = createRequestLog(log);
  // Where the earlier shape is the default, a plain address means another answer.
  const shortcut: Shortcut =
    options.earlier.defaultProtocol === 'v2' ? createTaskShortcut(options) : () => false;
  const app = createApp({
    log,
    requestIdOf,
    logRequest,
    trustedProxies,
    limits,
    isDraining,
    wrap: (next) => answerHot({ context, shortcut, requestIdOf, metrics, logRequest }, next),
  });
  countResponses(app, metrics);
  registerMarketRoutes(app, options);
  registerPostingRoutes(app, options);
  registerChatRoutes(app, options);
  registerSiteRoutes(app, options);
  registerHealthRoutes(app, { ...options, now: context.now });
  registerEventRoutes(app, options);
  registerContractRoutes(app, { ...options, api: siteApi });
  registerPages(app, { ...options.pages, context });
  return app;
}
