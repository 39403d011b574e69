// The Fastify application that site and gateway share: limits, errors, methods, cross-origin rules, ids and logs.
// Cross-origin rules are ours instead of @fastify/cors: they are four headers, and differ by method and by route.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { SvcError } from '@svc/sdk/domain';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { buildErrorReply, isRead } from './errors.ts';
import type { Metrics } from './metrics.ts';
import { answerClientError, createNodeServer, type ServerLimits, serverLimits } from './nodeServer.ts';
import { createReads, createRouteMeter, type ReadContext, type Reads, type RouteMeter } from './reads.ts';
import { inRequest } from './requestContext.ts';
import { parseQueryString } from './requestFields.ts';
import { type AppLog, createRequestLog } from './requestLog.ts';

declare module 'fastify' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface is merged with Fastify's own
  interface FastifyContextConfig {
    /** Lasts as long as its client wants: its duration says nothing. */
    readonly isStream?: boolean;
  }
}

export type AppOptions = {
  readonly log: AppLog;
  /** Addresses and networks whose X-Forwarded-For is believed; otherwise the socket's address counts. */
  readonly trustedProxies?: readonly string[];
  /** The defaults unless given. */
  readonly limits?: ServerLimits | undefined;
  /** Whether the process is about to end: each response then closes its connection, so that clients reconnect elsewhere. */
  readonly isDraining?: () => boolean;
  /** Wraps the router, for requests that are answered before it. */
  readonly wrap?: (next: RequestListener) => RequestListener;
  readonly requestIdOf?: (request: IncomingMessage) => string;
};

const maxBodyBytes = 64 * 1024;

export function createApp({
  log,
  trustedProxies = [],
  limits = serverLimits,
  isDraining = () => false,
  wrap = (next) => next,
  requestIdOf = createRequestIds(),
}: AppOptions): FastifyInstance {
  const logRequest = createRequestLog(log);
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
  const methodsOf = createMethods(app);

  function answer(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { status, headers, body } = buildErrorReply(error, request.raw, request.id, log);
    return reply.status(status).headers(headers).send(body);
  }

  app.setErrorHandler<Error>(answer);
  app.addHook('onRequest', (request, reply, done) => {
    logRequest(request.raw, reply.raw, request.id);
    if (!request.is404) return done(findEncodedBody(request));
    // Before the body is read: it does not matter where no route wants it.
    try {
      answerUnrouted(methodsOf(request.url), request, reply);
    } catch (error) {
      done(error as Error);
    }
  });
  // After the body was read, whose events would leave the context.
  app.addHook('preValidation', (request, _, done) => inRequest(request.id, done));
  app.setNotFoundHandler(() => {
    throw new SvcError('ROUTE_NOT_FOUND', {});
  });
  const beginStop = createStop(app.server);
  app.addHook('preClose', async () => {
    isStopping = true;
    beginStop();
  });
  return app;
}

/** An application that answers reads before the router and counts every response. */
export function createReadApp({
  context,
  metrics,
  wrap = (next) => next,
  ...options
}: AppOptions & { readonly context: ReadContext; readonly metrics: Metrics }): {
  readonly app: FastifyInstance;
  readonly reads: Reads;
} {
  const { log, requestIdOf = createRequestIds() } = options;
  const reads = createReads({ context, requestIdOf, metrics, logRequest: createRequestLog(log), log });
  const app = createApp({ ...options, requestIdOf, wrap: (next) => wrap(reads.answerFirst(next)) });
  const meters = new Map<string, RouteMeter>();
  app.addHook('onResponse', (request, reply, done) => {
    const { url = 'unknown', config } = request.routeOptions;
    const route = request.is404 ? 'unknown' : url;
    const meter = meters.get(route) ?? createRouteMeter(metrics, route);
    meters.set(route, meter);
    meter(reply.raw.statusCode, config.isStream === true ? undefined : reply.elapsedTime);
    done();
  });
  return { app, reads };
}

