// Node's HTTP server with our limits, and our error replies where Node would send an empty one or none.
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { type ErrorCode, SvcError } from '@svc/sdk/domain';
import { buildErrorBody, statusOf } from './errors.ts';

export type ServerLimits = Partial<Limits>;

type Limits = {
  /** A client that takes longer to send its headers, or its whole request, is disconnected. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** How often that is checked. */
  readonly checkMs: number;
  /** Further ones are closed before a byte is read, so that a flood cannot exhaust the process's file descriptors. */
  readonly connections: number;
  /** A connection on which no byte moves for this long is closed. */
  readonly idleMs: number;
};

const serverLimits: Limits = {
  headersMs: 15_000,
  requestMs: 30_000,
  checkMs: 5_000,
  connections: 10_000,
  // Longer than the minute after which most proxies drop an idle connection: the proxy should close first.
  idleMs: 72_000,
};

/** A browser sends about twenty. */
const maxHeaders = 200;

export function createNodeServer(listener: RequestListener, given: ServerLimits = {}): Server {
  const limits = { ...serverLimits, ...given };
  const server = createServer(
    {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: limits.checkMs,
      // The timeout below counts in place of it, also for a client that does not read its response.
      keepAliveTimeout: 0,
      // Node would refuse with an empty body.
      requireHostHeader: false,
    },
    (request, response) => {
      remember(request.socket, response);
      const fault = findFault(request);
      if (fault === null) listener(request, response);
      else answerError(request, response, fault);
    },
  );
  server.timeout = limits.idleMs;
  server.maxConnections = limits.connections;
  // Node would silently drop the rest; we refuse the request.
  server.maxHeadersCount = 0;
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    answerError(request, response, 'EXPECTATION_UNKNOWN'),
  );
  server.on('connect', (_request, socket) => writeError(socket, 'ROUTE_NOT_FOUND'));
  return server;
}

/** What a proxy in front of us may interpret differently from Node: the host, or where the body ends. */
function findFault({ headers, rawHeaders, httpVersionMinor }: IncomingMessage): SimpleCode | null {
  if (rawHeaders.length > 2 * maxHeaders) return 'HEADERS_TOO_LARGE';
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return 'REQUEST_MALFORMED';
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1 || (hosts === 0 && httpVersionMinor > 0) ? 'REQUEST_MALFORMED' : null;
}

/** Requests that the parser could not read, or that never ended. */
export function answerClientError(
  error: Error & { readonly code?: string; readonly rawPacket?: unknown },
  socket: Duplex,
): void {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && longBodies.has(socket)) return;
  // After half a response nothing can be sent.
  const oldest = responses.get(socket);
  const pending = oldest?.writableFinished ? undefined : oldest;
  if (error.code === 'ECONNRESET' || !socket.writable || pending?.headersSent) {
    socket.destroy();
    return;
  }
  // The client takes it for the response to its oldest request. Of an unreadable request Node passes only the packet; a
  // method that came in an earlier packet stays unknown.
  const method = pending ? pending.req.method : readMethod(error.rawPacket);
  writeError(socket, clientErrors[error.code ?? ''] ?? 'REQUEST_MALFORMED', method);
}

/** Of each connection, the response that its client waits for. */
const responses = new WeakMap<Duplex, ServerResponse>();

function remember(socket: Duplex, response: ServerResponse): void {
  if (responses.get(socket)?.writableFinished ?? true) responses.set(socket, response);
}

const longBodies = new WeakSet<Duplex>();

/**
 * Lets the body of the current request take longer than all others may: its handler has its own time limit. Returns
 * what ends the exception.
 */
export function allowLongBody(socket: Duplex): () => void {
  longBodies.add(socket);
  return () => void longBodies.delete(socket);
}

function readMethod(packet: unknown): string | undefined {
  return Buffer.isBuffer(packet) ? packet.toString('latin1', 0, 5).split(' ')[0] : undefined;
}

const clientErrors: Readonly<Record<string, SimpleCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TOO_SLOW',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'BODY_TOO_LARGE',
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
};

/** Codes whose messages have no placeholders. */
type SimpleCode = Extract<
  ErrorCode,
  | 'BODY_TOO_LARGE'
  | 'EXPECTATION_UNKNOWN'
  | 'HEADERS_TOO_LARGE'
  | 'REQUEST_MALFORMED'
  | 'REQUEST_TOO_SLOW'
  | 'ROUTE_NOT_FOUND'
>;

function answerError(request: IncomingMessage, response: ServerResponse, code: SimpleCode): void {
  const { headers, body } = buildErrorBody(new SvcError(code, {}), request.headers.accept);
  response.writeHead(statusOf(code), { ...headers, ...commonHeaders(body) });
  response.end(body);
}

function writeError(socket: Duplex, code: SimpleCode, method?: string): void {
  const status = statusOf(code);
  const { headers, body } = buildErrorBody(new SvcError(code, {}), undefined);
  const lines = Object.entries({ ...headers, ...commonHeaders(body) }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`;
  socket.end(method === 'HEAD' ? head : head + body);
}

function commonHeaders(body: string) {
  return { 'Content-Length': Buffer.byteLength(body), 'Cache-Control': 'no-store', Connection: 'close' };
}
