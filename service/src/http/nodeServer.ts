// Node's HTTP server with our limits, and our words where Node would answer by itself or not at all.
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
import { buildErrorBody, toErrorReply } from './errors.ts';
import { closeIdleConnections } from './idleConnections.ts';

export type ServerLimits = {
  /** A client that needs longer to send its headers, or its whole request, is cut off. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** How often it is looked whether one did. */
  readonly checkMs: number;
  /** Further ones are dropped before a byte of them is read, so that a flood cannot use up what the process may open. */
  readonly connections: number;
};

export const serverLimits: ServerLimits = {
  headersMs: 15_000,
  requestMs: 30_000,
  checkMs: 5_000,
  connections: 10_000,
};

/** A browser sends some twenty. */
const maxHeaders = 200;

export function createNodeServer(listener: RequestListener, limits = serverLimits): Server {
  const server = createServer(
    {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: limits.checkMs,
      // See idleConnections.ts.
      keepAliveTimeout: 0,
      // Node would refuse with an empty body.
      requireHostHeader: false,
    },
    (request, response) => {
      const fault = findFault(request);
      if (fault === null) listener(request, response);
      else answerError(request, response, fault);
    },
  );
  closeIdleConnections(server);
  server.maxConnections = limits.connections;
  // Node would drop the rest without a word; we refuse them.
  server.maxHeadersCount = 0;
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    answerError(request, response, 'EXPECTATION_UNKNOWN'),
  );
  server.on('connect', (_request, socket) => writeError(socket, 'ROUTE_NOT_FOUND'));
  return server;
}

/** What a proxy in front of us may understand otherwise than Node does: for whom it is, or where its body ends. */
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

/** What the parser could not read, or what never came to an end. */
export function answerClientError(
  error: Error & { readonly code?: string; readonly rawPacket?: unknown },
  socket: Duplex,
): void {
  // After half an answer there is nothing left to say; Node keeps the answer under way here.
  const { _httpMessage: pending } = socket as { _httpMessage?: ServerResponse | null };
  if (error.code === 'ECONNRESET' || !socket.writable || pending?.headersSent) {
    socket.destroy();
    return;
  }
  // The client takes it for the answer that it waits for first. Of a request that could not be read Node tells only
  // the packet; where its method came in an earlier one, it stays unknown.
  const method = pending ? pending.req.method : readMethod(error.rawPacket);
  writeError(socket, clientErrors[error.code ?? ''] ?? 'REQUEST_MALFORMED', method);
}

function readMethod(packet: unknown): string | undefined {
  return Buffer.isBuffer(packet) ? packet.toString('latin1', 0, 5).split(' ')[0] : undefined;
}

const clientErrors: Readonly<Record<string, SimpleCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TOO_SLOW',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'BODY_TOO_LARGE',
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
};

/** Codes whose messages have nothing to fill in. */
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
  const reply = toErrorReply(new SvcError(code, {}));
  const { contentType, body } = buildErrorBody(reply, request.headers.accept);
  response.writeHead(reply.status, {
    'Content-Type': contentType,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    Connection: 'close',
  });
  response.end(body);
}

function writeError(socket: Duplex, code: SimpleCode, method?: string): void {
  const reply = toErrorReply(new SvcError(code, {}));
  const { contentType, body } = buildErrorBody(reply, undefined);
  socket.end(
    `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status]}\r\n` +
      `Content-Type: ${contentType}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Cache-Control: no-store\r\nConnection: close\r\n\r\n${method === 'HEAD' ? '' : body}`,
  );
}
