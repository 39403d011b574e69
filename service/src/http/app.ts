// The Fastify application that site and gateway share: limits, errors, methods, common headers, ids, logs and metrics.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { SvcError } from '@svc/sdk/domain';
import { isTooDeep } from '@svc/sdk/internal/domain/canonical';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RouteHandlerMethod,
} from 'fastify';
import { safeType } from './body.ts';
import {
  buildCorsHeaders,
  buildPreflightHeaders,
  type CrossOrigin,
  type Headers,
  isRead,
} from './crossOrigin.ts';
import { buildErrorReply, isRefusal } from './errors.ts';
import type { Metrics } from './metrics.ts';
import { answerClientError, createNodeServer, type ServerLimits } from './nodeServer.ts';
import type { ReadContext } from './reads.ts';
import { type AppLog, createRequestLog, inRequest } from './requestLog.ts';

type ShownHead = NonNullable<ReturnType<ReadContext['state']>>['head'];

declare module 'fastify' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface is merged with Fastify's own
  interface FastifyContextConfig {
    /** A stream lasts as long as its client wants, so its duration is not measured. */
    readonly isStream?: boolean;
  }
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface is merged with Fastify's own
  interface FastifyReply {
    /** The headers of every reply that has no others of these names. */
    readonly commonHeaders: () => Headers;
    /** Those of them that differ between requests: alternating names and values. */
    readonly listMomentHeaders: () => string[];
    /** Counts an answer from the cache. All others are counted when they are sent. */
    readonly countCached: () => void;
    /** The block that the reply shows, where it was noted before the rows were read; null where nobody knows it. */
    shownHead: ShownHead | null | undefined;
    startedAt: number;
    isCounted: boolean;
  }
}

export type AppOptions = {
  readonly log: AppLog;
  /** Addresses and networks whose X-Forwarded-For is believed; otherwise the socket's address counts. */
  readonly trustedProxies?: readonly string[] | undefined;
  /** The defaults unless given. */
  readonly limits?: ServerLimits | undefined;
  /** Whether the process is about to end: each response then closes its connection, so that clients reconnect elsewhere. */
  readonly isDraining?: () => boolean;
  readonly metrics?: Metrics;
  /** The block that reads show, for their headers. */
  readonly context?: Pick<ReadContext, 'state' | 'now'>;
  /** Answers requests below /api in place of the router. */
  readonly site?: RequestListener;
};

const maxBodyBytes = 64 * 1024;

