// Serves a call of the gateway as its contract says: session, path, query and body are checked before it is answered.
import { type Address, SvcError } from '@svc/sdk/domain';
import { methodOf, type Route } from '@svc/sdk/internal/schemas/route';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Session, SessionService } from '../../sessions/walletSessions.ts';
import type { RateLimit } from '../rateLimit.ts';
import { type Fields, parseBody, parseUrl } from '../requestFields.ts';

export type SessionRoutes = { readonly sessions: SessionService };

export type Call<R extends Route> = {
  /** Of the session; undefined where the route needs none. */
  readonly wallet: R extends { readonly needsSession: true } ? Address : undefined;
  readonly params: Fields<R['params']>;
  readonly query: z.output<R['query']>;
  readonly body: R extends { readonly body: { readonly schema: infer Schema } } ? Fields<Schema> : undefined;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
};

type ServeCall = <R extends Route>(
  route: R,
  answer: (call: Call<R>) => Promise<object>,
  /** Of one client, counted first. */
  limit?: RateLimit,
) => void;

export function createServeCall(app: FastifyInstance, sessions: SessionService): ServeCall {
  return (route, answer, limit) =>
    app.route({
      method: methodOf(route).toUpperCase() as 'GET',
      url: route.path,
      config: { crossOrigin: 'call' },
      handler: async (request, reply) => {
        limit?.take(request.ip, reply);
        const call = {
          wallet: route.needsSession ? await requireWallet(sessions, request) : undefined,
          ...parseUrl(route, request),
          body: route.body?.schema && parseBody(route.body.schema, request.body),
          request,
          reply,
        };
        // What only this wallet may read is kept by nobody.
        if (route.needsSession) reply.header('cache-control', 'no-store');
        if (route.isCreated) reply.status(201);
        return answer(call as never);
      },
    });
}

/** The wallet whose session the request carries. Throws SESSION_REQUIRED. */
export async function requireWallet(sessions: SessionService, request: FastifyRequest): Promise<Address> {
  const session = await findSession(sessions, request);
  if (session === null) throw new SvcError('SESSION_REQUIRED', {});
  return session.wallet;
}

/** Null where the request carries none, or one that no longer works. */
export function findSession(sessions: SessionService, request: FastifyRequest): Promise<Session | null> {
  return sessions.find(readToken(request));
}

/** Empty without one. */
export function readToken({ headers }: FastifyRequest): string {
  const [, token = ''] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
  return token;
}
