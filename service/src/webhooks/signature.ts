// Signatures in the format of Standard Webhooks, so that its libraries check them.
import { createHmac } from 'node:crypto';

export function signatureHeaders(secret: string, id: string, body: string): Record<string, string> {
  const seconds = Math.floor(Date.now() / 1_000);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signStandard(secret, id, seconds, body),
  };
}

/** `v1,` and the HMAC-SHA256 of `<id>.<seconds>.<body>` in base64, with the bytes that the secret names. */
function signStandard(secret: string, id: string, seconds: number, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
}
