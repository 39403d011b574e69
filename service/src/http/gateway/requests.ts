// /v1/requests: what a tool asks of a wallet, and what its owner decided.

import { createRequestSchema, gatewayRoutes, requestResultSchema } from '@svc/sdk/schemas';
import type { FastifyInstance } from 'fastify';
import type { RequestService } from '#gateway/requests.ts';
import type { IdempotentRoutes } from '../idempotency.ts';
import { createRateLimit } from '../rateLimit.ts';
import { sendJson } from '../reply.ts';
import { parseBody } from '../requestFields.ts';
import { createOriginGuard, type OwnOrigin } from './ownOrigin.ts';

export type RequestRoutes = OwnOrigin &
  IdempotentRoutes & {
    readonly requests: RequestService;
    /** Of one client. */
    readonly writesPerMinute: number;
  };

type WithId = { readonly Params: { readonly id: string } };

export function registerRequestRoutes(app: FastifyInstance, options: RequestRoutes): void {
  const { requests, writeOnce, writesPerMinute, ...own } = options;
  const writes = createRateLimit({ name: 'writes', limit: writesPerMinute, windowSeconds: 60 });
  const onRequest = createOriginGuard(own);

  app.post(gatewayRoutes.createRequest.path, { onRequest }, async (request, reply) => {
    writes.take(request.ip, reply);
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
    writes.take(request.ip, reply);
    const result = parseBody(requestResultSchema, request.body);
    return sendJson(request, reply, await requests.decide(request.params.id, result));
  });
}
