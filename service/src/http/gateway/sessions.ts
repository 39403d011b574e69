// POST and DELETE /v1/sessions, and the check of every route that needs a session.
import { type Address, SvcError } from '@svc/sdk/domain';
import { sessionBodySchema } from '@svc/sdk/internal/schemas/sessions';
import { gatewayRoutes } from '@svc/sdk/schemas';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Session, SessionService } from '#sessions/walletSessions.ts';
import { createRateLimit } from '../rateLimit.ts';
import { parseBody } from '../requestFields.ts';

export type SessionRoutes = { readonly sessions: SessionService };

const { openSession } = gatewayRoutes;

export function registerSessionRoutes(app: FastifyInstance, { sessions }: SessionRoutes): void {
  const requests = createRateLimit({ name: 'sessions', limit: 600, windowSeconds: 60 });
  const questions = createRateLimit({ name: 'signatures', limit: 30, windowSeconds: 60 });
  const config = { crossOrigin: 'call' } as const;

  app.post(openSession.path, { config }, async (request, reply) => {
    requests.take(request.ip, reply);
    const opened = await sessions.open(parseBody(sessionBodySchema, request.body), () =>
      questions.take(request.ip, reply),
    );
    return reply.status(201).send(opened);
  });

  app.delete(openSession.path, { config }, async (request) => {
    await requireWallet(sessions, request);
    await sessions.revoke(readToken(request));
    return { revoked: true };
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
function readToken({ headers }: FastifyRequest): string {
  const [, token = ''] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
  return token;
}
