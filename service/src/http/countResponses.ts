// Counts responses by route and status.
import type { FastifyInstance } from 'fastify';
import type { Metrics } from './metrics.ts';

/** Looked up once for each route and status, since building labels costs more than counting. */
export function countResponses(app: FastifyInstance, metrics: Metrics): void {
  const counters = new Map<string, () => void>();
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown');
    const key = `${reply.raw.statusCode}${route}`;
    let count = counters.get(key);
    if (count === undefined) {
      count = metrics.counter('requests', { route, status: String(reply.raw.statusCode) });
      counters.set(key, count);
    }
    count();
    done();
  });
}
