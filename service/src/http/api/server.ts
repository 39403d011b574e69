// The site server: every route of /api on one port.

import type { FastifyInstance } from 'fastify';
import { siteApi } from '../../contract/apis.ts';
import { createServer, type ServerOptions } from '../server.ts';
import { type ChatRoutes, registerChatRoutes } from './chat.ts';
import { type EventRoutes, registerEventRoutes } from './events.ts';
import { type MarketRoutes, registerMarketRoutes } from './market.ts';
import { type PostingRoutes, registerPostingRoutes } from './posting.ts';
import { registerSiteRoutes, type SiteRoutes } from './site.ts';

type SiteServerOptions = ServerOptions & MarketRoutes & PostingRoutes & ChatRoutes & SiteRoutes & EventRoutes;

export function createSiteServer(options: SiteServerOptions): FastifyInstance {
  const { app, registerRead } = createServer(options, siteApi);
  registerMarketRoutes(registerRead, options);
  registerSiteRoutes(registerRead, options);
  registerPostingRoutes(app, options);
  registerChatRoutes(app, options);
  registerEventRoutes(app, options);
  return app;
}
