// Server-sent events of the API: market changes with reconnection, and the streamed answer of the chat.
import { createBackoff } from '../domain/backoff.ts';
import { SvcError } from '../domain/errors.ts';
import type { Market } from '../domain/market.ts';
import { parseEventStream, type ServerEvent } from '../domain/parseEventStream.ts';
import type { Chat, ChatAnswer } from '../schemas/chat.ts';
import type { TaskNews } from '../schemas/events.ts';
import { chatPiece, routes } from './clientRoutes.ts';
import {
  buildInit,
  type Connection,
  openResponse,
  type Parameters,
  parseReply,
  throwUnreachable,
  unexpected,
} from './request.ts';

export type MarketEvent =
  | { readonly type: 'task'; readonly seq: number; readonly task: TaskNews }
  /** Earlier events are unknown: read the lists again, then continue. It comes first unless `after` is given. */
  | { readonly type: 'reset'; readonly seq: number };

export type EventsOptions = {
  /** `standard` unless given; `all` follows both markets. */
  readonly market?: Market | 'all';
  readonly address?: string;
  readonly taskId?: string;
  /** `seq` of the last event received; the stream continues after it. */
  readonly after?: number;
  readonly signal?: AbortSignal;
};

/** The server sends at least every 15 seconds; after three times that the connection is taken for dead. */
const silenceMs = 45_000;

/** Opens a stream again after a lost connection, until the signal aborts or an error is final. */
export async function* reconnecting(
  open: () => AsyncIterable<ServerEvent>,
  signal: AbortSignal | undefined,
  isEnd: (error: unknown) => boolean = isFinal,
): AsyncGenerator<ServerEvent> {
  const backoff = createBackoff({ firstMs: 500, longestMs: 15_000 });
  while (!signal?.aborted) {
    try {
      for await (const message of open()) {
        backoff.reset();
        yield message;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (isEnd(error)) throw error;
    }
    await backoff.wait(signal);
  }
}

export async function* followEvents(
  connection: Connection,
  { signal, after, market, address, taskId }: EventsOptions,
): AsyncGenerator<MarketEvent> {
  let last = after ?? null;
  const open = () => {
    const headers: Record<string, string> = last === null ? {} : { 'last-event-id': String(last) };
    return openStream(connection, routes.events.path, {
      query: { market, address, taskId },
      headers,
      signal,
    });
  };
  for await (const message of reconnecting(open, signal)) {
    const event = toEvent(message);
    const seq = event?.seq ?? message.id;
    // A server that lost its history may start again with lower numbers; it then sends a reset.
    if (seq === null || (event?.type !== 'reset' && last !== null && seq <= last)) continue;
    last = seq;
    if (event !== null) yield event;
  }
}

type StreamOptions = {
  readonly query: Parameters;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
};

/** One connection; ends when the server ends it or says nothing for too long. */
export async function* openStream(
  connection: Connection,
  path: string,
  { query, headers, signal }: StreamOptions,
): AsyncGenerator<ServerEvent> {
  const silence = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restartTimer = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), silenceMs);
  };
  try {
    restartTimer();
    const response = await openResponse(connection, path, query, {
      headers: { accept: 'text/event-stream', ...headers },
      signal: signal === undefined ? silence.signal : AbortSignal.any([signal, silence.signal]),
      cache: 'no-store',
    });
    if (response.body === null) return;
    yield* parseEventStream(response.body, restartTimer);
  } finally {
    // Also reached when the consumer stops reading.
    clearTimeout(timer);
    silence.abort();
  }
}

function toEvent({ id, event, data }: ServerEvent): MarketEvent | null {
  if (id === null || data === '') return null;
  if (event === 'reset') return { type: 'reset', seq: id };
  if (event !== 'task') return null;
  return { type: 'task', seq: id, task: parseReply(routes.events.reply, data, 'an event of the stream') };
}

/** Timeouts and rate limits: the same request may succeed later. */
const temporary: readonly number[] = [408, 425, 429];

/** An invalid request and an unexpected reply stay so; other errors may be temporary. */
export function isFinal(error: unknown): boolean {
  if (!(error instanceof SvcError)) return false;
  // The wallet opens no other session here.
  if (error.code === 'API_UNEXPECTED' || error.code === 'SESSION_REQUIRED') return true;
  const status = Number(error.details.status);
  return error.code === 'API_REFUSED' && status >= 400 && status < 500 && !temporary.includes(status);
}

/** Yields the parts of a model's answer and returns the whole. */
export async function* streamChat(
  connection: Connection,
  chat: Chat,
  signal: AbortSignal | undefined,
): AsyncGenerator<string, ChatAnswer> {
  const init = buildInit('text/event-stream', signal, chat);
  const response = await openResponse(connection, routes.roleChat.path, {}, init);
  if (response.body === null) throw unexpected('the reply has no body');
  const part = 'an event of the chat';
  try {
    for await (const { event, data } of parseEventStream(response.body, () => undefined)) {
      if (event === 'error')
        throw new SvcError('API_REFUSED', {
          reason: parseReply<{ readonly error: string }>({ error: 'text' }, data, part).error,
        });
      if (event === 'done') return parseReply(routes.roleChat.reply, data, part);
      if (event === 'text') yield parseReply<{ readonly text: string }>(chatPiece, data, part).text;
    }
  } catch (error) {
    if (error instanceof SvcError) throw error;
    throwUnreachable(connection, error, signal);
  }
  throw unexpected('the stream ended before the answer was complete');
}
