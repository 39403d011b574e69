// The Fastify application that site and gateway share: limits, errors, methods, cross-origin rules, ids and logs.
import type { IncomingMessage, RequestListener } from 'node:http';
import { SvcError } from '@svc/sdk/domain';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { buildErrorBody, toErrorReply } from './errors.ts';
import { createMethods, type Methods } from './methods.ts';
import { findMissingPage } from './missingPage.ts';
import { answerClientError, createNodeServer, type ServerLimits, serverLimits } from './nodeServer.ts';
import { parseQueryString } from './query.ts';
import { type AppLog, pathOf, type RequestLog } from './requestLog.ts';
import { createStopping } from './stopping.ts';

export type AppOptions = {
  readonly log: AppLog;
  readonly requestIdOf: (request: IncomingMessage) => string;
  readonly logRequest: RequestLog;
  /** Addresses and networks whose X-Forwarded-For is believed; who has none is known by the socket's address. */
  readonly trustedProxies?: readonly string[];
  /** The usual ones unless given. */
  readonly limits?: ServerLimits | undefined;
  /** Whether it is about to end: then each answer ends its connection, so that the next one is made to another. */
  readonly isDraining?: () => boolean;
  /** Wraps the router, for what is answered before it. */
  readonly wrap?: (next: RequestListener) => RequestListener;
};

const maxBodyBytes = 64 * 1024;

export function createApp({
  log,
  requestIdOf,
  logRequest,
  trustedProxies = [],
  limits = serverLimits,
  isDraining = () => false,
  wrap = (next) => next,
}: AppOptions): FastifyInstance {
  let isStopping = false;
  const app: FastifyInstance = Fastify({
    bodyLimit: maxBodyBytes,
    requestTimeout: limits.requestMs,
    exposeHeadRoutes: false,
    logger: false,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    genReqId: (request) => requestIdOf(request as IncomingMessage),
    // A request that came before the stop is answered; only its connection ends.
    return503OnClosing: false,
    routerOptions: { querystringParser: parseQueryString, maxParamLength: 200 },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => answer(error, request, reply),
    serverFactory: (handler) => {
      const listener = wrap(handler);
      return createNodeServer((request, response) => {
        if (isStopping || isDraining()) response.shouldKeepAlive = false;
        listener(request, response);
      }, limits);
    },
  });
  app.removeContentTypeParser('text/plain');
  const methods = createMethods(app);

  function answer(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const told = toErrorReply(error);
    if (!told.isKnown)
      log.error({ requestId: request.id, path: pathOf(request.url), error }, 'request failed');
    const page = told.status === 404 ? findMissingPage(error, request.raw) : null;
    const { contentType, body, headers } = page ?? buildErrorBody(told, request.headers.accept);
    if (told.retryAfterSeconds !== undefined) reply.header('Retry-After', String(told.retryAfterSeconds));
    if (isRead(request.method)) reply.header('Access-Control-Allow-Origin', '*');
    return reply
      .status(told.status)
      .header('X-Request-Id', request.id)
      .header('Cache-Control', 'no-store')
      .header('X-Content-Type-Options', 'nosniff')
      .headers({ ...headers })
      .type(contentType)
      .send(body);
  }

  app.setErrorHandler(answer);
  app.addHook('onRequest', (request, reply, done) => {
    logRequest(request.raw, reply.raw, request.id);
    if (!request.is404) return done();
    // Before the body is read: whether it could be understood does not matter where nobody wants it.
    try {
      answerUnrouted(methods, request, reply);
    } catch (error) {
      done(error as Error);
    }
  });
  app.setNotFoundHandler(() => {
    throw new SvcError('ROUTE_NOT_FOUND', {});
  });
  const stopping = createStopping(app.server);
  app.addHook('preClose', async () => {
    isStopping = true;
    stopping.begin();
  });
  return app;
}

function answerUnrouted(methods: Methods, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const allowed = methods.of(request.url);
  // What was sent along is not read, so the connection cannot be used again.
  if (hasBody(request.headers)) reply.header('Connection', 'close');
  if (allowed.length === 0) throw new SvcError('ROUTE_NOT_FOUND', {});
  const allow = [...new Set(allowed).add('OPTIONS')].join(', ');
  reply.header('Allow', allow);
  if (request.method !== 'OPTIONS') throw new SvcError('METHOD_NOT_ALLOWED', { allowed: allow });
  // Cross-origin reads are everybody's; nothing else may be sent from a foreign page.
  const wanted = request.headers['access-control-request-method'] ?? 'GET';
  if (allowed.includes('GET') && isRead(wanted)) {
    reply.header('Access-Control-Allow-Origin', '*');
    reply.header('Access-Control-Allow-Methods', 'GET, HEAD');
    reply.header('Access-Control-Allow-Headers', '*');
    reply.header('Access-Control-Max-Age', '86400');
  }
  return reply.status(204).header('X-Request-Id', request.id).send();
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

function hasBody(headers: FastifyRequest['headers']): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