export function createApp(options: AppOptions): FastifyInstance {
  const { log, trustedProxies = [], limits, isDraining = () => false, metrics, context, site } = options;
  const logRequest = createRequestLog(log);
  let isStopping = false;
  const app: FastifyInstance = Fastify({
    bodyLimit: maxBodyBytes,
    exposeHeadRoutes: false,
    logger: false,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    genReqId: createRequestIds(),
    // A request that came before the stop is answered; only its connection ends.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200 },
    clientErrorHandler: answerClientError,
    frameworkErrors: answerError,
    serverFactory: (handler) =>
      createNodeServer((request, response) => {
        const isForSite = site !== undefined && request.url?.startsWith('/api/');
        return isForSite ? site(request, response) : handler(request, response);
      }, limits),
  });
  app.removeContentTypeParser('text/plain');
  app.decorateReply('shownHead', undefined);
  app.decorateReply('startedAt', 0);
  app.decorateReply('isCounted', false);
  app.decorateReply('countCached', metrics?.counter('requests', { route: 'cached' }) ?? (() => undefined));
  app.decorateReply('commonHeaders', function () {
    return buildCommonHeaders(this);
  });
  app.decorateReply('listMomentHeaders', function () {
    return listMomentHeaders(this);
  });
  const findPath = createPaths(app);

  function listMomentHeaders({ request: { id, method }, shownHead }: FastifyReply): string[] {
    const headers = ['x-request-id', id];
    if (isStopping || isDraining()) headers.push('connection', 'close');
    const newest = shownHead === undefined ? context?.state()?.head : shownHead;
    const head = isRead(method) ? newest : null;
    if (context === undefined || head == null) return headers;
    const age = Math.max(0, context.now() - head.time);
    headers.push('svc-block', String(head.number), 'svc-block-age', String(age));
    return headers;
  }

  function buildCommonHeaders(reply: FastifyReply): Headers {
    const { method, routeOptions } = reply.request;
    const cors = buildCorsHeaders(method, routeOptions.config?.crossOrigin);
    const headers: Record<string, string> = { 'cache-control': 'no-store', ...safeType, ...cors };
    const moment = listMomentHeaders(reply);
    for (let at = 0; at < moment.length; at += 2) headers[moment[at] as string] = moment[at + 1] as string;
    return headers;
  }

  /** Not by Fastify's own hook, which costs an answer from the cache a tenth of its time. */
  function countWhenSent(request: FastifyRequest, reply: FastifyReply): void {
    if (metrics === undefined || reply.isCounted) return;
    reply.isCounted = true;
    // Fastify refuses a malformed path with a reply that lacks our fields.
    reply.startedAt ??= performance.now();
    reply.raw.once('finish', () => countResponse(metrics, request, reply));
  }

  function answerError(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { code, status, headers, body } = buildErrorReply(error, request.raw, request.id, log);
    if (isRefusal(code)) metrics?.count('refusals', { code });
    countWhenSent(request, reply);
    return reply.status(status).headers(buildCommonHeaders(reply)).headers(headers).send(body);
  }

  app.setErrorHandler<Error>(answerError);
  app.addHook('onSend', (_, reply, payload, done) => {
    for (const [name, value] of Object.entries(buildCommonHeaders(reply)))
      if (!reply.hasHeader(name)) reply.header(name, value);
    done(null, payload);
  });
  app.addHook('onRequest', (request, reply, done) => {
    reply.startedAt = performance.now();
    logRequest(request.raw, reply.raw, request.id);
    if (!request.is404) {
      done(findEncodedBody(request));
      return;
    }
    countWhenSent(request, reply);
    // Before the body is read: it does not matter where no route wants it.
    try {
      answerUnrouted(findPath(request.url), request, reply);
    } catch (error) {
      done(error as Error);
    }
  });
  // After the body was read, whose events would leave the context.
  app.addHook('preValidation', (request, reply, done) => {
    countWhenSent(request, reply);
    const { body } = request;
    if (!Buffer.isBuffer(body) && isTooDeep(body))
      done(new SvcError('BODY_INVALID', { reason: 'it is nested too deeply' }));
    else inRequest(request.id, done);
  });
  metrics?.counter('refusals', { code: 'RATE_LIMITED' });
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

/** A route that answers HEAD as well: with the same headers, and Node leaves out the body. */
export function registerGet(
  app: FastifyInstance,
  url: string,
  handler: RouteHandlerMethod,
  config: { readonly isStream?: boolean; readonly crossOrigin?: CrossOrigin } = {},
): void {
  app.route({ method: ['GET', 'HEAD'], url, handler, config });
}

function countResponse(metrics: Metrics, request: FastifyRequest, reply: FastifyReply): void {
  const { url: route = 'unknown', config } = request.routeOptions;
  metrics.count('requests', { route, status: String(reply.raw.statusCode) });
  if (!config.isStream) metrics.time('request_seconds', { route }, performance.now() - reply.startedAt);
}

type Path = { readonly pattern: RegExp; readonly methods: string[]; crossOrigin: CrossOrigin | undefined };

function answerUnrouted(path: Path | null, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // The body is not read, so the connection cannot be used again.
  if (hasBody(request.headers)) reply.header('Connection', 'close');
  if (path === null) throw new SvcError('ROUTE_NOT_FOUND', {});
  const { methods, crossOrigin } = path;
  const allowed = [...methods, 'OPTIONS'].join(', ');
  reply.header('Allow', allowed);
  if (request.method !== 'OPTIONS') throw new SvcError('METHOD_NOT_ALLOWED', { allowed });
  const wanted = request.headers['access-control-request-method'] ?? 'GET';
  return reply
    .status(204)
    .headers(buildPreflightHeaders(wanted, methods, crossOrigin))
    .send();
}

/** Fastify would parse a compressed body as JSON. A body of another type is a file, and its route refuses an encoding. */
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

/** Which methods a path takes, for 405 and OPTIONS; null where no route has this path. Called before the first route. */
function createPaths(app: FastifyInstance): (url: string) => Path | null {
  const paths = new Map<string, Path>();
  app.addHook('onRoute', ({ url, method, config }) => {
    const path = paths.get(url) ?? { pattern: buildPattern(url), methods: [], crossOrigin: undefined };
    path.methods.push(...[method].flat());
    path.crossOrigin = config?.crossOrigin ?? path.crossOrigin;
    paths.set(url, path);
  });
  return (url) => {
    const [name = ''] = url.split('?', 1);
    // A fixed route comes before one with a parameter that matches as well.
    return paths.get(name) ?? paths.values().find(({ pattern }) => pattern.test(name)) ?? null;
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
function createRequestIds(): (request: Pick<IncomingMessage, 'headers'>) => string {
  const prefix = `${randomBytes(6).toString('base64url')}.`;
  let count = 0;
  return ({ headers }) => {
    const given = headers['x-request-id'];
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
