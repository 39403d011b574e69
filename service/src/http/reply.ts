// A reply as bytes: plain and compressed, each with its ETag and headers, built once and sent often. Replaces
// @fastify/etag and @fastify/compress, which hash and compress again for every request.
import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { formatLines, type HeadLines, writeHead } from './writeHead.ts';

/** What replies of one kind have in common. */
export type ReplyKind = { readonly contentType: string; readonly fixedLines: HeadLines };

/** The body in one encoding. */
export type ReplyForm = {
  readonly body: Buffer | string;
  readonly bytes: number;
  readonly head: HeadLines;
  /** For a client that has these bytes already. */
  readonly notModifiedHead: HeadLines;
};

export type Reply = {
  readonly kind: ReplyKind;
  /** Identifies the content: the ETag of every form begins with it. */
  readonly digest: string;
  readonly plain: ReplyForm;
  /** Compressed forms, each from the first request for it. */
  compressed: Map<Encoding, ReplyForm | Promise<ReplyForm>> | null;
};

/** Shorter bodies fit a few packets either way: compressing them costs more than it saves. */
const minCompressedBytes = 4_096;

/** Up to this size Node sends a text and its headers in one write, which is cheaper than two. */
const maxTextBytes = 16 * 1_024;

/** `more` are headers of this kind alone. */
export function createReplyKind(
  contentType: string,
  cacheControl: string,
  more: Readonly<Record<string, string>> = {},
): ReplyKind {
  const fixedLines = formatLines({
    'Cache-Control': cacheControl,
    Vary: 'Accept-Encoding',
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers':
      'ETag, Link, Svc-Block, Svc-Block-Age, Svc-Unknown-Parameters, X-Request-Id',
    'X-Content-Type-Options': 'nosniff',
    ...more,
  });
  return { contentType, fixedLines };
}

export function createJsonKind(cacheControl: string): ReplyKind {
  return createReplyKind('application/json; charset=utf-8', cacheControl);
}

/** `known` is given where the caller knows what identifies the content; else the bytes are hashed. */
export function buildReply(
  body: Buffer | string,
  kind: ReplyKind,
  known: string = hash('sha256', body, 'base64url'),
): Reply {
  const digest = known.slice(0, 22);
  const bytes = Buffer.byteLength(body);
  const ready = typeof body === 'string' && bytes > maxTextBytes ? Buffer.from(body) : body;
  return { kind, digest, plain: buildForm(kind, digest, 'identity', ready, bytes), compressed: null };
}

/** The same reply with more headers. */
export function addLines({ kind, digest, plain }: Reply, lines: HeadLines): Reply {
  const more = { ...kind, fixedLines: kind.fixedLines + lines };
  return {
    kind: more,
    digest,
    plain: buildForm(more, digest, 'identity', plain.body, plain.bytes),
    compressed: null,
  };
}

/** Sends an object that belongs to this request alone: it is neither cached nor compressed. */
export function sendJson(request: FastifyRequest, reply: FastifyReply, value: object): FastifyReply {
  return sendJsonText(request, reply, JSON.stringify(value));
}

/** The same for an object that is written already. */
export function sendJsonText(request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  return reply
    .header('X-Request-Id', request.id)
    .header('Cache-Control', 'no-store')
    .header('X-Content-Type-Options', 'nosniff')
    .type('application/json; charset=utf-8')
    .send(text);
}

/** Sends a reply, or 304 to a client that has it, and returns the status. */
export function sendReply(
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  lines: HeadLines,
): 200 | 304 {
  const form = chooseForm(reply, request.headers['accept-encoding'] as string | undefined);
  const match = request.headers['if-none-match'];
  const status = match !== undefined && isCurrent(reply, match) ? 304 : 200;
  if (form instanceof Promise) {
    form.then(
      (compressed) => sendForm(request, response, compressed, status, lines),
      () => response.destroy(),
    );
  } else sendForm(request, response, form, status, lines);
  return status;
}

function sendForm(
  request: IncomingMessage,
  response: ServerResponse,
  form: ReplyForm,
  status: 200 | 304,
  lines: HeadLines,
): void {
  writeHead(response, status, lines + (status === 304 ? form.notModifiedHead : form.head));
  response.end(status === 304 || request.method === 'HEAD' ? undefined : form.body);
}

