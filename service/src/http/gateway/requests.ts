// /v1/requests: what a tool asks of a wallet, and what its owner decided.

import { createRequestSchema, gatewayRoutes, requestResultSchema } from '@svc/sdk/schemas';
import type { FastifyInstance } from 'fastify';
import type { RequestService } from '#gateway/requests.ts';
import { sendJson } from '../reply.ts';
import { parseBody } from '../requestFields.ts';
import { createOriginGuard, type OwnOrigin } from './ownOrigin.ts';

export type RequestRoutes = OwnOrigin & { readonly requests: RequestService };

type WithId = { readonly Params: { readonly id: string } };

export function registerRequestRoutes(app: FastifyInstance, { requests, ...own }: RequestRoutes): void {
  const onRequest = createOriginGuard(own);

  app.post(gatewayRoutes.createRequest.path, { onRequest }, async (request, reply) => {
    const { requestId, approvalUrl, status } = await requests.create(
      parseBody(createRequestSchema, request.body),
    );
    return sendJson(request, reply.status(201), { requestId, approvalUrl, status });
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
