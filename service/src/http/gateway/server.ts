// The gateway server: /v1, with the site's routes under /api on the same port.
import type { RequestListener } from 'node:http';
import { gatewayApi } from '@svc/sdk/schemas';
import type { FastifyInstance } from 'fastify';
import { createReadApp } from '../app.ts';
import { type ContractRoutes, registerContractRoutes } from '../contract.ts';
import { type DiscoveryRoutes, registerDiscoveryRoutes } from '../discoveryRoutes.ts';
import { type HealthRoutes, registerHealthRoutes } from '../health.ts';
import type { ServerLimits } from '../nodeServer.ts';
import { type PageRoutes, registerPages } from '../pages.ts';
import type { AppLog } from '../requestLog.ts';
import { readTaskHead } from '../taskHead.ts';
import { type ClaimRoutes, registerClaimRoutes } from './claim.ts';
import { type FileRoutes, registerFileRoutes } from './files.ts';
import { type MailboxRoutes, registerMailboxRoutes } from './mailbox.ts';
import { type GatewayReads, registerGatewayReads } from './market.ts';
import { type MessageRoutes, registerMessageRoutes } from './messages.ts';
import { type PaidReads, registerPaidReads } from './paidReads.ts';
import { type RequestRoutes, registerRequestRoutes } from './requests.ts';
import { registerSessionRoutes, type SessionRoutes } from './sessions.ts';

export type GatewayServerOptions = Omit<GatewayReads, 'reads'> &
  ClaimRoutes &
  PaidReads &
  RequestRoutes &
  SessionRoutes &
  FileRoutes &
  MessageRoutes &
  MailboxRoutes &
  HealthRoutes &
  DiscoveryRoutes &
  Omit<ContractRoutes, 'api'> & {
    readonly pages: Omit<PageRoutes, 'context' | 'readTaskHead'>;
    readonly log: AppLog;
    readonly trustedProxies?: readonly string[] | undefined;
    /** The defaults unless given. */
    readonly limits?: ServerLimits | undefined;
    /** Answers /api, so that pages served here need no other origin. */
    readonly site: RequestListener;
  };

export function createGatewayServer(options: GatewayServerOptions): FastifyInstance {
  const { log, site, metrics, context, limits, isDraining, trustedProxies = [] } = options;
  const { app, reads } = createReadApp({
    log,
    context,
    metrics,
    limits,
    trustedProxies,
    isDraining,
    wrap: (own) => (request, response) => (request.url?.startsWith('/api/') ? site : own)(request, response),
  });
  registerGatewayReads(app, { ...options, reads });
  registerPaidReads(app, options);
  registerClaimRoutes(app, options);
  registerRequestRoutes(app, options);
  registerSessionRoutes(app, options);
  registerFileRoutes(app, options);
  registerMessageRoutes(app, options);
  registerMailboxRoutes(app, options);
  registerHealthRoutes(app, options);
  registerContractRoutes(app, { ...options, api: gatewayApi });
  registerDiscoveryRoutes(app, options);
  registerPages(app, { ...options.pages, context, readTaskHead: (id) => readTaskHead(options.market, id) });
  return app;
}
