// /v1/requests: what a tool asks of a wallet, and what its owner decided.

import { approvalTokenHeader } from '@svc/sdk/domain';
import { createRequestSchema, gatewayRoutes, requestResultSchema } from '@svc/sdk/schemas';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RequestService } from '#requests/requestService.ts';
import { registerGet } from '../app.ts';
import type { IdempotentRoutes } from '../idempotency.ts';
import { createRateLimit } from '../rateLimit.ts';
import { parseBody } from '../requestFields.ts';
import { createOriginGuard, type OwnOrigin } from './ownOrigin.ts';
import { findSession, type SessionRoutes } from './sessions.ts';

export type RequestRoutes = OwnOrigin &
  SessionRoutes &
  IdempotentRoutes & {
    readonly requests: RequestService;
    /** Of one client. */
    readonly writesPerMinute: number;
  };

type WithId = { readonly Params: { readonly id: string } };

export function registerRequestRoutes(app: FastifyInstance, options: RequestRoutes): void {
  const { requests, sessions, writeOnce, writesPerMinute, ...own } = options;
  const writes = createRateLimit({ name: 'writes', limit: writesPerMinute, windowSeconds: 60 });
  const onRequest = createOriginGuard(own);

  app.post(gatewayRoutes.createRequest.path, { onRequest }, async (request, reply) => {
    writes.take(request.ip, reply);
    const given = parseBody(createRequestSchema, request.body);
    const create = async (seed: string) => {
      const { requestId, approvalUrl, status } = await requests.create(given, seed);
      return { status: 201, body: { requestId, approvalUrl, status } };
    };
    // The kept answer has no secret: it is added to each reply.
    const addSecret = (body: { readonly requestId: string }) => ({
      ...body,
      approvalUrl: requests.linkOf(body.requestId),
    });
    return writeOnce(request, reply, create, { finish: addSecret });
  });

  registerGet(
    app,
    gatewayRoutes.request.path,
    ({ params }) => requests.get((params as WithId['Params']).id),
    { crossOrigin: 'none' },
  );

  app.post<WithId>(gatewayRoutes.requestResult.path, { onRequest }, async (request, reply) => {
    writes.take(request.ip, reply);
    const result = parseBody(requestResultSchema, request.body);
    const session = await findSession(sessions, request);
    const proof = { token: readToken(request), wallet: session?.wallet ?? null };
    return requests.decide(request.params.id, result, proof);
  });
}

function readToken({ headers }: FastifyRequest): string | null {
  const given = headers[approvalTokenHeader.toLowerCase()];
  return typeof given === 'string' ? given : null;
}
