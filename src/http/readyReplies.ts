// Ready bytes: replies kept by their exact URL for as long as what they tell is true, so that a hot read is a map
// look-up and a write.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Market } from '#domain/market.ts';

export type Encoding = 'br' | 'gzip' | 'identity';

export type ReadyReply = {
  readonly etag: string;
  readonly contentType: string;
  readonly cacheControl: string;
  /** The version of what it was built from; another version makes it worthless. */
  readonly version: string;
  readonly bodies: Map<Encoding, Buffer>;
};

export type KeptReply = ReadyReply & { readonly market: Market };

export type ReadyReplies = {
  /** Undefined when there is none, or none of its market's present version. */
  readonly find: (url: string) => KeptReply | undefined;
  readonly save: (url: string, reply: KeptReply) => void;
};

/** URLs are the client's choice, so their number must not decide how much memory this takes. */
const maxBytes = 64 * 1024 * 1024;
/** Shorter bodies gain nothing. */
const minCompressedBytes = 1_024;

/** The least recently used go first; Map keeps the order in which keys were set. */
export function createReadyReplies(
  versionOf: (market: Market) => string,
  limitBytes = maxBytes,
): ReadyReplies {
  const replies = new Map<string, KeptReply>();
  let bytes = 0;

  function drop(url: string, reply: KeptReply): void {
    replies.delete(url);
    bytes -= sizeOf(url, reply);
  }

  return {
    find: (url) => {
      const reply = replies.get(url);
      if (reply === undefined || reply.version === versionOf(reply.market)) return reply;
      drop(url, reply);
      return undefined;
    },
    save: (url, reply) => {
      const old = replies.get(url);
      if (old !== undefined) drop(url, old);
      replies.set(url, reply);
      bytes += sizeOf(url, reply);
      for (const [oldest, value] of replies) {
        if (bytes <= limitBytes) break;
        drop(oldest, value);
      }
    },
  };
}

/** Twice the plain size leaves room for the compressed forms, which come later. */
function sizeOf(url: string, reply: ReadyReply): number {
  return url.length + 2 * (reply.bodies.get('identity')?.length ?? 0);
}

export type ReplyOptions = {
  readonly contentType: string;
  readonly cacheControl: string;
  readonly version: string;
};

export function buildReply(body: string | Buffer, options: ReplyOptions): ReadyReply {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  return { ...options, etag, bodies: new Map([['identity', bytes]]) };
}

const compressors = {
  // Quality 5 is where brotli is still faster than gzip and already smaller.
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes),
};

/** The body in that encoding. The first who asks waits for the compression; everybody after gets ready bytes. */
export async function encodeReply(reply: ReadyReply, encoding: Encoding): Promise<Buffer> {
  const plain = reply.bodies.get('identity') as Buffer;
  if (encoding === 'identity') return plain;
  const compressed = await compressors[encoding](plain);
  reply.bodies.set(encoding, compressed);
  return compressed;
}

/** What the client takes, best first; a body too short to gain goes as it is. */
export function chooseEncoding(accepted: string | undefined, reply: ReadyReply): Encoding {
  if (accepted === undefined || (reply.bodies.get('identity')?.length ?? 0) < minCompressedBytes)
    return 'identity';
  if (accepts(accepted, 'br')) return 'br';
  if (accepts(accepted, 'gzip')) return 'gzip';
  return 'identity';
}

function accepts(accepted: string, encoding: string): boolean {
  return accepted.split(',').some((part) => {
    const [name, ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return name === encoding && !parameters.some((text) => /^q=0(\.0*)?$/.test(text));
  });
}
