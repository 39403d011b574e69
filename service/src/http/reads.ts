// Reads: validated, rendered from rows, and cached as bytes until the market changes. A request has two ways to its
// answer: bytes that are ready under its exact URL, or the handler of its route.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Market } from '@svc/sdk/domain';
import { SvcError, stringifyJson } from '@svc/sdk/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { buildErrorReply } from './errors.ts';
import type { Metrics } from './metrics.ts';
import { addLines, buildReply, createJsonKind, type Reply, type ReplyKind, sendReply } from './reply.ts';
import type { ReplyCache, ReplySource } from './replyCache.ts';
import { parseQuery, parseQueryString } from './requestFields.ts';
import type { AppLog, RequestLog } from './requestLog.ts';
import { formatLines, type HeadLines } from './writeHead.ts';

export type HeadState = { readonly head: { readonly number: bigint; readonly time: number } };

export type ReadContext = {
  readonly cache: ReplyCache;
  /** Null while nothing is known of the chain. */
  readonly state: () => HeadState | null;
  readonly version: (market: Market) => string;
  readonly now: () => number;
  readonly headLines: HeadLinesOf;
};

/** Blocks come every two seconds. */
export const marketKind = createJsonKind('public, max-age=2, stale-while-revalidate=10');

/** What a valid query asks for. */
export type ReadPlan = {
  readonly market: Market;
  /** The question in one spelling, the key of its answer in the cache; null where the answer is not cached. */
  readonly key: string | null;
  readonly load: () => Promise<Loaded>;
  /** Known parameters that this request does not use. */
  readonly unused?: readonly string[];
};

/** The reply as an object, whose `nextCursor` becomes the Link header; or JSON text, with its digest and cursor if known. */
export type Loaded = string | RenderedBody | object;
type RenderedBody = { readonly body: string; readonly digest?: string; readonly next?: string | null };

/** A route with a query, as the contract has it. */
export type ReadRoute = { readonly path: string; readonly query: z.ZodObject };

export type BuildPlan<R extends ReadRoute> = (query: z.output<R['query']>, params: unknown) => ReadPlan;

/** The answer depends on nothing but the question and the market's version. */
export function planRead(question: { readonly market: Market }, load: ReadPlan['load']): ReadPlan {
  return { market: question.market, key: stringifyJson(question), load };
}

export type Reads = {
  readonly register: <R extends ReadRoute>(app: FastifyInstance, route: R, plan: BuildPlan<R>) => void;
  /** Answers reads, and passes every other request on. */
  readonly answerFirst: (next: RequestListener) => RequestListener;
};

export type ReadsOptions = {
  readonly context: ReadContext;
  readonly requestIdOf: (request: IncomingMessage) => string;
  readonly metrics: Metrics;
  readonly logRequest: RequestLog;
  readonly log: Pick<AppLog, 'error'>;
};

/** Longer URLs are answered, but not cached. */
const maxCachedUrl = 512;

type Handler = {
  readonly answer: (url: string, query: unknown, params: unknown) => Promise<Reply>;
  readonly meter: RouteMeter;
};

export function createReads({ context, requestIdOf, metrics, logRequest, log }: ReadsOptions): Reads {
  const handlers = new Map<string, Handler>();
  const countCached = metrics.counter('requests', { route: 'cached' });

  async function answerRead(
    { answer, meter }: Handler,
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    search: string,
  ): Promise<void> {
    const startedAt = performance.now();
    try {
      const reply = await answer(request.url as string, parseQueryString(search), {});
      meter(sendReply(request, response, reply, context.headLines(requestId)), performance.now() - startedAt);
    } catch (error) {
      const { status, headers, body } = buildErrorReply(error, request, requestId, log);
      meter(status, performance.now() - startedAt);
      response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) });
      response.end(body);
    }
  }

  return {
    register: (app, route, plan) => {
      const { path } = route;
      const take = createTake(context, path);
      const known = new Set(Object.keys(route.query.shape));
      const answer: Handler['answer'] = (url, query, params) => {
        const planned = plan(parseQuery(route.query, query) as never, params);
        if (context.state() === null) throw new SvcError('NOT_READY', {});
        return take(planned, url, { query: query as Record<string, string>, known });
      };
      if (!path.includes(':')) handlers.set(path, { answer, meter: createRouteMeter(metrics, path) });
      // Fastify knows every path, for other methods, unusual spellings and parameters, and calls the same handler.
      app.route({
        method: ['GET', 'HEAD'],
        url: path,
        handler: async (request, reply) =>
          send(request, reply, context.headLines, await answer(request.url, request.query, request.params)),
      });
    },

    answerFirst: (next) => (request, response) => {
      if (request.method !== 'GET' && request.method !== 'HEAD') return next(request, response);
      const url = request.url as string;
      const reply = context.cache.find(url);
      const at = url.indexOf('?');
      // Found in a map: Fastify's router and its objects cost about half as much as a whole answer.
      const handler = reply === undefined ? handlers.get(at === -1 ? url : url.slice(0, at)) : undefined;
      if (reply === undefined && handler === undefined) return next(request, response);
      const requestId = requestIdOf(request);
      logRequest(request, response, requestId);
      if (reply !== undefined) {
        countCached();
        sendReply(request, response, reply, context.headLines(requestId));
      } else if (handler !== undefined) {
        void answerRead(handler, request, response, requestId, at === -1 ? '' : url.slice(at + 1));
      }
    },
  };
}

