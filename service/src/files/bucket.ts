// Bytes in a bucket of any S3-compatible store, for gateways that run on several machines.
import { hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SvcError } from '@svc/sdk/domain';
import { AwsV4Signer } from 'aws4fetch';
import type { ByteStore } from './byteStore.ts';

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

  /**
   * Null where the store has no such bytes. The store compares a body with the signed hash, so it cannot keep other bytes
   * than ours.
   */
  async function ask(
    method: string,
    sha256: string,
    headers: Readonly<Record<string, string>> = {},
    body?: Readable,
  ): Promise<IncomingMessage | null> {
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
    const signed = await signer.sign();
    const response = await send(signed.url, method, Object.fromEntries(signed.headers), body).catch(
      (error: unknown) => {
        throw new SvcError('FILES_UNREACHABLE', {}, error);
      },
    );
    const { statusCode = 0 } = response;
    if (statusCode >= 200 && statusCode <= 299) return response;
    // Unread, its body would keep the connection.
    response.resume();
    // 416: of an empty file no range can be read.
    if (statusCode === 404 || statusCode === 416) return null;
    throw refused(statusCode);
  }

  return {
    keep: async (sha256, path, bytes) => {
      const headers = { 'content-length': String(bytes), 'content-type': 'application/octet-stream' };
      const response = await ask('PUT', sha256, headers, createReadStream(path));
      if (response === null) throw refused(404);
      response.resume();
    },
    has: async (sha256) => {
      const response = await ask('HEAD', sha256);
      response?.resume();
      return response !== null;
    },
    read: async (sha256, range) => {
      const headers = range === null ? {} : { range: `bytes=${range.first}-${range.last}` };
      const response = await ask('GET', sha256, headers);
      if (response === null || response.statusCode === (range === null ? 200 : 206)) return response;
      throw refused(response.resume().statusCode);
    },
    remove: async (sha256) => void (await ask('DELETE', sha256))?.resume(),
  };
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

function refused(status: number | undefined): SvcError {
  const code = status === 507 ? 'STORE_FULL' : 'FILES_UNREACHABLE';
  return new SvcError(code, {}, new Error(`the bucket says ${status}`));
}
