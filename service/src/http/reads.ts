// Reads: a query is checked, an object is loaded, and its bytes are kept until the market changes.
import { type Market, SvcError } from '@svc/sdk/domain';
import { stringifyJson } from '@svc/sdk/internal/domain/json';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { type Moment, older, type ShownBlock } from '../market/lastKnown.ts';
import { askedBlock, createBlockWait } from './atLeastBlock.ts';
import { type Body, buildBody, jsonType, sendBody } from './body.ts';
import type { BodyCache, BodySource } from './bodyCache.ts';
import { type Fields, parseUrl } from './requestFields.ts';

export type ReadContext = {
  readonly cache: BodyCache;
  /** Null while nothing is known of the chain. */
  readonly state: () => { readonly head: { readonly number: bigint; readonly time: number } } | null;
  readonly version: (market: Market) => string;
  readonly now: () => number;
};

/** What a valid query asks for. */
export type Read = {
  /** Given where the reply depends on nothing but this and the market's version, so that it can be cached. */
  readonly question?: { readonly market: Market };
  /** The market whose rows are shown; left out for what comes from a chain. */
  readonly market?: Market;
  /** An object is sent as JSON, and its `nextCursor` becomes the Link header; a text is sent as it is. */
  readonly load: (moment: Moment) => Promise<object | string>;
  /** Known parameters that this request does not use. */
  readonly unused?: readonly string[];
};

/** What is filtered in dollars also changes with the price, so it is not kept. */
export function planList(
  request: { readonly market: Market } & Partial<Record<'minAmountUsd' | 'maxAmountUsd', bigint | undefined>>,
  load: Read['load'],
): Read {
  const isPriced = request.minAmountUsd !== undefined || request.maxAmountUsd !== undefined;
  return isPriced ? { market: request.market, load } : { question: request, load };
}

/** A route with a query, as the contract has it. */
export type ReadRoute = {
  readonly path: string;
  readonly params?: z.ZodObject;
  readonly query: z.ZodObject;
  readonly reply: { readonly contentType: string };
};

/** Blocks come every two seconds. */
const marketCaching = 'public, max-age=2, stale-while-revalidate=10';

/** Longer URLs are answered, but not cached. */
const maxCachedUrl = 512;

export type RegisterRead = <R extends ReadRoute>(
  route: R,
  plan: (query: z.output<R['query']>, params: Fields<R['params']>) => Read,
  cacheControl?: string,
) => void;

export function createReads(app: FastifyInstance, context: ReadContext): RegisterRead {
  const { cache, state, version } = context;
  const waitForBlock = createBlockWait(context);
  const loading = new Map<string, Promise<Body>>();
  /** Boards and configurations stay the same object between two reads of the chain. */
  const rendered = new WeakMap<object, Body>();

  /** Equal questions at the same moment, as after each change, cost one look into the database. */
  function loadOnce(key: string, source: BodySource, load: () => Promise<Body>): Promise<Body> {
    const name = `${source.version} ${key}`;
    const running = loading.get(name) ?? loadAndSave().finally(() => loading.delete(name));
    loading.set(name, running);
    return running;

    async function loadAndSave(): Promise<Body> {
      const body = await load();
      cache.save(key, body, source);
      return body;
    }
  }

  function keepRendered(loaded: object, render: () => Body): Body {
    const body = rendered.get(loaded) ?? render();
    rendered.set(loaded, body);
    return body;
  }

  return (route, plan, cacheControl = marketCaching) => {
    const known = Object.keys(route.query.shape);
    const caching = { 'cache-control': cacheControl, vary: 'Accept-Encoding, Svc-At-Least-Block' };

    function sendCached(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
      reply.shownHead = state()?.head;
      const body = cache.find(request.url);
      if (body === undefined) {
        done();
        return;
      }
      reply.countCached();
      sendBody(request, reply, body);
    }

    async function answer(request: FastifyRequest, reply: FastifyReply): Promise<Body> {
      const { query, params } = parseUrl(route, request);
      const { question, market = question?.market, load, unused } = plan(query, params);
      if (market !== undefined && state() === null) throw new SvcError('NOT_READY', {});
      // What is remembered may show an older block than the rows do.
      const shows = (block: ShownBlock | null) => {
        reply.shownHead = older(reply.shownHead ?? null, block);
      };
      const build = async () => {
        const loaded = await load({ atLeast: askedBlock(request), shows });
        if (typeof loaded === 'string')
          return buildBody(loaded, `${route.reply.contentType}; charset=utf-8`, caching);
        const cursor = cursorOf(loaded);
        const headers = cursor ? { ...caching, link: formatNext(request, known, cursor) } : caching;
        const render = () => buildBody(JSON.stringify(loaded), jsonType, headers);
        return market === undefined ? keepRendered(loaded, render) : render();
      };
      if (unused !== undefined) nameUnknown(request, reply, known, unused);
      if (market === undefined || question === undefined) return build();
      // Taken before the rows are read: bytes may be newer than their version, but never older.
      const source = { market, version: version(market) };
      // The space keeps these keys apart from URLs, which have none.
      const key = `${route.path} ${stringifyJson(question)}`;
      const body = cache.find(key) ?? (await loadOnce(key, source, build));
      if (request.url.length <= maxCachedUrl) cache.save(request.url, body, source);
      return body;
    }

    app.route({
      method: ['GET', 'HEAD'],
      url: route.path,
      onRequest: [waitForBlock, sendCached],
      handler: (request, reply) => {
        answer(request, reply).then(
          (body) => sendBody(request, reply, body),
          (error) => reply.send(error),
        );
      },
    });
  };
}

function cursorOf(loaded: object): string | null | undefined {
  return (loaded as { readonly nextCursor?: string | null }).nextCursor;
}

/** Sets the Link header of a page that is not the last one, for replies that are not kept. */
export function linkNext(
  request: FastifyRequest,
  reply: FastifyReply,
  route: ReadRoute,
  loaded: object,
): void {
  const cursor = cursorOf(loaded);
  if (cursor) reply.header('Link', formatNext(request, Object.keys(route.query.shape), cursor));
}

function formatNext(request: FastifyRequest, known: readonly string[], cursor: string): string {
  const query = request.query as Readonly<Record<string, string>>;
  const kept = Object.keys(query).filter((name) => known.includes(name) && name !== 'cursor');
  const parameters = kept.map((name) => `${name}=${encodeURIComponent(query[name] as string)}&`).join('');
  return `<${request.url.split('?', 1)[0]}?${parameters}cursor=${cursor}>; rel="next"`;
}

/** Clients choose the names: encoded, and not too many. */
const maxNamed = 10;
const maxNameLength = 60;

/** Sets the header that names the parameters which play no part in the answer. */
export function nameUnknown(
  { query }: FastifyRequest,
  reply: FastifyReply,
  known: readonly string[],
  unused: readonly string[] = [],
): void {
  const names = Object.keys(query as object).filter((name) => !known.includes(name) || unused.includes(name));
  if (names.length === 0) return;
  const shown = names
    .slice(0, maxNamed)
    .map((name) => encodeURIComponent(name.slice(0, maxNameLength).toWellFormed()));
  reply.header('Svc-Unknown-Parameters', shown.join(', '));
}
