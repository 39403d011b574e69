// Follows the stream of changes for as long as it is wanted, whatever happens to the connection.
import type { z } from 'zod';
import { type BackoffOptions, backoffMs, sleep } from '#domain/backoff.ts';
import { SvcError } from '#domain/errors.ts';
import type { Market } from '#domain/market.ts';
import { parseEventStream, type ServerEvent } from '#domain/parseEventStream.ts';
import { routes } from '#schemas/apis.ts';
import { taskNewsSchema } from '#schemas/events.ts';
import { type Connection, openResponse, parseJson, unexpected } from './ask.ts';

export type MarketEvent =
  | { readonly type: 'task'; readonly seq: number; readonly task: z.output<typeof taskNewsSchema> }
  /** What came before is unknown: read the lists anew, then go on. Comes first unless `after` is given. */
  | { readonly type: 'reset'; readonly seq: number };

export type EventsOptions = {
  readonly market?: Market;
  readonly address?: string;
  readonly taskId?: string;
  /** `seq` of the last event that was seen, to go on from there. */
  readonly after?: number;
  readonly signal?: AbortSignal;
};

const reconnect: BackoffOptions = { firstMs: 500, longestMs: 15_000 };
/** The server says something every 15 seconds; three times that in silence and the connection is dead. */
const silenceMs = 45_000;

export async function* followEvents(
  connection: Connection,
  options: EventsOptions,
): AsyncGenerator<MarketEvent> {
  const { signal, after } = options;
  let last = after ?? null;
  let failures = 0;
  while (!signal?.aborted) {
    try {
      for await (const message of openStream(connection, options, last)) {
        failures = 0;
        const event = toEvent(message);
        const seq = event?.seq ?? message.id;
        // A server that lost its memory may begin anew with lower numbers, and says so by a reset.
        if (seq === null || (event?.type !== 'reset' && last !== null && seq <= last)) continue;
        last = seq;
        if (event !== null) yield event;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (isFinal(error)) throw error;
    }
    await sleep(backoffMs(failures++, reconnect), signal);
  }
}

async function* openStream(
  connection: Connection,
  { market, address, taskId, signal }: EventsOptions,
  last: number | null,
): AsyncGenerator<ServerEvent> {
  const silence = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listen = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), silenceMs);
  };
  try {
    listen();
    const response = await openResponse(
      connection,
      routes.events.path,
      { market, address, taskId },
      {
        headers: { accept: 'text/event-stream', ...(last !== null && { 'last-event-id': String(last) }) },
        signal: signal === undefined ? silence.signal : AbortSignal.any([signal, silence.signal]),
        cache: 'no-store',
      },
    );
    if (response.body === null) return;
    yield* parseEventStream(response.body, listen);
  } finally {
    // Reached as well when whoever reads has had enough: the connection goes with them.
    clearTimeout(timer);
    silence.abort();
  }
}

function toEvent({ id, event, data }: ServerEvent): MarketEvent | null {
  if (id === null || data === '') return null;
  if (event === 'reset') return { type: 'reset', seq: id };
  if (event !== 'task') return null;
  const parsed = taskNewsSchema.safeParse(parseJson(data));
  if (!parsed.success) throw unexpected('an event of the stream has another shape');
  return { type: 'task', seq: id, task: parsed.data };
}

/** Too early, too slow or too often: none of it is the question's fault. */
const passing: readonly number[] = [408, 425, 429];

/** A question that is wrong stays wrong, and so does a service that speaks otherwise; all else may be better soon. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof SvcError)) return false;
  if (error.code === 'API_UNEXPECTED') return true;
  const status = Number(error.details.status);
  return error.code === 'API_REFUSED' && status >= 400 && status < 500 && !passing.includes(status);
}