/** Sends bytes from a handler of Fastify, without its serialization. */
export function send(
  request: FastifyRequest,
  reply: FastifyReply,
  headLines: HeadLinesOf,
  ready: Reply,
): void {
  reply.hijack();
  sendReply(request.raw, reply.raw, ready, headLines(request.id));
}

/** Replies to objects that are the same between two reads of the chain: the same object has the same bytes. */
export function createObjectReplies(kind: ReplyKind): (value: object) => Reply {
  const replies = new WeakMap<object, Reply>();
  return (value) => {
    const known = replies.get(value) ?? buildReply(JSON.stringify(value), kind);
    replies.set(value, known);
    return known;
  };
}

type GivenParameters = {
  readonly query: Readonly<Record<string, string>>;
  /** The names that the route has. */
  readonly known: ReadonlySet<string>;
};

/** Parameters that play no part in this answer. */
function listUnknown({ query, known }: GivenParameters, unused: readonly string[] = []): readonly string[] {
  return Object.keys(query).filter((name) => !known.has(name) || unused.includes(name));
}

function formatNext(path: string, { query, known }: GivenParameters, cursor: string): HeadLines {
  const kept = Object.keys(query).filter((name) => known.has(name) && name !== 'cursor');
  const parameters = kept.map((name) => `${name}=${encodeURIComponent(query[name] as string)}&`).join('');
  return formatLines({ Link: `<${path}?${parameters}cursor=${cursor}>; rel="next"` });
}

/** Clients choose the names: encoded, and not too many. */
const maxNamed = 10;
const maxNameLength = 60;

function formatUnknown(names: readonly string[]): string {
  if (names.length === 0) return '';
  const shown = names
    .slice(0, maxNamed)
    .map((name) => encodeURIComponent(name.slice(0, maxNameLength).toWellFormed()));
  return formatLines({ 'Svc-Unknown-Parameters': shown.join(', ') });
}

function createTake({ cache, version }: ReadContext, path: string) {
  const loading = new Map<string, Promise<Reply>>();

  /** Equal questions at the same moment, as after each change, cost one look into the database. */
  function loadOnce(
    plan: ReadPlan,
    key: string,
    source: ReplySource,
    given: GivenParameters,
  ): Promise<Reply> {
    const name = `${source.version} ${key}`;
    const running = loading.get(name);
    if (running !== undefined) return running;
    const load = loadReply(plan, path, given)
      .then((reply) => {
        cache.save(key, reply, source);
        return reply;
      })
      .finally(() => loading.delete(name));
    loading.set(name, load);
    return load;
  }

  return async (plan: ReadPlan, url: string, given: GivenParameters): Promise<Reply> => {
    const unknown = listUnknown(given, plan.unused);
    const mark = (reply: Reply) => (unknown.length === 0 ? reply : addLines(reply, formatUnknown(unknown)));
    if (plan.key === null) return mark(await loadReply(plan, path, given));
    // Taken before the rows are read: bytes may be newer than their version, but never older.
    const source = { market: plan.market, version: version(plan.market) };
    // The space keeps these keys apart from URLs, which have none.
    const key = `${path} ${plan.key}`;
    const reply = mark(cache.find(key) ?? (await loadOnce(plan, key, source, given)));
    if (url.length <= maxCachedUrl) cache.save(url, reply, source);
    return reply;
  };
}

async function loadReply({ load }: ReadPlan, path: string, given: GivenParameters): Promise<Reply> {
  const loaded = await load();
  if (typeof loaded === 'string') return buildReply(loaded, marketKind);
  const { body, digest, next } = isRendered(loaded) ? loaded : renderBody(loaded);
  const reply = buildReply(body, marketKind, digest);
  if (next === undefined || next === null) return reply;
  return addLines(reply, formatNext(path, given, next));
}

function isRendered(loaded: RenderedBody | object): loaded is RenderedBody {
  return 'body' in loaded && typeof loaded.body === 'string';
}

function renderBody(reply: { readonly nextCursor?: string | null }): RenderedBody {
  return { body: JSON.stringify(reply), next: reply.nextCursor ?? null };
}

/** Counts a response of one route; its duration is left out for streams, which last as long as their clients want. */
export type RouteMeter = (status: number, milliseconds?: number) => void;

/** The look-up by labels is done once for each status. */
export function createRouteMeter(metrics: Metrics, route: string): RouteMeter {
  const counters = new Map<number, () => void>();
  let time: ((milliseconds: number) => void) | undefined;
  return (status, milliseconds) => {
    let count = counters.get(status);
    if (count === undefined) {
      count = metrics.counter('requests', { route, status: String(status) });
      counters.set(status, count);
    }
    count();
    if (milliseconds === undefined) return;
    time ??= metrics.timer('request_seconds', { route });
    time(milliseconds);
  };
}

/** The header lines that differ from one reply to the next: the block it shows, that block's age, the request's id. */
export type HeadLinesOf = (requestId: string) => string;

export function createHeadLines({ state, now }: Pick<ReadContext, 'state' | 'now'>): HeadLinesOf {
  let known: HeadState | null = null;
  let second = -1;
  let lines = '';
  return (requestId) => {
    const current = state();
    const time = now();
    if (current !== known || time !== second) {
      known = current;
      second = time;
      lines = current === null ? '' : formatHead(current, time);
    }
    return `X-Request-Id: ${requestId}\r\n${lines}`;
  };
}

function formatHead({ head }: HeadState, time: number): string {
  return `Svc-Block: ${head.number}\r\nSvc-Block-Age: ${Math.max(0, time - head.time)}\r\n`;
}
