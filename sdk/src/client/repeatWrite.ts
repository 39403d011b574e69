// Sends a write again after a lost connection: the chain, its hash or its Idempotency-Key keeps it from happening twice.
import { retry } from '../domain/backoff.ts';
import { SvcError } from '../domain/errors.ts';

const keyBytes = 16;

/** Calls `send` up to three times with one key, while the service does not answer or has a failure of its own. */
export function repeatWrite<T>(
  send: (headers: { readonly 'idempotency-key': string }) => Promise<T>,
  signal?: AbortSignal | undefined,
): Promise<T> {
  const bytes = crypto.getRandomValues(new Uint8Array(keyBytes));
  const key = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return retry(() => send({ 'idempotency-key': key }), {
    attempts: 3,
    firstMs: 300,
    longestMs: 1_000,
    shouldRetry,
    ...(signal !== undefined && { signal }),
  });
}

function shouldRetry(error: unknown): boolean {
  if (!(error instanceof SvcError)) return false;
  const { code, details } = error;
  if (code === 'API_UNREACHABLE') return true;
  if (code !== 'API_REFUSED') return false;
  return Number(details.status) >= 500;
}
