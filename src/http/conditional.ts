// Sends a ready reply: not modified, compressed or plain, with or without its body.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { chooseEncoding, encodeReply, type ReadyReply } from './readyReplies.ts';

export function sendReady(
  request: IncomingMessage,
  response: ServerResponse,
  reply: ReadyReply,
  extraHeaders: readonly string[],
): void {
  const match = request.headers['if-none-match'];
  if (match !== undefined && matches(match, reply.etag)) {
    response.writeHead(304, [...commonHeaders(reply), ...extraHeaders]).end();
    return;
  }
  const encoding = chooseEncoding(request.headers['accept-encoding'] as string | undefined, reply);
  const bytes = reply.bodies.get(encoding);
  if (bytes !== undefined) {
    sendBody(request, response, reply, extraHeaders, encoding, bytes);
    return;
  }
  encodeReply(reply, encoding).then(
    (encoded) => sendBody(request, response, reply, extraHeaders, encoding, encoded),
    () => response.destroy(),
  );
}

function sendBody(
  request: IncomingMessage,
  response: ServerResponse,
  reply: ReadyReply,
  extraHeaders: readonly string[],
  encoding: string,
  bytes: Buffer,
): void {
  const headers = [...commonHeaders(reply), ...extraHeaders, 'Content-Type', reply.contentType];
  headers.push('Content-Length', String(bytes.length));
  if (encoding !== 'identity') headers.push('Content-Encoding', encoding);
  response.writeHead(200, headers);
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

function commonHeaders(reply: ReadyReply): string[] {
  return [
    'ETag',
    reply.etag,
    'Cache-Control',
    reply.cacheControl,
    'Vary',
    'Accept-Encoding',
    'Access-Control-Allow-Origin',
    '*',
    'Access-Control-Expose-Headers',
    'ETag, Svc-Block, Svc-Block-Age',
    'X-Content-Type-Options',
    'nosniff',
  ];
}

/** Weak comparison, as If-None-Match wants it. */
function matches(header: string, etag: string): boolean {
  if (header === etag || header.trim() === '*') return true;
  return header.split(',').some((part) => part.trim().replace(/^W\//, '') === etag);
}
