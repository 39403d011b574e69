// A read route: validated, built from rows, kept as ready bytes until the market changes.

import type { Market } from '@svc/sdk/domain';
import { SvcError } from '@svc/sdk/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { stringify } from 'viem';
import { sendReady } from './conditional.ts';
import type { ReadyReplies, ReplySource } from './readyReplies.ts';
import { buildReply, createJsonKind, type ReadyReply } from './readyReply.ts';
import type { Stamp, StampContext } from './stamp.ts';

export type ReadContext = StampContext & {
  readonly ready: ReadyReplies;
  readonly version: (market: Market) => string;
  readonly stamp: Stamp;
};

/** Blocks come every two seconds. */
export const marketKind = createJsonKind('public, max-age=2, stale-while-revalidate=10');

/** What a valid query asks for. */
export type ReadPlan = {
  readonly market: Market;
  /** The question in its one spelling, to remember the answer by; null where the answer must not be remembered. */
  readonly key: string | null;
  readonly load: () => Promise<string>;
};

/** What a question is, is all that its answer depends on; so it is also what the answer is remembered by. */
export function planRead(question: { readonly market: Market }, load: () => Promise<string>): ReadPlan {
  const key = stringify(question);
  return { market: question.market, key, load };
}

/** Longer URLs are answered like any other, but not remembered. */
const maxRememberedUrl = 512;

export function registerRead(
  app: FastifyInstance,
  context: ReadContext,
  path: string,
  plan: (query: unknown, params: unknown) => ReadPlan,
): void {
  const take = createTake(context, path);
  app.route({
    method: ['GET', 'HEAD'],
    url: path,
    handler: async (request, reply) => {
      const planned = plan(request.query, request.params);
      if (context.state() === null) throw new SvcError('NOT_READY', {});
      send(request, reply, context.stamp, await take(planned, request.url));
    },
  });
}

/** Sends bytes that are ready, past Fastify's own ways. */
export function send(request: FastifyRequest, reply: FastifyReply, stamp: Stamp, ready: ReadyReply): void {
  reply.hijack();
  sendReady(request.raw, reply.raw, ready, stamp, request.id);
}

function createTake({ ready, version }: ReadContext, path: string) {
  const flights = new Map<string, Promise<ReadyReply>>();

  /** Many who ask the same at once, as they do after each change, cost one look into the database. */
  function fly(plan: ReadPlan, key: string, source: ReplySource): Promise<ReadyReply> {
    const name = `${source.version} ${key}`;
    const under = flights.get(name);
    if (under !== undefined) return under;
    const flight = buildFrom(plan)
      .then((reply) => {
        ready.save(key, reply, source);
        return reply;
      })
      .finally(() => flights.delete(name));
    flights.set(name, flight);
    return flight;
  }

  return async (plan: ReadPlan, url: string): Promise<ReadyReply> => {
    if (plan.key === null) return buildFrom(plan);
    // Taken before the rows are read: bytes may be newer than their version, but never older.
    const source = { market: plan.market, version: version(plan.market) };
    // The space keeps these keys apart from URLs, in which there is none.
    const key = `${path} ${plan.key}`;
    const reply = ready.find(key) ?? (await fly(plan, key, source));
    if (url.length <= maxRememberedUrl) ready.save(url, reply, source);
    return reply;
  };
}

async function buildFrom({ load }: ReadPlan): Promise<ReadyReply> {
  return buildReply(await load(), marketKind);
}
