// A push service with one browser behind it: takes messages over https, checks who sends them (RFC 8292) and decrypts them
// (RFC 8291) with nothing but the cryptography of Node.
import assert from 'node:assert/strict';
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { listen } from './listen.ts';

const pem = readFileSync(join(import.meta.dirname, '../fixtures/localhost.pem'), 'utf8');
/** For the senders of this process. */
export const pushCertificate = pem.slice(pem.indexOf('-----BEGIN CERTIFICATE'));

export type PushMessage = { readonly title: string; readonly url: string; readonly confirm?: string };

export async function startPushEndpoint(answer: () => number = () => 201) {
  const received: PushMessage[] = [];
  const subjects: string[] = [];
  const mistakes: unknown[] = [];
  const browser = createECDH('prime256v1');
  const p256dh = browser.generateKeys();
  const auth = randomBytes(16);

  function decrypt(body: Buffer): PushMessage {
    const salt = body.subarray(0, 16);
    const keyLength = body[20] ?? 0;
    const sender = body.subarray(21, 21 + keyLength);
    const record = body.subarray(21 + keyLength);
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, sender]);
    const shared = Buffer.from(hkdfSync('sha256', browser.computeSecret(sender), auth, info, 32));
    const key = Buffer.from(hkdfSync('sha256', shared, salt, 'Content-Encoding: aes128gcm\0', 16));
    const nonce = Buffer.from(hkdfSync('sha256', shared, salt, 'Content-Encoding: nonce\0', 12));
    const opening = createDecipheriv('aes-128-gcm', key, nonce);
    opening.setAuthTag(record.subarray(-16));
    const padded = Buffer.concat([opening.update(record.subarray(0, -16)), opening.final()]);
    return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString('utf8'));
  }

  const server = createServer({ key: pem, cert: pem }, async (request, response) => {
    const body = await buffer(request);
    const status = answer();
    try {
      assert.equal(request.headers['content-encoding'], 'aes128gcm');
      subjects.push(checkVapid(request.headers.authorization ?? '', endpoint));
      const message = decrypt(body);
      if (status < 300) received.push(message);
    } catch (error) {
      mistakes.push(error);
    }
    response.writeHead(status).end();
  });
  const { host, close } = await listen(server);
  const endpoint = `https://${host}/push/${'x'.repeat(40)}`;
  return {
    close,
    subscription: {
      kind: 'push' as const,
      endpoint,
      keys: { p256dh: p256dh.toString('base64url'), auth: auth.toString('base64url') },
    },
    received,
    subjects,
    mistakes,
  };
}

/** Returns whom the push service may ask. */
function checkVapid(header: string, endpoint: string): string {
  const [, token = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(header) ?? [];
  const [head = '', payload = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y } as never, format: 'jwk' });
  const signed = Buffer.from(`${head}.${payload}`);
  const how = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
  assert.ok(verify('sha256', signed, how, Buffer.from(signature, 'base64url')), 'the sender is known');
  const { aud, sub } = JSON.parse(Buffer.from(payload, 'base64url').toString());
  assert.equal(aud, new URL(endpoint).origin);
  return sub;
}
