// A read route: validated, built from rows, kept as ready bytes until the market changes.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SvcError } from '#domain/errors.ts';
import type { Market } from '#domain/market.ts';
import { sendReady } from './conditional.ts';
import { buildReply, type ReadyReplies } from './readyReplies.ts';

export type HeadState = { readonly head: { readonly number: bigint; readonly time: number } };

export type ReadContext = {
  readonly ready: ReadyReplies;
  /** Null while nothing is known of the chain. */
  readonly state: () => HeadState | null;
  readonly version: (market: Market) => string;
  readonly now: () => number;
};

/** Blocks come every two seconds. */
export const marketCacheControl = 'public, max-age=2, stale-while-revalidate=10';

export type ReadResult = { readonly market: Market; readonly body: string };

export function registerRead(
  app: FastifyInstance,
  context: ReadContext,
  path: string,
  handle: (query: unknown) => Promise<ReadResult>,
  cacheControl = marketCacheControl,
): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: path,
    handler: async (request, reply) => {
      const { market, version, body } = await handleAt(context, handle, request.query);
      const built = buildReply(body, {
        contentType: 'application/json; charset=utf-8',
        cacheControl,
        version,
      });
      context.ready.save(request.url, { ...built, market });
      send(request, reply, context, built);
    },
  });
}

/** The version is taken before the rows are read: bytes may then be newer than their version, never older. */
async function handleAt(
  context: ReadContext,
  handle: (query: unknown) => Promise<ReadResult>,
  query: unknown,
) {
  const before = { standard: context.version('standard'), micro: context.version('micro') };
  if (context.state() === null) throw new SvcError('NOT_READY', {});
  const result = await handle(query);
  return { ...result, version: before[result.market] };
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  context: ReadContext,
  built: ReturnType<typeof buildReply>,
) {
  reply.hijack();
  sendReady(request.raw, reply.raw, built, blockHeaders(context));
}

/** How old the answer is: the block it shows, and that block's age. */
export function blockHeaders({ state, now }: Pick<ReadContext, 'state' | 'now'>): string[] {
  const head = state()?.head;
  if (head === undefined) return [];
  return ['Svc-Block', String(head.number), 'Svc-Block-Age', String(Math.max(0, now() - head.time))];
}