function answerUnrouted(
  allowed: readonly string[],
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  // The body is not read, so the connection cannot be used again.
  if (hasBody(request.headers)) reply.header('Connection', 'close');
  if (allowed.length === 0) throw new SvcError('ROUTE_NOT_FOUND', {});
  const allow = [...new Set(allowed).add('OPTIONS')].join(', ');
  reply.header('Allow', allow);
  if (request.method !== 'OPTIONS') throw new SvcError('METHOD_NOT_ALLOWED', { allowed: allow });
  // Any page may read; nothing else may be sent from another origin.
  const wanted = request.headers['access-control-request-method'] ?? 'GET';
  if (allowed.includes('GET') && isRead(wanted)) {
    reply.header('Access-Control-Allow-Origin', '*');
    reply.header('Access-Control-Allow-Methods', 'GET, HEAD');
    reply.header('Access-Control-Allow-Headers', '*');
    reply.header('Access-Control-Max-Age', '86400');
  }
  return reply.status(204).header('X-Request-Id', request.id).send();
}

/**
 * Fastify would read compressed bytes as JSON that is none. Bytes that are no JSON are files, whose route has its own
 * answer.
 */
function findEncodedBody({ headers }: FastifyRequest): SvcError | undefined {
  const { 'content-encoding': encoding = 'identity', 'content-type': type = '' } = headers;
  const isPlain = encoding.toLowerCase() === 'identity';
  return isPlain || !/^application\/([\w.-]+\+)?json\b/i.test(type)
    ? undefined
    : new SvcError('BODY_ENCODED', {});
}

function hasBody(headers: FastifyRequest['headers']): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Which methods a path takes, for 405 and OPTIONS; empty where no route has this path. Called before the first route. */
function createMethods(app: FastifyInstance): (url: string) => readonly string[] {
  const paths = new Map<string, { readonly pattern: RegExp; readonly methods: string[] }>();
  app.addHook('onRoute', ({ url, method }) => {
    const path = paths.get(url) ?? { pattern: buildPattern(url), methods: [] };
    path.methods.push(...[method].flat());
    paths.set(url, path);
  });
  return (url) => {
    const [path = ''] = url.split('?', 1);
    const found = [...paths.values()].flatMap(({ pattern, methods }) => (pattern.test(path) ? methods : []));
    // A path may match both a fixed route and one with a parameter.
    return [...new Set(found)];
  };
}

function buildPattern(url: string): RegExp {
  const parts = url
    .split('/')
    .map((part) => (part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')));
  return new RegExp(`^${parts.join('/')}$`);
}

/** A proxy's id is taken over unless it could disturb a log. */
const requestIdShape = /^[A-Za-z0-9_.:-]{1,64}$/;

/** Ids that connect a request, its response and its log lines: the first part is unique to the process. */
function createRequestIds(): (request: IncomingMessage) => string {
  const prefix = `${randomBytes(6).toString('base64url')}.`;
  let count = 0;
  return (request) => {
    const given = request.headers['x-request-id'];
    return typeof given === 'string' && requestIdShape.test(given) ? given : prefix + (count++).toString(36);
  };
}

/** How long requests in progress may delay a stop. */
const stopGraceMs = 10_000;
const sweepMs = 20;

/** Ends a server: requests in progress finish, idle connections close at once, the rest is cut after the grace period. */
function createStop(server: Server): () => void {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  /** Node counts a connection as idle only after its first request; browsers open some without ever sending one. */
  function sweep(): void {
    server.closeIdleConnections();
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  }

  return () => {
    if (!server.listening) return;
    sweep();
    // A connection becomes idle when its response is sent, which may be after the first sweep.
    const sweeping = setInterval(sweep, sweepMs);
    const cutting = setTimeout(() => server.closeAllConnections(), stopGraceMs);
    server.once('close', () => {
      clearInterval(sweeping);
      clearTimeout(cutting);
    });
  };
}
