// A small store that speaks S3 on loopback: objects in memory, and every signature checked as Amazon describes it.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from './listen.ts';

export type BucketServer = Awaited<ReturnType<typeof startBucketServer>>;

export const bucketKey = { id: 'TESTKEY', secret: 'not-a-secret', region: 'eu-test-1' } as const;

/** A request is good for this long, as at Amazon. */
const clockSkewMs = 15 * 60_000;

export async function startBucketServer() {
  const objects = new Map<string, Buffer>();
  let failing: number | null = null;

  function answer(request: IncomingMessage, body: Buffer): { status: number; content?: Buffer | undefined } {
    if (failing !== null) return { status: failing };
    const { method, url: path = '' } = request;
    if (!isSigned(request, body)) return { status: 403 };
    if (method === 'PUT') {
      objects.set(path, body);
      return { status: 200 };
    }
    const content = objects.get(path);
    if (method === 'DELETE') return { status: objects.delete(path) ? 204 : 404 };
    if (content === undefined) return { status: 404 };
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    if (first === undefined || last === undefined) return { status: 200, content };
    if (Number(first) >= content.length) return { status: 416 };
    return { status: 206, content: content.subarray(Number(first), Number(last) + 1) };
  }

  const server = createServer(async (request, response) => {
    const { status, content } = answer(request, await buffer(request));
    response.writeHead(status, content && { 'content-length': content.length });
    response.end(request.method === 'HEAD' ? undefined : content);
  });
  const { url, close } = await listen(server);
  return {
    url: `${url}/bucket`,
    close,
    objects,
    /** Answers with this status until it is null again. */
    fail: (status: number | null) => {
      failing = status;
    },
  };
}

/** Written for itself, and not with the code under test. */
function isSigned(request: IncomingMessage, body: Buffer): boolean {
  const { headers, method, url: path = '' } = request;
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/;
  const [, id, date = '', region, names = '', signature = ''] =
    pattern.exec(headers.authorization ?? '') ?? [];
  const stamp = String(headers['x-amz-date']);
  if (id !== bucketKey.id || region !== bucketKey.region || !stamp.startsWith(date)) return false;
  const at = Date.parse(stamp.replace(/^(....)(..)(..T..)(..)(..)Z$/, '$1-$2-$3:$4:$5Z'));
  if (!(Math.abs(Date.now() - at) < clockSkewMs)) return false;
  for (const needed of ['host', 'x-amz-content-sha256', 'x-amz-date'])
    if (!names.split(';').includes(needed)) return false;
  const payload = createHash('sha256').update(body).digest('hex');
  if (headers['x-amz-content-sha256'] !== payload) return false;
  const lines = names.split(';').map((name) => `${name}:${headers[name]}\n`);
  const canonical = `${method}\n${path}\n\n${lines.join('')}\n${names}\n${payload}`;
  const scope = `${date}/${region}/s3/aws4_request`;
  const hash = createHash('sha256').update(canonical).digest('hex');
  const mac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest();
  const key = mac(mac(mac(mac(`AWS4${bucketKey.secret}`, date), region), 's3'), 'aws4_request');
  const wanted = mac(key, `AWS4-HMAC-SHA256\n${stamp}\n${scope}\n${hash}`);
  return timingSafeEqual(wanted, Buffer.from(signature, 'hex'));
}
