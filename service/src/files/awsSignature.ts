// Signs requests as S3-compatible stores want them (AWS Signature Version 4). By hand: it is two hashes and a text, and
// the official SDK is larger than this service.
import { createHash, createHmac } from 'node:crypto';

export type BucketKey = { readonly id: string; readonly secret: string; readonly region: string };

export type SignedRequest = {
  readonly method: string;
  /** Its path must need no encoding. */
  readonly url: URL;
  /** Of the body; of nothing where there is none. */
  readonly payloadSha256: string;
  readonly time: Date;
  /** Further headers that are signed, with names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
};

/** What stands for a request without a body. */
export const emptySha256 = createHash('sha256').digest('hex');

/** All headers to send. */
export function sign(request: SignedRequest, key: BucketKey): Record<string, string> {
  const { method, url, payloadSha256, time } = request;
  const stamp = time.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const headers: Record<string, string> = {
    ...request.headers,
    host: url.host,
    'x-amz-content-sha256': payloadSha256,
    'x-amz-date': stamp,
  };
  const sorted = Object.keys(headers).sort();
  const names = sorted.join(';');
  const lines = sorted.map((name) => `${name}:${headers[name]}\n`);
  const canonical = [method, url.pathname, '', lines.join(''), names, payloadSha256].join('\n');
  const scope = [stamp.slice(0, 8), key.region, 's3', 'aws4_request'];
  const text = ['AWS4-HMAC-SHA256', stamp, scope.join('/'), hashOf(canonical)].join('\n');
  const secret = scope.reduce<Buffer | string>(
    (before, part) => createHmac('sha256', before).update(part).digest(),
    `AWS4${key.secret}`,
  );
  const signature = createHmac('sha256', secret).update(text).digest('hex');
  return {
    ...headers,
    authorization: `AWS4-HMAC-SHA256 Credential=${key.id}/${scope.join('/')}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
