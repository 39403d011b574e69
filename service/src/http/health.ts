// /health for probes and people, /metrics for Prometheus.

import { SvcError } from '@svc/sdk/domain';
import { errorMessages } from '@svc/sdk/internal/domain/errors';
import { routes } from '@svc/sdk/internal/schemas/routes';
import type { FastifyInstance } from 'fastify';
import { registerGet } from './app.ts';
import type { Metrics } from './metrics.ts';

type HealthState = {
  readonly head: { readonly number: bigint; readonly time: number };
};

type CatchUp = {
  readonly block: number;
  readonly target: number;
  /** From 0 to 1. */
  readonly share: number;
  readonly seconds: number | null;
};

export type HealthRoutes = {
  readonly state: () => HealthState | null;
  /** How far the first reading of the chain is; null where none is under way. */
  readonly loadCatchUp: () => Promise<CatchUp | null>;
  readonly now: () => number;
  readonly metrics: Metrics;
  /** Why the database takes no writes; null where it does. */
  readonly probeWrites: () => Promise<string | null>;
  /** Whether the database answers a read. */
  readonly probeReads: () => Promise<boolean>;
  /** Whether the chain answers. */
  readonly probeChain: () => Promise<boolean>;
  /** Whether it is about to end; what comes is answered, but no more should come. */
  readonly isDraining: () => boolean;
};

/** Blocks come every two seconds; this long without one and the chain, or the indexer, is in trouble. */
const degradedAfterSeconds = 30;

export function registerHealthRoutes(app: FastifyInstance, options: HealthRoutes): void {
  const { state, loadCatchUp, now, metrics, isDraining, probeReads, probeWrites, probeChain } = options;
  registerGet(app, routes.health.path, async (_request, reply) => {
    const known = state();
    const [isReadable, refusal, hasChain] = await Promise.all([probeReads(), probeWrites(), probeChain()]);
    if (known !== null && !isDraining() && isReadable) return buildHealth(known, now(), refusal, hasChain);
    reply.status(503);
    if (isDraining()) return { status: 'stopping', ready: false, error: errorMessages.STOPPING };
    reply.header('Retry-After', '2');
    if (known !== null)
      return { status: 'unreachable', ready: false, error: errorMessages.STORE_UNREACHABLE };
    const catchUp = isReadable ? await loadCatchUp() : null;
    if (catchUp !== null) return buildCatchingUp(catchUp);
    return { status: 'starting', ready: false, error: errorMessages.NOT_READY };
  });

  registerGet(
    app,
    routes.metrics.path,
    async (_request, reply) => reply.type(metrics.contentType).send(await metrics.format()),
    { crossOrigin: 'none' },
  );
}

function buildCatchingUp({ block, target, share, seconds }: CatchUp) {
  const percent = Math.floor(100 * share);
  const error = new SvcError('CATCHING_UP', { percent: String(percent) }).message;
  return { status: 'catching_up', ready: false, error, block, target, percent, seconds };
}

/** What reads the chain at the moment of the request. */
const needChain = ['claims', 'receipts', 'record'] as const;

function buildHealth({ head }: HealthState, now: number, refusal: string | null, hasChain: boolean) {
  const age = Math.max(0, now - head.time);
  const stale = age > degradedAfterSeconds ? `No block for ${age} seconds.` : null;
  const reason = refusal ?? (hasChain ? stale : 'The chain does not answer.');
  return {
    status: reason === null ? 'ok' : 'degraded',
    ready: refusal === null,
    writable: refusal === null,
    cannot: [...(hasChain ? [] : needChain), ...(refusal === null ? [] : ['writes'])],
    reason,
    block: Number(head.number),
    blockAgeSeconds: age,
  };
}
