// /health for probes and people, /metrics for Prometheus.
import type { FastifyInstance } from 'fastify';

export type HealthState = {
  readonly head: { readonly number: bigint; readonly time: number };
  readonly seenAt: number;
  readonly startBlock: bigint;
  readonly historyFloor: bigint;
};

export type HealthRoutes = {
  readonly state: () => HealthState | null;
  readonly now: () => number;
  readonly metrics: () => string;
};

/** Blocks come every two seconds; this long without one and the chain, or the follower, is in trouble. */
const degradedAfterSeconds = 30;

export function registerHealthRoutes(app: FastifyInstance, { state, now, metrics }: HealthRoutes): void {
  app.get('/health', async (_request, reply) => {
    const known = state();
    reply.header('Cache-Control', 'no-store');
    if (known === null) return reply.status(503).send({ status: 'starting', ready: false });
    const age = Math.max(0, now() - known.head.time);
    return reply.send({
      status: age > degradedAfterSeconds ? 'degraded' : 'ok',
      ready: true,
      block: Number(known.head.number),
      blockAgeSeconds: age,
      history: {
        complete: known.historyFloor <= known.startBlock,
        fromBlock: Number(known.historyFloor),
        startBlock: Number(known.startBlock),
      },
    });
  });

  app.get('/metrics', async (_request, reply) =>
    reply.header('Cache-Control', 'no-store').type('text/plain; version=0.0.4').send(metrics()),
  );
}
