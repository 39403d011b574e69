// What site and gateway have in common: the application with its reads, health, documents and pages.
import { type Api, methodOf } from '@svc/sdk/internal/schemas/route';
import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import type { MarketService } from '../market/taskLists.ts';
import { type ApiDocuments, registerApiDocuments } from './apiDocuments.ts';
import { type AppOptions, createApp } from './app.ts';
import { isRead } from './crossOrigin.ts';
import { type HealthRoutes, registerHealthRoutes } from './health.ts';
import type { Metrics } from './metrics.ts';
import { type PageRoutes, registerPages } from './pages.ts';
import { createReads, nameUnknown, type ReadContext, type RegisterRead } from './reads.ts';
import { readTaskHead } from './taskHead.ts';

export type ServerOptions = AppOptions &
  HealthRoutes &
  Omit<ApiDocuments, 'api'> & {
    readonly context: ReadContext;
    readonly metrics: Metrics;
    readonly market: MarketService;
    readonly pages: Omit<PageRoutes, 'readTaskHead' | 'publicUrl'>;
  };

export function createServer(
  options: ServerOptions,
  api: Api,
): { readonly app: FastifyInstance; readonly registerRead: RegisterRead } {
  const app = createApp(options);
  nameUnknownParameters(app, api);
  registerHealthRoutes(app, options);
  registerApiDocuments(app, { ...options, api });
  const { pages, market, publicUrl } = options;
  registerPages(app, { ...pages, publicUrl, readTaskHead: (id) => readTaskHead(market, id) });
  return { app, registerRead: createReads(app, options.context) };
}

/** Every read of the contract names the parameters that it does not know. Pages are no reads: their scripts have their own. */
function nameUnknownParameters(app: FastifyInstance, { routes }: Api): void {
  const known = new Map(
    Object.values(routes)
      .filter((route) => methodOf(route) === 'get')
      .map(({ path, query }) => [path, Object.keys(query.shape)]),
  );
  app.addHook('onRoute', (route) => {
    const names = known.get(route.url);
    if (names === undefined) return;
    const nameThem: onRequestHookHandler = (request, reply, done) => {
      if (isRead(request.method)) nameUnknown(request, reply, names);
      done();
    };
    route.onRequest = [nameThem, ...[route.onRequest ?? []].flat()];
  });
}
