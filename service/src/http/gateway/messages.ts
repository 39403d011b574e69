// POST /v1/messages: the relay takes the wire text byte for byte.

import { SvcError } from '@svc/sdk/domain';
import { maxWireBytes } from '@svc/sdk/internal/negotiation/envelope';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { gatewayRoutes } from '../../contract/apis.ts';
import type { RelayService } from '../../relay/acceptMessage.ts';
import { createRateLimit } from '../rateLimit.ts';
import { findSession, type SessionRoutes } from './callRoute.ts';

export type MessageRoutes = SessionRoutes & { readonly relay: RelayService };

const { path } = gatewayRoutes.sendMessage;

export function registerMessageRoutes(app: FastifyInstance, options: MessageRoutes): void {
  const { sessions, relay } = options;
  // Parsing and checking a signature costs a few milliseconds. Many networks together get a part of the processor.
  const total = { limit: 3_000, quiet: 20 };
  const requests = createRateLimit({ name: 'messages', limit: 1_200, total });
  const questions = createRateLimit({ name: 'signatures', limit: 30 });

  // A separate scope: everywhere else a JSON body is parsed, and its exact bytes are lost.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    const config = { crossOrigin: 'call' } as const;
    scope.post(path, { config, bodyLimit: maxWireBytes, errorHandler }, async (request, reply) => {
      requests.take(request.ip, reply);
      const session = await findSession(sessions, request);
      const { isNew, held } = await relay.accept(readText(request), session, (wallet) =>
        questions.take(wallet, reply),
      );
      return reply.status(isNew ? 202 : 200).send(held);
    });
  });
}

function errorHandler(error: Error): never {
  const isTooLarge = (error as { readonly code?: unknown }).code === 'FST_ERR_CTP_BODY_TOO_LARGE';
  throw isTooLarge ? new SvcError('MESSAGE_TOO_LARGE', {}, error) : error;
}

/** Bytes that are no UTF-8 would be kept as others than those that were sent. */
function readText({ body }: FastifyRequest): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body as Buffer);
  } catch (error) {
    throw new SvcError('ENVELOPE_REFUSED', { detail: 'It is not UTF-8.', reason: 'form' }, error);
  }
}
