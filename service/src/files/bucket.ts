// Bytes in a bucket of any S3-compatible store, for gateways that run on several machines.
import { createReadStream } from 'node:fs';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SvcError } from '@svc/sdk/domain';
import { type BucketKey, emptySha256, sign } from './awsSignature.ts';
import type { ByteRange, ByteStore } from './byteStore.ts';

export type BucketOptions = {
  /** Store, bucket and, if wanted, a folder: https://s3.example/bucket/svc. */
  readonly url: string;
  readonly key: BucketKey;
  readonly now?: () => Date;
};

/** Without a byte for this long, a connection is given up. */
const silenceMs = 20_000;

type Sending = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly payloadSha256?: string;
  readonly body?: Readable;
};

export function createBucketStore({ url, key, now = () => new Date() }: BucketOptions): ByteStore {
  const base = url.replace(/\/+$/, '');

  /** The store compares a body with the signed hash, so it cannot keep other bytes than ours. */
  async function ask(method: string, sha256: string, sending: Sending = {}): Promise<IncomingMessage> {
    const { headers = {}, payloadSha256 = emptySha256, body } = sending;
    const target = new URL(`${base}/${sha256}`);
    const signed = sign({ method, url: target, payloadSha256, time: now(), headers }, key);
    try {
      return await send(target, method, signed, body);
    } catch (error) {
      throw new SvcError('FILES_UNREACHABLE', {}, error);
    }
  }

  return {
    keep: async (sha256, path, bytes) => {
      const body = createReadStream(path);
      const headers = { 'content-length': String(bytes), 'content-type': 'application/octet-stream' };
      requireSuccess(drain(await ask('PUT', sha256, { headers, payloadSha256: sha256, body })));
    },
    has: async (sha256) => isFound(drain(await ask('HEAD', sha256))),
    read: async (sha256, range) => {
      const response = await ask('GET', sha256, { headers: rangeHeader(range) });
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
