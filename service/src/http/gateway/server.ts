// The gateway: /v1 on a port of its own, with the site's routes under /api beside it.
import type { RequestListener } from 'node:http';
import { gatewayApi } from '@svc/sdk/schemas';
import type { FastifyInstance } from 'fastify';
import { createApp } from '../app.ts';
import { type ContractRoutes, registerContractRoutes } from '../contract.ts';
import { countResponses } from '../countResponses.ts';
import { type HealthRoutes, registerHealthRoutes } from '../health.ts';
import { answerHot } from '../hot.ts';
import type { ServerLimits } from '../nodeServer.ts';
import { type PageRoutes, registerPages } from '../pages.ts';
import { createRequestIds } from '../requestId.ts';
import { type AppLog, createRequestLog } from '../requestLog.ts';
import { type ClaimRoutes, registerClaimRoutes } from './claim.ts';
import { type GatewayReads, registerGatewayReads } from './market.ts';
import { type PaidReads, registerPaidReads } from './paidReads.ts';
import { type RequestRoutes, registerRequestRoutes } from './requests.ts';

export type GatewayServerOptions = GatewayReads &
  ClaimRoutes &
  PaidReads &
  RequestRoutes &
  HealthRoutes &
  Omit<ContractRoutes, 'api'> & {
    readonly pages: Omit<PageRoutes, 'context'>;
    readonly log: AppLog;
    /** The usual ones unless given. */
    readonly limits?: ServerLimits | undefined;
    /** Answers what is asked under /api, so that pages here need no request to another origin. */
    readonly site: RequestListener;
  };

export function createGatewayServer(options: GatewayServerOptions): FastifyInstance {
  const { log, site, metrics, context, limits, isDraining } = options;
  const requestIdOf = createRequestIds();
  const logRequest = createRequestLog(log);
  const app = createApp({
    log,
    requestIdOf,
    logRequest,
    limits,
    isDraining,
    wrap: (next) => {
      const own = answerHot({ context, requestIdOf, metrics, logRequest }, next);
      return (request, response) => (request.url?.startsWith('/api/') ? site : own)(request, response);
    },
  });
  countResponses(app, metrics);
  registerGatewayReads(app, options);
  registerPaidReads(app, options);
  registerClaimRoutes(app, options);
  registerRequestRoutes(app, options);
  registerHealthRoutes(app, options);
  registerContractRoutes(app, { ...options, api: gatewayApi });
  registerPages(app, { ...options.pages, context });
  return app;
}
