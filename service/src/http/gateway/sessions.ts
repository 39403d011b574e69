// POST and DELETE /v1/sessions.

import type { FastifyInstance } from 'fastify';
import { gatewayRoutes } from '../../contract/apis.ts';
import { createRateLimit } from '../rateLimit.ts';
import { createServeCall, readToken, type SessionRoutes } from './callRoute.ts';

const { openSession, closeSession } = gatewayRoutes;

export function registerSessionRoutes(app: FastifyInstance, { sessions }: SessionRoutes): void {
  // A wallet signs in once a day; each document costs the check of a signature.
  const requests = createRateLimit({ name: 'sessions', limit: 300, total: { limit: 300, quiet: 3 } });
  const questions = createRateLimit({ name: 'signatures', limit: 30 });
  const serve = createServeCall(app, sessions);
  serve(
    openSession,
    ({ body, request, reply }) => sessions.open(body, () => questions.take(request.ip, reply)),
    requests,
  );
  serve(closeSession, async ({ request }) => {
    await sessions.revoke(readToken(request));
    return { revoked: true };
  });
}
