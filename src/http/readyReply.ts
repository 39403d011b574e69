// One answer as ready bytes: plain and compressed, each with its ETag and its headers, made once and sent often.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { chooseEncoding, type Encoding, encodings } from './encoding.ts';
import { stampSlots } from './stamp.ts';

/** The body in one encoding. Both header lists begin with the slots of stamp.ts, which are filled for each answer. */
export type ReplyForm = {
  readonly body: Buffer;
  readonly headers: string[];
  readonly notModifiedHeaders: string[];
};

export type ReadyReply = {
  /** Digest of the plain bytes: the ETag of every form begins with it. */
  readonly digest: string;
  readonly contentType: string;
  readonly fixedHeaders: readonly string[];
  readonly plain: ReplyForm;
  /** Compressed forms, from the moment somebody has asked for one. */
  readonly compressed: Map<Encoding, ReplyForm | Promise<ReplyForm>>;
};

export type ReplyOptions = {
  readonly contentType: string;
  readonly cacheControl: string;
  /** More headers: names and values in turn, as `writeHead` takes them. */
  readonly headers?: readonly string[];
};

export const jsonType = 'application/json; charset=utf-8';

/** Shorter bodies gain nothing. */
const minCompressedBytes = 1_024;

export function buildReply(body: string | Buffer, options: ReplyOptions): ReadyReply {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  const { contentType } = options;
  const fixedHeaders = [
    'Cache-Control',
    options.cacheControl,
    'Vary',
    'Accept-Encoding',
    'Access-Control-Allow-Origin',
    '*',
    'Access-Control-Expose-Headers',
    'ETag, Svc-Block, Svc-Block-Age, X-Request-Id',
    'X-Content-Type-Options',
    'nosniff',
    ...(options.headers ?? []),
  ];
  const base = { digest, contentType, fixedHeaders };
  return { ...base, plain: buildForm(base, 'identity', bytes), compressed: new Map() };
}

/** The form that suits what the client accepts, or the promise of it where it has to be compressed first. */
export function takeForm(reply: ReadyReply, accepted: string | undefined): ReplyForm | Promise<ReplyForm> {
  if (accepted === undefined || reply.plain.body.length < minCompressedBytes) return reply.plain;
  const encoding = chooseEncoding(accepted);
  if (encoding === 'identity') return reply.plain;
  return reply.compressed.get(encoding) ?? compress(reply, encoding);
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
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes),
};

/** The first who asks waits for the compression, with everybody who asks meanwhile; all after get ready bytes. */
function compress(reply: ReadyReply, encoding: keyof typeof compressors): Promise<ReplyForm> {
  const flight = compressors[encoding](reply.plain.body).then((bytes) => {
    const form = buildForm(reply, encoding, bytes);
    reply.compressed.set(encoding, form);
    return form;
  });
  reply.compressed.set(encoding, flight);
  // One that failed is tried anew by the next who asks.
  flight.catch(() => reply.compressed.delete(encoding));
  return flight;
}

function buildForm(
  reply: Pick<ReadyReply, 'digest' | 'contentType' | 'fixedHeaders'>,
  encoding: Encoding,
  body: Buffer,
): ReplyForm {
  const shared = [...stampSlots, 'ETag', buildTag(reply.digest, encoding), ...reply.fixedHeaders];
  const headers = [...shared, 'Content-Type', reply.contentType, 'Content-Length', String(body.length)];
  if (encoding !== 'identity') headers.push('Content-Encoding', encoding);
  return { body, headers, notModifiedHeaders: shared };
}
