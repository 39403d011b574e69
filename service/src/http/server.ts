// What site and gateway have in common: the application with its reads, health, documents and pages.
import type { Api } from '@svc/sdk/schemas';
import type { FastifyInstance } from 'fastify';
import type { MarketService } from '#market/taskLists.ts';
import { type ApiDocuments, registerApiDocuments } from './apiDocuments.ts';
import { type AppOptions, createApp } from './app.ts';
import { type HealthRoutes, registerHealthRoutes } from './health.ts';
import type { Metrics } from './metrics.ts';
import { type PageRoutes, registerPages } from './pages.ts';
import { createReads, type ReadContext, type RegisterRead } from './reads.ts';
import { readTaskHead } from './taskHead.ts';

export type ServerOptions = AppOptions &
  HealthRoutes &
  Omit<ApiDocuments, 'api'> & {
    readonly context: ReadContext;
    readonly metrics: Metrics;
    readonly market: MarketService;
    readonly pages: Omit<PageRoutes, 'readTaskHead'>;
  };

export function createServer(
  options: ServerOptions,
  api: Api,
): { readonly app: FastifyInstance; readonly registerRead: RegisterRead } {
  const app = createApp(options);
  registerHealthRoutes(app, options);
  registerApiDocuments(app, { ...options, api });
  registerPages(app, { ...options.pages, readTaskHead: (id) => readTaskHead(options.market, id) });
  return { app, registerRead: createReads(app, options.context) };
}