/** The form that suits what the client accepts, or a promise of it where it has to be compressed first. */
function chooseForm(reply: Reply, accepted: string | undefined): ReplyForm | Promise<ReplyForm> {
  if (accepted === undefined || reply.plain.bytes < minCompressedBytes) return reply.plain;
  const encoding = chooseEncoding(accepted);
  if (encoding === 'identity') return reply.plain;
  return reply.compressed?.get(encoding) ?? compress(reply, encoding);
}

/** Weak comparison, as If-None-Match requires; any form of the reply matches. */
function isCurrent(reply: Reply, match: string): boolean {
  return isOwnTag(reply, match) || match.split(',').some((tag) => isOwnTag(reply, tag.trim()));
}

function isOwnTag({ digest }: Reply, tag: string): boolean {
  if (tag === '*') return true;
  const strong = tag.startsWith('W/') ? tag.slice(2) : tag;
  return strong.startsWith(digest, 1) && encodings.some((encoding) => strong === buildTag(digest, encoding));
}

/** A strong tag identifies the bytes as they are sent, so every encoding has its own. */
function buildTag(digest: string, encoding: Encoding): string {
  return encoding === 'identity' ? `"${digest}"` : `"${digest}-${encoding}"`;
}

const compressors = {
  // Quality 5 is where brotli is still faster than gzip and already smaller.
  br: (body: Buffer | string) =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body: Buffer | string) => promisify(gzip)(body),
};

/** Requests that come during the compression wait for it together; later ones get the compressed bytes. */
function compress(reply: Reply, encoding: keyof typeof compressors): Promise<ReplyForm> {
  reply.compressed ??= new Map();
  const forms = reply.compressed;
  const flight = compressors[encoding](reply.plain.body).then((bytes) => {
    const form = buildForm(reply.kind, reply.digest, encoding, bytes, bytes.length);
    forms.set(encoding, form);
    return form;
  });
  forms.set(encoding, flight);
  // The next request tries again.
  flight.catch(() => forms.delete(encoding));
  return flight;
}

/** First the lines that a 304 has as well, then those that belong to a body. */
function buildForm(
  kind: ReplyKind,
  digest: string,
  encoding: Encoding,
  body: Buffer | string,
  bytes: number,
): ReplyForm {
  // Written out: a reply of one task is built for each request, and formatLines costs more than the rest of it.
  const notModifiedHead = `ETag: ${buildTag(digest, encoding)}\r\n${kind.fixedLines}`;
  const encoded = encoding === 'identity' ? '' : `Content-Encoding: ${encoding}\r\n`;
  const ofBody = `Content-Type: ${kind.contentType}\r\nContent-Length: ${bytes}\r\n${encoded}`;
  return { body, bytes, head: notModifiedHead + ofBody, notModifiedHead };
}

const encodings = ['br', 'gzip', 'identity'] as const;
type Encoding = (typeof encodings)[number];

/** Clients send one of a few spellings; unusual ones must not fill the memory. */
const maxKnownSpellings = 100;
const knownSpellings = new Map<string, Encoding>();

/**
 * The encoding that Accept-Encoding prefers; among equals the one with the shortest body. Replaces `negotiator`, which
 * parses the header again for every request.
 */
function chooseEncoding(accepted: string): Encoding {
  const known = knownSpellings.get(accepted);
  if (known !== undefined) return known;
  const weights = parseWeights(accepted);
  // An encoding that is not listed is not acceptable, except the plain body, which is better than none.
  const weightOf = (encoding: Encoding) =>
    weights.get(encoding) ?? weights.get('*') ?? (encoding === 'identity' ? 0.0001 : 0);
  const best = encodings.reduce((left, right) => (weightOf(right) > weightOf(left) ? right : left));
  const choice = weightOf(best) > 0 ? best : 'identity';
  if (knownSpellings.size < maxKnownSpellings) knownSpellings.set(accepted, choice);
  return choice;
}

function parseWeights(accepted: string): Map<string, number> {
  return new Map(
    accepted.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const weight = parameters.find((text) => text.startsWith('q='))?.slice(2) ?? '1';
      return [name, /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0];
    }),
  );
}
