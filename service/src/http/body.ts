// A reply that is ready to send: its bytes, plain and compressed, with the ETag and the headers of each form.
// Ours instead of @fastify/etag and @fastify/compress, which hash and compress again for every request.
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

export type Headers = Readonly<Record<string, string>>;

type Content = Buffer | string;

type Form = {
  readonly content: Content;
  readonly bytes: number;
  /** Those that a 304 has as well. */
  readonly always: Headers;
  readonly headers: Headers;
};

export type Body = {
  /** Identifies the content: the ETag of every form begins with it. */
  readonly digest: string;
  readonly contentType: string;
  readonly headers: Headers;
  readonly plain: Form;
  /** Each form is made by the first request that accepts it. */
  readonly compressed: Map<Encoding, Form | Promise<Form>>;
};

export const jsonType = 'application/json; charset=utf-8';

/** Compressing a shorter body costs more than it saves. */
const minCompressedBytes = 4_096;
/** Up to this size Node sends a text together with its head in one write. */
const maxTextBytes = 16 * 1_024;

export function buildBody(content: Content, contentType: string, headers: Headers): Body {
  const ready = Buffer.byteLength(content) > maxTextBytes ? Buffer.from(content) : content;
  const digest = hash('sha256', ready, 'base64url').slice(0, 22);
  return assemble(ready, digest, contentType, headers);
}

/** The same content with more headers. */
export function addHeaders({ plain, digest, contentType, headers }: Body, more: Headers): Body {
  return assemble(plain.content, digest, contentType, { ...headers, ...more });
}

function assemble(content: Content, digest: string, contentType: string, given: Headers): Body {
  // In small letters, as Fastify keeps those that are set on its reply.
  const named = Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]);
  const headers: Headers = { vary: 'Accept-Encoding', ...Object.fromEntries(named) };
  const plain = buildForm(content, `"${digest}"`, contentType, headers);
  return { digest, contentType, headers, plain, compressed: new Map() };
}

function buildForm(
  content: Content,
  etag: string,
  contentType: string,
  given: Headers,
  more: Headers = {},
): Form {
  const always = { ...given, etag };
  const bytes = Buffer.byteLength(content);
  const described = { 'content-type': contentType, 'content-length': String(bytes), ...more };
  return { content, bytes, always, headers: { ...always, ...described } };
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

function sendForm(
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
  body: Body,
  form: Form,
): FastifyReply {
  const known = headers['if-none-match'];
  const isCurrent = known !== undefined && isKnown(body, known);
  const own = isCurrent ? form.always : form.headers;
  // Written to Node's response: Fastify would parse the type and measure the content again.
  const response = reply.hijack().raw;
  response.writeHead(isCurrent ? 304 : 200, { ...(reply.getHeaders() as Headers), ...own });
  response.end(isCurrent || method === 'HEAD' ? undefined : form.content);
  return reply;
}

/** Weak comparison, as If-None-Match requires; the tag of any form matches. */
function isKnown({ digest }: Body, tags: string): boolean {
  const own = ['*', `"${digest}"`, `"${digest}-br"`, `"${digest}-gzip"`];
  return tags.split(',').some((tag) => own.includes(tag.trim().replace(/^W\//, '')));
}

const compressors = {
  // From quality 5 down brotli is faster than gzip, and its result is smaller.
  br: (content: Content) =>
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (content: Content) => promisify(gzip)(content),
};
type Encoding = keyof typeof compressors;

/** Requests that come during the compression wait for the same result; a later one tries again if it fails. */
function compress(body: Body, encoding: Encoding): Promise<Form> {
  const { compressed, digest, headers, contentType, plain } = body;
  const flight = compressors[encoding](plain.content).then((content) => {
    const more = { 'content-encoding': encoding };
    const form = buildForm(content, `"${digest}-${encoding}"`, contentType, headers, more);
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
  if (accepted === undefined || plain.bytes < minCompressedBytes) return null;
  const weights = new Map(accepted.split(',').map(parseWeight));
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0;
  const best = weightOf('gzip') > weightOf('br') ? 'gzip' : 'br';
  return weightOf(best) > 0 && weightOf(best) >= (weights.get('identity') ?? 0) ? best : null;
}

function parseWeight(part: string): [string, number] {
  const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
  const weight = parameters.find((text) => text.startsWith('q='))?.slice(2) ?? '1';
  return [name, /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0];
}
