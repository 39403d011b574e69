// A reply that is ready to send: its bytes, plain and compressed, with the ETag and the headers of each form.
// Ours instead of @fastify/etag and @fastify/compress, which hash and compress again for every request.
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { anyOrigin, type Headers } from './crossOrigin.ts';

/** Headers are alternating names and values, which Node writes fastest. */
type Form = {
  readonly content: Buffer;
  /** Those that a 304 has as well. */
  readonly always: readonly string[];
  readonly headers: readonly string[];
};

export type Body = {
  /** Identifies the content: the ETag of every form begins with it. */
  readonly digest: string;
  /** Without those of a form. */
  readonly headers: readonly string[];
  readonly contentType: string;
  readonly plain: Form;
  /** Each form is made by the first request that accepts it. */
  readonly compressed: Map<Encoding, Form | Promise<Form>>;
};

export const jsonType = 'application/json; charset=utf-8';
export const safeType: Headers = { 'x-content-type-options': 'nosniff' };

/** Compressing a shorter body costs more than it saves. */
const minCompressedBytes = 4_096;

/** Any page may read it. */
export function buildBody(given: Buffer | string, contentType: string, more: Headers): Body {
  const content = typeof given === 'string' ? Buffer.from(given) : given;
  const digest = hash('sha256', content, 'base64url').slice(0, 22);
  const headers = Object.entries({ ...safeType, ...anyOrigin, vary: 'Accept-Encoding', ...more }).flat();
  const plain = buildForm(content, `"${digest}"`, contentType, headers);
  return { digest, headers, contentType, plain, compressed: new Map() };
}

function buildForm(content: Buffer, etag: string, contentType: string, given: readonly string[]): Form {
  const always = [...given, 'etag', etag];
  const headers = [...always, 'content-type', contentType, 'content-length', String(content.length)];
  return { content, always, headers };
}

/** Sends the form that the client accepts, or 304 to a client that has it. */
export function sendBody(request: FastifyRequest, reply: FastifyReply, body: Body): FastifyReply {
  const encoding = chooseEncoding(request.headers['accept-encoding'] as string | undefined, body);
  const form = encoding === null ? body.plain : (body.compressed.get(encoding) ?? compress(body, encoding));
  if (!(form instanceof Promise)) return sendForm(request, reply, body, form);
  form.then(
    (ready) => sendForm(request, reply, body, ready),
    (error) => reply.send(error),
  );
  return reply;
}

function sendForm(request: FastifyRequest, reply: FastifyReply, body: Body, form: Form): FastifyReply {
  const known = request.headers['if-none-match'];
  const isCurrent = known !== undefined && isKnown(body, known);
  const headers = [...(isCurrent ? form.always : form.headers), ...reply.listMomentHeaders()];
  const set = reply.getHeaders() as Headers;
  for (const name in set) headers.push(name, set[name] as string);
  // Written to Node's response: Fastify would parse the type and measure the content again.
  const response = reply.hijack().raw.writeHead(isCurrent ? 304 : 200, headers);
  response.end(isCurrent || request.method === 'HEAD' ? undefined : form.content);
  return reply;
}

/** Weak comparison, as If-None-Match requires; the tag of any form matches. */
function isKnown({ digest }: Body, tags: string): boolean {
  const own = ['*', `"${digest}"`, `"${digest}-br"`, `"${digest}-gzip"`];
  return tags.split(',').some((tag) => own.includes(tag.trim().replace(/^W\//, '')));
}

const compressors = {
  // From quality 5 down brotli is faster than gzip, and its result is smaller.
  br: (content: Buffer) =>
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (content: Buffer) => promisify(gzip)(content),
};
type Encoding = keyof typeof compressors;

/** Requests that come during the compression wait for the same result; a later one tries again if it fails. */
function compress(body: Body, encoding: Encoding): Promise<Form> {
  const { compressed, digest, headers, contentType, plain } = body;
  const flight = compressors[encoding](plain.content).then((content) => {
    const encoded = buildForm(content, `"${digest}-${encoding}"`, contentType, headers);
    const form = { ...encoded, headers: [...encoded.headers, 'content-encoding', encoding] };
    compressed.set(encoding, form);
    return form;
  });
  compressed.set(encoding, flight);
  flight.catch(() => compressed.delete(encoding));
  return flight;
}

/**
 * The encoding that Accept-Encoding prefers, brotli among equals; null for the plain form. Ours instead of
 * @fastify/accept-negotiator, which accepts weights above 1.
 */
function chooseEncoding(accepted: string | undefined, { plain }: Body): Encoding | null {
  if (accepted === undefined || plain.content.length < minCompressedBytes) return null;
  const preferred = preferences.memo(accepted);
  return preferred === 'identity' ? null : preferred;
}

/** Clients send few different values of the header. */
const preferences = new LRUCache<string, Encoding | 'identity'>({ max: 100, memoMethod: readPreference });

function readPreference(accepted: string): Encoding | 'identity' {
  const weights = new Map(accepted.split(',').map(parseWeight));
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0;
  const best = weightOf('gzip') > weightOf('br') ? 'gzip' : 'br';
  return weightOf(best) > 0 && weightOf(best) >= (weights.get('identity') ?? 0) ? best : 'identity';
}

function parseWeight(part: string): [string, number] {
  const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
  const weight = parameters.find((text) => text.startsWith('q='))?.slice(2) ?? '1';
  return [name, /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0];
}
