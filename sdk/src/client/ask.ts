// Asks one route and believes its answer only when it fits the contract.
import * as z from 'zod';
import { SvcError } from '#domain/errors.ts';
import { limitReachedSchema } from '#schemas/postingQuota.ts';
import { errorSchema } from '#schemas/primitives.ts';
import type { Route } from '#schemas/route.ts';

export type Fetch = (input: string, init: RequestInit) => Promise<Response>;

export type Connection = { readonly baseUrl: string | URL; readonly fetch?: Fetch | undefined };

export type Parameters = Readonly<Record<string, string | number | AbortSignal | undefined>>;

type Signal = AbortSignal | null | undefined;

type JsonRoute = Route & { readonly reply: { readonly schema: z.ZodType } };

export function createAsk(connection: Connection) {
  return async <R extends JsonRoute>(
    route: R,
    { signal: given, ...parameters }: Parameters,
  ): Promise<z.output<R['reply']['schema']>> => {
    const signal = given instanceof AbortSignal ? given : null;
    const init = { headers: { accept: 'application/json' }, signal };
    const response = await openResponse(connection, route.path, parameters, init);
    return parseReply(route, await readJson(connection, response, signal));
  };
}

/** Like asking, but with a body, by POST. */
export function createSend(connection: Connection) {
  return async <R extends JsonRoute>(
    route: R,
    body: object,
    signal: AbortSignal | undefined,
    parameters: Parameters = {},
  ): Promise<z.output<R['reply']['schema']>> => {
    const init = buildPost(body, 'application/json', signal);
    const response = await openResponse(connection, route.path, parameters, init);
    return parseReply(route, await readJson(connection, response, signal));
  };
}

export function buildPost(body: object, accept: string, signal: AbortSignal | undefined): RequestInit {
  return {
    method: 'POST',
    headers: { accept, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal !== undefined && { signal }),
  };
}

function parseReply<R extends JsonRoute>(route: R, reply: unknown): z.output<R['reply']['schema']> {
  const parsed = route.reply.schema.safeParse(reply);
  if (!parsed.success) throw unexpected(`${route.path}: ${z.prettifyError(parsed.error)}`);
  return parsed.data as z.output<R['reply']['schema']>;
}

/** Answers only what is well; a refusal is thrown in the service's own words. */
export async function openResponse(
  connection: Connection,
  path: string,
  parameters: Parameters,
  init: RequestInit,
): Promise<Response> {
  const { baseUrl, fetch = globalThis.fetch } = connection;
  const response = await fetch(buildUrl(baseUrl, path, parameters), init).catch((error: unknown) =>
    explainLoss(connection, error, init.signal),
  );
  if (response.ok) return response;
  const body = await readJson(connection, response, init.signal).catch(() => null);
  const refusal = errorSchema.safeParse(body);
  const reason = refusal.success ? refusal.data.error : `The API answers ${response.status}.`;
  const full = limitReachedSchema.safeParse(body);
  const quota = full.success ? { quota: full.data.quota } : {};
  throw new SvcError('API_REFUSED', { reason, status: response.status, ...quota });
}

/** A service may live below a path of its own. */
function buildUrl(baseUrl: string | URL, path: string, parameters: Parameters): string {
  const url = new URL(baseUrl);
  url.pathname = url.pathname.replace(/\/$/, '') + path;
  url.search = '';
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url.href;
}

async function readJson(connection: Connection, response: Response, signal: Signal) {
  // A connection may break in the middle of an answer, too.
  const text = await response.text().catch((error: unknown) => explainLoss(connection, error, signal));
  return parseJson(text);
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unexpected('it is not JSON');
  }
}

/** Throws API_UNREACHABLE, unless whoever asked wanted no answer any more. */
export function explainLoss({ baseUrl }: Connection, error: unknown, signal: Signal): never {
  if (signal?.aborted) throw error;
  throw new SvcError('API_UNREACHABLE', { url: new URL(baseUrl).origin, reason: reasonOf(error) }, error);
}

export function unexpected(reason: string): SvcError {
  return new SvcError('API_UNEXPECTED', { reason });
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as {
    readonly cause?: { readonly code?: unknown };
    readonly message?: unknown;
  };
  return String(cause?.code ?? message ?? 'no answer');
}
