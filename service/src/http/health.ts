// /health for probes and people, /metrics for Prometheus.

import { errorMessages } from '@svc/sdk/domain';
import { routes } from '@svc/sdk/schemas';
import type { FastifyInstance } from 'fastify';
import type { Metrics } from './metrics.ts';

export type HealthState = {
  readonly head: { readonly number: bigint; readonly time: number };
  readonly startBlock: bigint;
  readonly historyFloor: bigint;
};

export type HealthRoutes = {
  readonly state: () => HealthState | null;
  readonly now: () => number;
  readonly metrics: Metrics;
  /** Why the database takes no writes; null where it does. */
  readonly probeWrites: () => Promise<string | null>;
  /** Whether it is about to end; what comes is answered, but no more should come. */
  readonly isDraining: () => boolean;
};

/** Blocks come every two seconds; this long without one and the chain, or the follower, is in trouble. */
const degradedAfterSeconds = 30;

export function registerHealthRoutes(app: FastifyInstance, options: HealthRoutes): void {
  const { state, now, metrics, isDraining, probeWrites } = options;
  app.route({
    method: ['GET', 'HEAD'],
    url: routes.health.path,
    handler: async (request, reply) => {
      const known = state();
      reply
        .header('Cache-Control', 'no-store')
        .header('X-Request-Id', request.id)
        .header('Access-Control-Allow-Origin', '*');
      if (isDraining())
        return reply.status(503).send({ status: 'stopping', ready: false, error: errorMessages.STOPPING });
      if (known !== null) return reply.send(buildHealth(known, now(), await probeWrites()));
      return reply
        .status(503)
        .header('Retry-After', '2')
        .send({ status: 'starting', ready: false, error: errorMessages.NOT_READY });
    },
  });

  app.route({
    method: ['GET', 'HEAD'],
    url: routes.metrics.path,
    handler: async (request, reply) =>
      reply
        .header('Cache-Control', 'no-store')
        .header('X-Request-Id', request.id)
        .type('text/plain; version=0.0.4; charset=utf-8')
        .send(metrics.format()),
  });
}

function buildHealth({ head, historyFloor, startBlock }: HealthState, now: number, refusal: string | null) {
  const age = Math.max(0, now - head.time);
  const isStale = age > degradedAfterSeconds;
  return {
    status: isStale || refusal !== null ? 'degraded' : 'ok',
    ready: true,
    writable: refusal === null,
    reason: refusal ?? (isStale ? `No block for ${age} seconds.` : null),
    block: Number(head.number),
    blockAgeSeconds: age,
    history: {
      complete: historyFloor <= startBlock,
      fromBlock: Number(historyFloor),
      startBlock: Number(startBlock),
    },
  };
}
