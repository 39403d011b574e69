// The API of the language model (OpenAI chat completions). What it says about failures stays here.
import { setTimeout as pause } from 'node:timers/promises';
import { SvcError } from '@svc/sdk/domain';

export type ModelApi = {
  readonly baseUrl: string;
  readonly apiKey: { readonly reveal: () => string };
};

const maxAnswerBytes = 1024 * 1024;
/** Statuses that are usually temporary. */
const passingStatuses = [429, 502, 503, 504];
/** The conversation is at fault: the same one would be refused again. */
const refusedStatuses = [400, 413, 422];
const retryPauseSeconds = 0.5;
/** If the API asks for a longer wait, the client gets CHAT_BUSY instead of waiting here. */
const maxRetryPauseSeconds = 2;
const busySeconds = 10;
const maxBusySeconds = 3_600;

/** Returns a successful response, or throws CHAT_REFUSED, CHAT_BUSY or CHAT_FAILED. Retries once after a temporary failure. */
export async function askModel(api: ModelApi, body: object, signal: AbortSignal): Promise<Response> {
  for (let isFirst = true; ; isFirst = false) {
    const response = await fetch(`${api.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${api.apiKey.reveal()}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
      // The key goes to the configured place and to no other.
      redirect: 'error',
      signal,
    });
    if (response.ok) return response;
    await response.body?.cancel().catch(() => undefined);
    const wait = parseRetryAfter(response.headers.get('retry-after'));
    const pauseSeconds = wait ?? retryPauseSeconds;
    if (isFirst && passingStatuses.includes(response.status) && pauseSeconds <= maxRetryPauseSeconds) {
      await pause(pauseSeconds * 1_000, undefined, { signal });
      continue;
    }
    const reason = `the API answers ${response.status}`;
    if (refusedStatuses.includes(response.status)) throw new SvcError('CHAT_REFUSED', { reason });
    if (response.status !== 429) throw new SvcError('CHAT_FAILED', { reason });
    const seconds = Math.min(Math.max(1, Math.ceil(wait ?? busySeconds)), maxBusySeconds);
    throw new SvcError('CHAT_BUSY', { seconds: String(seconds), retryAfterSeconds: seconds, reason });
  }
}

/** The decompressed body as a stream, up to a size that no honest answer reaches. */
export function readCapped(response: Response): ReadableStream<Uint8Array> {
  let left = maxAnswerBytes;
  const cap = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      left -= chunk.length;
      if (left < 0) throw new SvcError('CHAT_FAILED', { reason: 'the answer has no end' });
      controller.enqueue(chunk);
    },
  });
  return (response.body ?? new Blob([]).stream()).pipeThrough(cap);
}

/** In seconds or as a date; null where it is neither. */
function parseRetryAfter(header: string | null): number | null {
  if (header === null) return null;
  if (/^[0-9]{1,9}$/.test(header)) return Number(header);
  const time = Date.parse(header);
  return Number.isNaN(time) ? null : Math.max(0, (time - Date.now()) / 1_000);
}
