// GET, HEAD and PUT /v1/files/:sha256. Files come from unknown senders: nothing here may be shown or run on our origin.
import { PassThrough } from 'node:stream';
import { parseTaskId, SvcError } from '@svc/sdk/domain';
import { sha256Schema } from '@svc/sdk/internal/schemas/documents';
import { uploadQuerySchema } from '@svc/sdk/internal/schemas/files';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { gatewayRoutes } from '../../contract/apis.ts';
import type { ByteRange } from '../../files/byteStore.ts';
import type { FileService, Subject } from '../../files/uploads.ts';
import type { SessionService } from '../../sessions/walletSessions.ts';
import { registerGet } from '../app.ts';
import { allowLongBody } from '../nodeServer.ts';
import { requireWallet } from './callRoute.ts';

export type FileRoutes = {
  readonly files: FileService;
  readonly sessions: SessionService;
  readonly publicUrl: () => string;
};

const { path } = gatewayRoutes.getFile;

/** 25 MB at 85 KB a second. */
const longestUploadMs = 300_000;

/** Whatever the bytes are, a browser keeps them as a download. */
const downloadHeaders = {
  'Content-Type': 'application/octet-stream',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Referrer-Policy': 'no-referrer',
  'Accept-Ranges': 'bytes',
  // An hour, so that a file that is taken down does not live on in caches.
  'Cache-Control': 'public, max-age=3600',
};

export function registerFileRoutes(app: FastifyInstance, { files, sessions, publicUrl }: FileRoutes): void {
  registerGet(app, path, (request, reply) => download(request, reply));

  // A separate scope: only here is a body left as a stream, whatever its type.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    const config = { crossOrigin: 'call' } as const;
    scope.put(path, { config }, (request, reply) => upload(request, reply));
  });

  async function download(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const sha256 = parseSha256(request.params);
    const { bytes, read } = await files.find(sha256);
    const etag = `"${sha256}"`;
    const { 'if-none-match': match = '', 'if-range': condition = etag, range } = request.headers;
    reply.headers({
      ...downloadHeaders,
      ETag: etag,
      'Content-Disposition': `attachment; filename="${sha256}"`,
    });
    if (match.includes(etag) || match === '*') return reply.status(304).send();
    const part = parseRange(condition === etag ? range : undefined, bytes, reply);
    const length = part === null ? bytes : part.last - part.first + 1;
    if (part !== null) reply.status(206).header('Content-Range', `bytes ${part.first}-${part.last}/${bytes}`);
    reply.header('Content-Length', String(length));
    return request.method === 'HEAD' ? reply.send() : reply.send(await read(part));
  }

  async function upload(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const sha256 = parseSha256(request.params);
    const { subject, isSealed } = parseQuery(request.query);
    if (request.headers['content-encoding'] !== undefined) throw new SvcError('FILE_ENCODING_REFUSED', {});
    const length = request.headers['content-length'];
    if (length === undefined) throw new SvcError('FILE_LENGTH_REQUIRED', {});
    const bytes = Number(length);
    // A client that sends more than any file may have is not listened to.
    if (bytes > files.limits.fileBytes) reply.header('Connection', 'close');
    const wallet = await requireWallet(sessions, request);
    const signal = AbortSignal.timeout(longestUploadMs);
    const done = allowLongBody(request.raw.socket);
    try {
      const body = takeBody(request);
      const isNew = await files.put({ sha256, bytes, wallet, subject, isSealed, body, signal });
      const uri = `${publicUrl()}/v1/files/${sha256}`;
      return reply.status(isNew ? 201 : 200).send({ sha256, bytes, uri });
    } catch (error) {
      if (error instanceof SvcError && error.code === 'REQUEST_TOO_SLOW') reply.header('Connection', 'close');
      // The rest of a refused body is read and dropped; otherwise the connection would wait for it for ever.
      request.raw.unpipe().resume();
      throw error;
    } finally {
      done();
    }
  }
}

/**
 * Null for the whole file: without the header, and for several ranges or other units, which a server may ignore. Throws
 * FILE_RANGE_INVALID where the range lies outside of the file.
 */
function parseRange(header: string | undefined, bytes: number, reply: FastifyReply): ByteRange | null {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return null;
  // An end before the beginning makes the header invalid, and then it does not count.
  if (from !== '' && to !== '' && Number(to) < Number(from)) return null;
  const first = from === '' ? Math.max(0, bytes - Number(to)) : Number(from);
  const last = from === '' || to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1);
  if (first < bytes) return { first, last };
  reply.header('Content-Range', `bytes */${bytes}`);
  throw new SvcError('FILE_RANGE_INVALID', { bytes: String(bytes) });
}

/** A copy of the stream: what ends early must not take the connection with it, since the client wants its answer. */
function takeBody({ raw }: FastifyRequest): PassThrough {
  const body = new PassThrough();
  raw.once('close', () => {
    if (!raw.complete) body.destroy(new SvcError('UPLOAD_CUT', {}));
  });
  return raw.pipe(body);
}

function parseSha256(params: unknown): string {
  const { sha256 } = params as { readonly sha256: string };
  if (!sha256Schema.safeParse(sha256).success) throw new SvcError('FILE_HASH_MALFORMED', {});
  return sha256;
}

function parseQuery(query: unknown): { readonly subject: Subject; readonly isSealed: boolean } {
  const parsed = uploadQuerySchema.safeParse(query);
  if (!parsed.success) throw new SvcError('FILE_SUBJECT_MALFORMED', {});
  const { for: subject, sealed } = parsed.data;
  return { subject: parseSubject(subject), isSealed: sealed === 'true' };
}

function parseSubject(subject: string | undefined): Subject {
  if (subject === undefined) return { kind: 'draft' };
  if (subject.startsWith('0x')) return { kind: 'conversation', root: subject.toLowerCase() as `0x${string}` };
  return { kind: 'task', task: parseTaskId(subject) };
}
