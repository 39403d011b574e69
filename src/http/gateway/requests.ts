// /v1/requests: what a tool asks of a wallet, and what its owner decided.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createRequestSchema, requestResultSchema } from '#schemas/walletRequest.ts';
import type { RequestService } from '#service/requests.ts';
import { parseBody } from '../body.ts';
import { createOriginGuard, type OwnOrigin } from './ownOrigin.ts';

export type RequestRoutes = OwnOrigin & { readonly requests: RequestService };

type WithId = { readonly Params: { readonly id: string } };

export function registerRequestRoutes(app: FastifyInstance, { requests, ...own }: RequestRoutes): void {
  const onRequest = createOriginGuard(own);

  app.post('/v1/requests', { onRequest }, async (request, reply) => {
    const { requestId, approvalUrl, status } = await requests.create(
      parseBody(createRequestSchema, request.body),
    );
    return answer(request, reply).status(201).send({ requestId, approvalUrl, status });
  });

  app.route<WithId>({
    method: ['GET', 'HEAD'],
    url: '/v1/requests/:id',
    handler: async (request, reply) => answer(request, reply).send(await requests.get(request.params.id)),
  });

  app.post<WithId>('/v1/requests/:id/result', { onRequest }, async (request, reply) => {
    const result = parseBody(requestResultSchema, request.body);
    return answer(request, reply).send(await requests.decide(request.params.id, result));
  });
}

/** Never kept, and for nobody else's page: who knows the id may read, but a link that leaks should not spread. */
function answer(request: FastifyRequest<WithId> | FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply
    .header('Cache-Control', 'no-store')
    .header('X-Content-Type-Options', 'nosniff')
    .header('X-Request-Id', request.id);
}
