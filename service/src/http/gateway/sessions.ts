// POST and DELETE /v1/sessions.

import type { FastifyInstance } from 'fastify';
import { gatewayRoutes } from '../../contract/apis.ts';
import { createRateLimit } from '../rateLimit.ts';
import { createServeCall, readToken, type SessionRoutes } from './callRoute.ts';

const { openSession, closeSession } = gatewayRoutes;

export function registerSessionRoutes(app: FastifyInstance, { sessions }: SessionRoutes): void {
  const requests = createRateLimit({ name: 'sessions', limit: 600 });
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
