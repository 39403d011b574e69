// One answer as ready bytes: plain and compressed, each with its ETag and its headers, made once and sent often.
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { chooseEncoding, type Encoding, encodings } from './encoding.ts';
import { formatLines, type HeadLines } from './writeHead.ts';

/** What replies of one kind have in common, made once for all of them. */
export type ReplyKind = { readonly contentType: string; readonly fixedLines: HeadLines };

/** The body in one encoding. */
export type ReplyForm = {
  readonly body: Buffer | string;
  readonly bytes: number;
  readonly head: HeadLines;
  /** For a client that has it already. */
  readonly notModifiedHead: HeadLines;
};

export type ReadyReply = {
  readonly kind: ReplyKind;
  /** Digest of the plain bytes: the ETag of every form begins with it. */
  readonly digest: string;
  readonly plain: ReplyForm;
  /** Compressed forms, from the moment somebody has asked for one. */
  compressed: Map<Encoding, ReplyForm | Promise<ReplyForm>> | null;
};

/** Shorter bodies fit a packet or three either way: compressing one for each who asks costs more than it saves. */
const minCompressedBytes = 4_096;

/** Up to here Node sends a text and its headers in one piece, which is cheaper than headers and bytes one by one. */
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
    'Access-Control-Expose-Headers': 'ETag, Svc-Block, Svc-Block-Age, X-Request-Id',
    'X-Content-Type-Options': 'nosniff',
    ...more,
  });
  return { contentType, fixedLines };
}

export function createJsonKind(cacheControl: string): ReplyKind {
  return createReplyKind('application/json; charset=utf-8', cacheControl);
}

export function buildReply(body: Buffer | string, kind: ReplyKind): ReadyReply {
  const digest = hash('sha256', body, 'base64url').slice(0, 22);
  const bytes = Buffer.byteLength(body);
  const ready = typeof body === 'string' && bytes > maxTextBytes ? Buffer.from(body) : body;
  return { kind, digest, plain: buildForm(kind, digest, 'identity', ready, bytes), compressed: null };
}

/** The form that suits what the client accepts, or the promise of it where it has to be compressed first. */
export function takeForm(reply: ReadyReply, accepted: string | undefined): ReplyForm | Promise<ReplyForm> {
  if (accepted === undefined || reply.plain.bytes < minCompressedBytes) return reply.plain;
  const encoding = chooseEncoding(accepted);
  if (encoding === 'identity') return reply.plain;
  return reply.compressed?.get(encoding) ?? compress(reply, encoding);
}

/** Weak comparison, as If-None-Match wants it; which of the forms the client holds does not matter. */
export function isCurrent(reply: ReadyReply, match: string): boolean {
  return isOwnTag(reply, match) || match.split(',').some((tag) => isOwnTag(reply, tag.trim()));
}

function isOwnTag({ digest }: ReadyReply, tag: string): boolean {
  if (tag === '*') return true;
  const strong = tag.startsWith('W/') ? tag.slice(2) : tag;
  return strong.startsWith(digest, 1) && encodings.some((encoding) => strong === buildTag(digest, encoding));
}

/** A strong tag names the bytes as they are sent, so every encoding has one of its own. */
function buildTag(digest: string, encoding: Encoding): string {
  return encoding === 'identity' ? `"${digest}"` : `"${digest}-${encoding}"`;
}

const compressors = {
  // Quality 5 is where brotli is still faster than gzip and already smaller.
  br: (body: Buffer | string) =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body: Buffer | string) => promisify(gzip)(body),
};

/** The first who asks waits for the compression, with everybody who asks meanwhile; all after get ready bytes. */
function compress(reply: ReadyReply, encoding: keyof typeof compressors): Promise<ReplyForm> {
  reply.compressed ??= new Map();
  const forms = reply.compressed;
  const flight = compressors[encoding](reply.plain.body).then((bytes) => {
    const form = buildForm(reply.kind, reply.digest, encoding, bytes, bytes.length);
    forms.set(encoding, form);
    return form;
  });
  forms.set(encoding, flight);
  // One that failed is tried anew by the next who asks.
  flight.catch(() => forms.delete(encoding));
  return flight;
}

/** First come the lines that a 304 has as well, then those that belong to a body. */
function buildForm(
  kind: ReplyKind,
  digest: string,
  encoding: Encoding,
  body: Buffer | string,
  bytes: number,
): ReplyForm {
  const notModifiedHead = formatLines({ ETag: buildTag(digest, encoding) }) + kind.fixedLines;
  const ofBody = formatLines({
    'Content-Type': kind.contentType,
    'Content-Length': String(bytes),
    ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
  });
  return { body, bytes, head: notModifiedHead + ofBody, notModifiedHead };
}
