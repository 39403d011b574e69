// Server-sent events: what the streams of changes and of mailboxes have in common.
import type { ServerResponse } from 'node:http';
import { SvcError } from '@svc/sdk/domain';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { isRouteError } from './errors.ts';
import type { AppLog } from './requestLog.ts';

/** Comes often enough that no proxy takes the silence for an end. */
const heartbeatMs = 15_000;
/** A client that reads slower than this much is disconnected; it comes back and resumes. */
const maxBufferedBytes = 1024 * 1024;
/** The most that all streams together may buffer; many streams share it equally. */
const maxBufferedInAll = 256 * 1024 * 1024;
const mostStreams = 10_000;
/** Milliseconds after which clients of a stopped server come back: not all at once to the server that is left. */
const spread = { from: 250, over: 1_000 };

export type News = { readonly text: string; readonly position: number; readonly isMore: boolean };

type StreamSource = {
  readonly position: number;
  /** Sent before everything else. */
  readonly first?: string;
  /** What came after the position, up to about this many bytes; null ends the stream. */
  readonly load: (position: number, maxBytes: number, response: ServerResponse) => Promise<News | null>;
  /** Whether the stream may go on; asked with each heartbeat. */
  readonly isAllowed?: () => Promise<boolean>;
  /** Calls back after each piece of news; returns the function that stops it. */
  readonly follow: (onNews: () => void) => () => void;
};

/** An owner is a client or a wallet: where all places are taken, the owner of most of them gives one to another. */
export function createEventStreams<Owner>(app: FastifyInstance, log: AppLog, maxStreams = mostStreams) {
  const streams = new Set<ServerResponse>();
  const owned = new Map<Owner, Set<ServerResponse>>();
  const share = () => Math.min(maxBufferedBytes, maxBufferedInAll / streams.size);
  const countOf = (owner: Owner) => owned.get(owner)?.size ?? 0;

  function forget(response: ServerResponse, owner: Owner): void {
    streams.delete(response);
    owned.get(owner)?.delete(response);
    if (countOf(owner) === 0) owned.delete(owner);
  }

  /** Throws STREAMS_FULL where nobody has clearly more than this owner. */
  function makeRoom(owner: Owner): void {
    let [largest, most] = [owner, countOf(owner) + 1];
    for (const [other, { size }] of owned) if (size > most) [largest, most] = [other, size];
    const [response] = largest === owner ? [] : (owned.get(largest) ?? []);
    if (response === undefined) throw new SvcError('STREAMS_FULL', {});
    forget(response, largest);
    response.destroy();
  }
  let isStopping = false;
  // A stream has no end, so a stop closes it.
  app.addHook('preClose', async () => {
    isStopping = true;
    for (const response of streams)
      response.end(`retry: ${Math.round(spread.from + Math.random() * spread.over)}\n\n`);
  });
  return {
    count: () => streams.size,
    countOf,
    /** Throws STREAMS_FULL. */
    requireRoom: (owner: Owner): void => {
      if (isStopping) throw new SvcError('STREAMS_FULL', {});
      if (streams.size >= maxStreams) makeRoom(owner);
    },
    open: (reply: FastifyReply, owner: Owner, source: StreamSource): void => {
      // When the stream ends, so does its connection: a stop need not wait for it.
      const response = startEventStream(reply.header('Connection', 'close'));
      if (reply.request.method === 'HEAD' || response.destroyed) return void response.end();
      streams.add(response);
      owned.set(owner, (owned.get(owner) ?? new Set()).add(response));
      response.once('close', () => forget(response, owner));
      const { id: requestId } = reply.request;
      const onError = (error: unknown) => {
        // While the database is away, clients come back again and again.
        if (!isRouteError(error)) log.error({ requestId, error }, 'a stream failed');
      };
      pump(response, source, { share, onError });
    },
  };
}

/** Sends the head. */
export function startEventStream(reply: FastifyReply): ServerResponse {
  reply.hijack();
  return reply.raw.writeHead(200, {
    ...reply.commonHeaders(),
    ...(reply.getHeaders() as Record<string, string>),
    'Content-Type': 'text/event-stream; charset=utf-8',
    'X-Accel-Buffering': 'no',
  });
}

export function formatEvent(event: string, data: object, id?: number): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Looks once at the start and once after each piece of news; the position alone decides what is sent. */
function pump(
  response: ServerResponse,
  source: StreamSource,
  { share, onError }: { readonly share: () => number; readonly onError: (error: unknown) => void },
): void {
  let { position } = source;
  let isRunning = false;
  let again = false;
  const isOpen = () => !response.destroyed && !response.writableEnded;

  async function run(): Promise<void> {
    again = true;
    if (isRunning) return;
    isRunning = true;
    try {
      while (again && isOpen()) {
        again = false;
        const news = await source.load(position, share() / 2, response);
        if (!isOpen()) return;
        if (news === null) return void response.end();
        if (news.text !== '') response.write(news.text);
        position = news.position;
        again ||= news.isMore;
        dropSlow();
      }
    } catch (error) {
      onError(error);
      // The client reconnects and resumes where it was.
      response.destroy();
    } finally {
      isRunning = false;
    }
  }

  function dropSlow(): void {
    if (response.writableLength > share()) response.destroy();
  }

  const heartbeat = setInterval(async () => {
    dropSlow();
    if (!((await source.isAllowed?.()) ?? true)) response.end();
    // Without data no event comes of it, but the client remembers how far this stream has looked.
    else if (isOpen()) response.write(`id: ${position}\n\n`);
  }, heartbeatMs);
  const stop = source.follow(() => void run());
  response.once('close', () => {
    clearInterval(heartbeat);
    stop();
  });
  response.write(`retry: 1000\n\n${source.first ?? ''}`);
  void run();
}
