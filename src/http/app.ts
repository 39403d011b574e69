// The Fastify application that site and gateway share: limits, errors, methods and cross-origin rules.
import { createServer, type RequestListener } from 'node:http';
import Fastify, { type FastifyInstance } from 'fastify';
import { SvcError } from '#domain/errors.ts';
import { buildErrorBody, toErrorReply } from './errors.ts';
import { parseQueryString } from './query.ts';

export type AppLog = {
  readonly info: (fields: object, message: string) => void;
  readonly error: (fields: object, message: string) => void;
};

export type AppOptions = {
  readonly log: AppLog;
  /** Wraps the router, for what is answered before it. */
  readonly wrap?: (next: RequestListener) => RequestListener;
};

const maxBodyBytes = 64 * 1024;
/** A client that sends slower than this is cut off. */
const requestTimeoutMs = 30_000;

export function createApp({ log, wrap = (next) => next }: AppOptions): FastifyInstance {
  const app = Fastify({
    bodyLimit: maxBodyBytes,
    requestTimeout: requestTimeoutMs,
    exposeHeadRoutes: false,
    logger: false,
    routerOptions: { querystringParser: parseQueryString, maxParamLength: 200 },
    serverFactory: (handler) => createServer({ requestTimeout: requestTimeoutMs }, wrap(handler)),
  });

  app.setErrorHandler((error, request, reply) => {
    const answer = toErrorReply(error);
    if (!answer.isKnown) log.error({ requestId: request.id, url: request.url, error }, 'request failed');
    const { contentType, body } = buildErrorBody(answer, request.headers.accept);
    if (answer.status === 503) reply.header('Retry-After', '2');
    if (request.method === 'GET' || request.method === 'HEAD')
      reply.header('Access-Control-Allow-Origin', '*');
    return reply
      .status(answer.status)
      .header('Cache-Control', 'no-store')
      .header('X-Content-Type-Options', 'nosniff')
      .type(contentType)
      .send(body);
  });

  app.setNotFoundHandler((request, reply) => {
    const allowed = allowedMethods(app, request.url);
    if (allowed.length === 0) throw new SvcError('ROUTE_NOT_FOUND', {});
    const allow = [...allowed, 'OPTIONS'].join(', ');
    reply.header('Allow', allow);
    if (request.method !== 'OPTIONS') throw new SvcError('METHOD_NOT_ALLOWED', { allowed: allow });
    // Cross-origin reads are everybody's; nothing else may be sent from a foreign page.
    if (allowed.includes('GET')) {
      reply.header('Access-Control-Allow-Origin', '*');
      reply.header('Access-Control-Allow-Methods', 'GET, HEAD');
      reply.header('Access-Control-Allow-Headers', '*');
      reply.header('Access-Control-Max-Age', '86400');
    }
    return reply.status(204).send();
  });

  return app;
}

const methods = ['GET', 'HEAD', 'POST'] as const;

function allowedMethods(app: FastifyInstance, url: string): string[] {
  const [path = url] = url.split('?');
  return methods.filter((method) => app.findRoute({ method, url: path }) !== null);
}
