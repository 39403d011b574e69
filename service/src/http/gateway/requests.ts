// /v1/requests: what a tool asks of a wallet, and what its owner decided.

import { createRequestSchema, gatewayRoutes, requestResultSchema } from '@svc/sdk/schemas';
import type { FastifyInstance } from 'fastify';
import type { RequestService } from '#gateway/requests.ts';
import type { IdempotentRoutes } from '../idempotency.ts';
import { sendJson } from '../reply.ts';
import { parseBody } from '../requestFields.ts';
import { createOriginGuard, type OwnOrigin } from './ownOrigin.ts';

export type RequestRoutes = OwnOrigin & IdempotentRoutes & { readonly requests: RequestService };

type WithId = { readonly Params: { readonly id: string } };

export function registerRequestRoutes(
  app: FastifyInstance,
  { requests, writeOnce, ...own }: RequestRoutes,
): void {
  const onRequest = createOriginGuard(own);

  app.post(gatewayRoutes.createRequest.path, { onRequest }, async (request, reply) => {
    const given = parseBody(createRequestSchema, request.body);
    return writeOnce(request, reply, async (seed) => {
      const { requestId, approvalUrl, status } = await requests.create(given, seed);
      return { status: 201, body: { requestId, approvalUrl, status } };
    });
  });

  app.route<WithId>({
    method: ['GET', 'HEAD'],
    url: gatewayRoutes.request.path,
    handler: async (request, reply) => sendJson(request, reply, await requests.get(request.params.id)),
  });

  app.post<WithId>(gatewayRoutes.requestResult.path, { onRequest }, async (request, reply) => {
    const result = parseBody(requestResultSchema, request.body);
    return sendJson(request, reply, await requests.decide(request.params.id, result));
  });
}
