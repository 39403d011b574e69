// The site server: every route of /api on one port, hot reads before the router.
import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { type AppLog, createApp } from '../app.ts';
import { answerHot } from '../hot.ts';
import type { Metrics } from '../metrics.ts';
import type { ReadContext } from '../read.ts';
import { type EventRoutes, registerEventRoutes } from './events.ts';
import { type HealthRoutes, registerHealthRoutes } from './health.ts';
import { type MarketRoutes, registerMarketRoutes } from './market.ts';
import { registerSiteRoutes, type SiteRoutes } from './site.ts';

export type SiteServerOptions = Omit<MarketRoutes, 'context'> &
  Omit<SiteRoutes, 'context'> &
  Pick<EventRoutes, 'changes' | 'listen'> &
  Pick<HealthRoutes, 'state'> & {
    readonly context: ReadContext;
    readonly metrics: Metrics;
    readonly log: AppLog;
  };

export function createSiteServer(options: SiteServerOptions): FastifyInstance {
  const { context, metrics, log } = options;
  const streams = new Set<ServerResponse>();
  const app = createApp({
    log,
    wrap: (next) => answerHot(context, () => metrics.count('requests', { route: 'hot' }), next),
  });
  app.addHook('onRequest', async (request) => {
    metrics.count('requests', { route: request.routeOptions.url ?? 'unknown' });
  });
  // A stream never ends by itself, so a graceful stop ends it.
  app.addHook('preClose', async () => {
    for (const response of streams) response.end();
  });
  registerMarketRoutes(app, options);
  registerSiteRoutes(app, options);
  registerHealthRoutes(app, { state: options.state, now: context.now, metrics: metrics.format });
  registerEventRoutes(app, {
    changes: options.changes,
    listen: options.listen,
    onOpen: (response) => {
      streams.add(response);
      response.once('close', () => streams.delete(response));
    },
  });
  metrics.gauge('event_streams', () => streams.size);
  return app;
}
