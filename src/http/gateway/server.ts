// The gateway: /v1 on a port of its own, with the site's routes under /api beside it.
import type { RequestListener } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { createApp } from '../app.ts';
import { countResponses } from '../countResponses.ts';
import { type HealthRoutes, registerHealthRoutes } from '../health.ts';
import { createRequestIds } from '../requestId.ts';
import { type AppLog, createRequestLog } from '../requestLog.ts';
import { type RequestRoutes, registerRequestRoutes } from './requests.ts';

export type GatewayServerOptions = RequestRoutes &
  HealthRoutes & {
    readonly log: AppLog;
    /** Answers what is asked under /api, so that pages here need no request to another origin. */
    readonly site: RequestListener;
  };

export function createGatewayServer(options: GatewayServerOptions): FastifyInstance {
  const { log, site, metrics } = options;
  const app = createApp({
    log,
    requestIdOf: createRequestIds(),
    logRequest: createRequestLog(log),
    wrap: (next) => (request, response) =>
      (request.url?.startsWith('/api/') ? site : next)(request, response),
  });
  countResponses(app, metrics);
  registerRequestRoutes(app, options);
  registerHealthRoutes(app, options);
  return app;
}
