// Lets pages of any origin call a route that needs a session: the token is never sent by a browser on its own.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Answers preflights of `path`. Returns the `onRequest` hook of its routes, so that pages can read errors as well. */
export function allowCrossOrigin(app: FastifyInstance, path: string, methods: readonly string[]) {
  app.options(path, async (_request, reply) =>
    reply
      .header('Access-Control-Allow-Origin', '*')
      .header('Access-Control-Allow-Methods', methods.join(', '))
      // A star does not cover Authorization.
      .header('Access-Control-Allow-Headers', 'Authorization, Content-Type, Idempotency-Key, Last-Event-ID')
      .header('Access-Control-Max-Age', '86400')
      .status(204)
      .send(),
  );
  return async (_request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply
      .header('Access-Control-Allow-Origin', '*')
      .header('Access-Control-Expose-Headers', 'X-Request-Id, Retry-After, Idempotent-Replayed');
  };
}
