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
import { type ErrorCode, SvcError } from '#domain/errors.ts';
import { buildErrorBody, toErrorReply } from './errors.ts';
import { closeIdleConnections } from './idleConnections.ts';

/** A client that needs longer to send its headers, or its whole request, is cut off. */
const headersTimeoutMs = 15_000;
export const requestTimeoutMs = 30_000;
const timeoutCheckMs = 5_000;

export function createNodeServer(listener: RequestListener): Server {
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: timeoutCheckMs,
      // See idleConnections.ts.
      keepAliveTimeout: 0,
      // Node would refuse with an empty body.
      requireHostHeader: false,
    },
    (request, response) => {
      if (request.headers.host === undefined && request.httpVersionMinor > 0) {
        answerError(request, response, 'REQUEST_MALFORMED');
      } else listener(request, response);
    },
  );
  closeIdleConnections(server);
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    answerError(request, response, 'EXPECTATION_UNKNOWN'),
  );
  server.on('connect', (_request, socket) => writeError(socket, 'ROUTE_NOT_FOUND'));
  return server;
}

/** What the parser could not read, or what never came to an end. */
export function answerClientError(error: Error & { readonly code?: string }, socket: Duplex): void {
  // After half an answer there is nothing left to say; Node keeps the answer under way here.
  const { _httpMessage: pending } = socket as { _httpMessage?: ServerResponse };
  if (error.code === 'ECONNRESET' || !socket.writable || pending?.headersSent) socket.destroy();
  else writeError(socket, clientErrors[error.code ?? ''] ?? 'REQUEST_MALFORMED');
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

function writeError(socket: Duplex, code: SimpleCode): void {
  const reply = toErrorReply(new SvcError(code, {}));
  const { contentType, body } = buildErrorBody(reply, undefined);
  socket.end(
    `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status]}\r\n` +
      `Content-Type: ${contentType}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Cache-Control: no-store\r\nConnection: close\r\n\r\n${body}`,
  );
}
