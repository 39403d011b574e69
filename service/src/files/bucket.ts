// Bytes in a bucket of any S3-compatible store, for gateways that run on several machines.
import { hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SvcError } from '@svc/sdk/domain';
import { AwsV4Signer } from 'aws4fetch';
import type { ByteRange, ByteStore } from './byteStore.ts';

export type BucketKey = { readonly id: string; readonly secret: string; readonly region: string };

export type BucketOptions = {
  /** Store, bucket and, if wanted, a folder: https://s3.example/bucket/svc. */
  readonly url: string;
  readonly key: BucketKey;
};

/** Without a byte for this long, a connection is given up. */
const silenceMs = 20_000;

/** Of no bytes. */
const emptySha256 = hash('sha256', '');

export function createBucketStore({ url, key }: BucketOptions): ByteStore {
  const base = url.replace(/\/+$/, '');

  /** The store compares a body with the signed hash, so it cannot keep other bytes than ours. */
  async function ask(
    method: string,
    sha256: string,
    headers: Readonly<Record<string, string>> = {},
    body?: Readable,
  ): Promise<IncomingMessage> {
    const signer = new AwsV4Signer({
      method,
      url: `${base}/${sha256}`,
      headers: { ...headers, 'x-amz-content-sha256': body === undefined ? emptySha256 : sha256 },
      accessKeyId: key.id,
      secretAccessKey: key.secret,
      region: key.region,
      service: 's3',
      allHeaders: true,
    });
    try {
      const signed = await signer.sign();
      return await send(signed.url, method, Object.fromEntries(signed.headers), body);
    } catch (error) {
      throw new SvcError('FILES_UNREACHABLE', {}, error);
    }
  }

  return {
    keep: async (sha256, path, bytes) => {
      const body = createReadStream(path);
      const headers = { 'content-length': String(bytes), 'content-type': 'application/octet-stream' };
      requireSuccess(drain(await ask('PUT', sha256, headers, body)));
    },
    has: async (sha256) => isFound(drain(await ask('HEAD', sha256))),
    read: async (sha256, range) => {
      const response = await ask('GET', sha256, rangeHeader(range));
      if (response.statusCode === (range === null ? 200 : 206)) return response;
      drain(response);
      // Of an empty file no range can be read.
      if (response.statusCode === 416) return null;
      if (isFound(response)) throw refused(response);
      return null;
    },
    remove: async (sha256) => {
      const response = drain(await ask('DELETE', sha256));
      if (response.statusCode !== 404) requireSuccess(response);
    },
  };
}

function rangeHeader(range: ByteRange | null): Record<string, string> {
  return range === null ? {} : { range: `bytes=${range.first}-${range.last}` };
}

function send(
  url: URL,
  method: string,
  headers: Readonly<Record<string, string>>,
  body: Readable | undefined,
): Promise<IncomingMessage> {
  const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, { method, headers });
  request.setTimeout(silenceMs, () => request.destroy(new Error('the store does not answer')));
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    request.on('error', reject);
  });
  if (body === undefined) request.end();
  // A store that refuses may answer before it has read everything; its answer counts.
  else pipeline(body, request).catch(() => undefined);
  return response;
}

/** Nothing in the body matters; unread it would keep the connection. */
function drain(response: IncomingMessage): IncomingMessage {
  return response.resume();
}

function isFound(response: IncomingMessage): boolean {
  if (response.statusCode === 404) return false;
  requireSuccess(response);
  return true;
}

function requireSuccess(response: IncomingMessage): void {
  const { statusCode = 0 } = response;
  if (statusCode < 200 || statusCode > 299) throw refused(response);
}

function refused({ statusCode }: IncomingMessage): SvcError {
  const full = statusCode === 507;
  return new SvcError(
    full ? 'STORE_FULL' : 'FILES_UNREACHABLE',
    {},
    new Error(`the bucket says ${statusCode}`),
  );
}
