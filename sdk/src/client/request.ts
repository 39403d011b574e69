// One request to a route of the API. A reply is used only when it has the route's shape.
import { SvcError } from '../domain/errors.ts';
import { limitReached } from './clientRoutes.ts';
import { repeatWrite } from './repeatWrite.ts';
import { type ClientRoute, findMisfit, type Shape } from './replyShape.ts';

export type Fetch = (input: string, init: RequestInit) => Promise<Response>;

export type Connection = {
  readonly baseUrl: string | URL;
  readonly fetch?: Fetch | undefined;
  /** Headers that every request carries. */
  readonly headers?: () => Readonly<Record<string, string>>;
};

export type Signal = {
  /** Cancels the request. */
  readonly signal?: AbortSignal;
};

/** Query parameters by name. `signal` cancels the request. */
export type Parameters = Readonly<
  Record<string, string | number | bigint | boolean | readonly string[] | AbortSignal | undefined>
>;

/** Beside the query: values of the path, and the token of a session. */
export type RequestPlace = {
  readonly params?: Readonly<Record<string, string>>;
  readonly token?: string | undefined;
};

/** A body is sent as JSON, bytes as they are. A write that takes a key is repeated after a lost connection. */
export function createRequest(connection: Connection) {
  return async <Reply>(
    { path: route, method, mayRepeat, reply }: ClientRoute<Reply>,
    { signal: given, ...parameters }: Parameters = {},
    body?: object | Uint8Array<ArrayBuffer>,
    { params = {}, token }: RequestPlace = {},
  ): Promise<Reply> => {
    const signal = given instanceof AbortSignal ? given : undefined;
    const send = async (headers: Readonly<Record<string, string>>) => {
      const session = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const init = buildInit('application/json', signal, body, { ...headers, ...session });
      // Half of a surrogate pair cannot be encoded.
      const encode = (text = '') => encodeURIComponent(text.toWellFormed());
      const path = route.replace(/:(\w+)/g, (_, name: string) => encode(params[name]));
      const response = await openResponse(connection, path, parameters, { ...init, method });
      return readJson(connection, response, signal);
    };
    const json = await (mayRepeat ? repeatWrite(send, signal) : send({}));
    const misfit = findMisfit(reply ?? 'any', json);
    if (misfit !== null) throw unexpected(`${route}: ${misfit}`);
    return json as Reply;
  };
}

export function buildInit(
  accept: string,
  signal: AbortSignal | undefined,
  body?: object | Uint8Array<ArrayBuffer>,
  more: Readonly<Record<string, string>> = {},
): RequestInit {
  const isBytes = body instanceof Uint8Array;
  const type = isBytes ? 'application/octet-stream' : 'application/json';
  return {
    headers: { accept, ...(body !== undefined && { 'content-type': type }), ...more },
    ...(body !== undefined && { method: 'POST', body: isBytes ? body : JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  };
}

/** Throws API_REFUSED with the service's own message unless the status is a success. */
export async function openResponse(
  connection: Connection,
  path: string,
  parameters: Parameters,
  init: RequestInit,
): Promise<Response> {
  const { baseUrl, fetch = globalThis.fetch } = connection;
  const headers = { ...(init.headers as Readonly<Record<string, string>>), ...connection.headers?.() };
  const response = await fetch(buildUrl(baseUrl, path, parameters), { ...init, headers }).catch(
    (error: unknown) => throwUnreachable(connection, error, init.signal),
  );
  if (response.ok) return response;
  const body = await readJson(connection, response, init.signal).catch(() => null);
  const { error, code, head, quota } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const reason = typeof error === 'string' ? error : `The API answers ${response.status}.`;
  const full = findMisfit(limitReached, body) === null ? { quota } : {};
  throw new SvcError('API_REFUSED', { reason, status: response.status, ...full, code, head });
}

/** Keeps the path of `baseUrl`, below which a service may be mounted. */
function buildUrl(baseUrl: string | URL, path: string, parameters: Parameters): string {
  const url = new URL(baseUrl);
  url.pathname = url.pathname.replace(/\/$/, '') + path;
  url.search = '';
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url.href;
}

async function readJson(connection: Connection, response: Response, signal: RequestInit['signal']) {
  // The connection may also fail while the body is read.
  const text = await response.text().catch((error: unknown) => throwUnreachable(connection, error, signal));
  return parseJson(text);
}

/** The JSON of a text. Throws API_UNEXPECTED where it has another shape. */
export function parseReply<Reply>(shape: Shape | null, text: string, what: string): Reply {
  const json = parseJson(text);
  const misfit = findMisfit(shape ?? 'any', json);
  if (misfit !== null) throw unexpected(`${what}: ${misfit}`);
  return json as Reply;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unexpected('it is not JSON');
  }
}

/** Throws API_UNREACHABLE, or the error itself when the caller has aborted the request. */
export function throwUnreachable(
  { baseUrl }: Connection,
  error: unknown,
  signal: RequestInit['signal'],
): never {
  if (signal?.aborted) throw error;
  const { cause, message } = error as { cause?: { code?: unknown }; message?: unknown };
  const reason = String(cause?.code ?? message ?? 'no answer');
  throw new SvcError('API_UNREACHABLE', { url: new URL(baseUrl).origin, reason }, error);
}

export function unexpected(reason: string): SvcError {
  return new SvcError('API_UNEXPECTED', { reason });
}
