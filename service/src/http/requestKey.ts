// Idempotency-Key (draft-ietf-httpapi-idempotency-key-header) of a new request: it becomes the request's id, so the same key makes one request.
import { createHash } from 'node:crypto';
import { SvcError } from '@svc/sdk/domain';
import type { FastifyRequest } from 'fastify';
import { requestIdBytes } from '../requests/requestService.ts';
import { toNetwork } from './rateLimit.ts';

/** Too long to guess: callers behind one address share a namespace. */
const keyShape = /^[\x21\x23-\x5b\x5d-\x7e]{16,128}$/;

/** With the quotes of the draft, or without, as most clients send it. Throws IDEMPOTENCY_KEY_INVALID. */
export function readRequestId({ headers, ip }: FastifyRequest): string | undefined {
  const given = headers['idempotency-key'];
  if (given === undefined) return undefined;
  const [, quoted] = /^"(.*)"$/.exec(String(given)) ?? [];
  const key = quoted ?? String(given);
  if (!keyShape.test(key)) throw new SvcError('IDEMPOTENCY_KEY_INVALID', {});
  const hash = createHash('sha256')
    .update(`request ${toNetwork(ip)} ${key}`)
    .digest();
  return hash.subarray(0, requestIdBytes).toString('base64url');
}
