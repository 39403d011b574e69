// GET /api/events: server-sent events of what changes, resumed by Last-Event-ID.
import type { ServerResponse } from 'node:http';
import { parseAddress, parseTaskId, SvcError } from '@svc/sdk/domain';
import { routes } from '@svc/sdk/schemas';
import type { FastifyInstance } from 'fastify';
import type { ChangeFeed } from '#market/changeFeed.ts';
import {
  buildMessage,
  type ChangeFilter,
  type ChangeSource,
  findStart,
  type StreamMessage,
  type StreamStart,
} from '#market/changes.ts';
import type { Metrics } from '../metrics.ts';
import { parseQuery } from '../requestFields.ts';

export type EventRoutes = {
  readonly changes: ChangeSource;
  readonly feed: ChangeFeed;
  readonly metrics: Metrics;
};

/** Comes often enough that no proxy takes the silence for an end. */
const heartbeatMs = 15_000;
/** A client that reads slower than this much is let go; it comes back and resumes. */
const maxBufferedBytes = 1024 * 1024;
/** What all streams together may hold: with many of them, each gets its share. */
const maxBufferedInAll = 256 * 1024 * 1024;
const maxStreams = 10_000;
/** Milliseconds after which those whose stream is ended come back: not all at once to the server that is left. */
const spread = { from: 250, over: 1_000 };

export function registerEventRoutes(app: FastifyInstance, { changes, feed, metrics }: EventRoutes): void {
  const streams = new Set<ServerResponse>();
  metrics.gauge('event_streams', () => streams.size);
  let isStopping = false;
  // A stream has no end, so a stop closes it.
  app.addHook('preClose', async () => {
    isStopping = true;
    for (const response of streams)
      response.end(`retry: ${Math.round(spread.from + Math.random() * spread.over)}\n\n`);
  });

  app.route({
    method: ['GET', 'HEAD'],
    url: routes.events.path,
    config: { isStream: true },
    handler: async (request, reply) => {
      const filter = parseFilter(request.query);
      if (isStopping || streams.size >= maxStreams) throw new SvcError('STREAMS_FULL', {});
      const lastEventId = readLastEventId(request.headers['last-event-id'], request.query);
      const start = await findStart(changes, lastEventId);
      reply.hijack();
      const response = reply.raw;
      response.writeHead(200, {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store',
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Expose-Headers': 'X-Request-Id',
        'X-Accel-Buffering': 'no',
        'X-Content-Type-Options': 'nosniff',
        'X-Request-Id': request.id,
        // When the stream ends, so does its connection: a stop need not wait for it.
        Connection: 'close',
      });
      if (request.method === 'HEAD' || response.destroyed) {
        response.end();
        return;
      }
      streams.add(response);
      response.once('close', () => streams.delete(response));
      const share = () => Math.min(maxBufferedBytes, maxBufferedInAll / streams.size);
      stream(response, feed, filter, start, share);
    },
  });
}

/** Looks once at the start and once after each piece of news; the sequence alone decides what is sent. */
function stream(
  response: ServerResponse,
  feed: ChangeFeed,
  filter: ChangeFilter,
  start: StreamStart,
  share: () => number,
): void {
  let seq = start.seq;
  let isRunning = false;
  let again = false;

  async function pump(): Promise<void> {
    again = true;
    if (isRunning) return;
    isRunning = true;
    try {
      while (again && isOpen(response)) {
        again = false;
        const changes = await feed.loadAfter(seq);
        const messages = changes.map((change) => buildMessage(change, filter)).filter((one) => one !== null);
        if (messages.length > 0 && isOpen(response)) response.write(messages.map(formatMessage).join(''));
        seq = changes.at(-1)?.seq ?? seq;
        again ||= changes.length > 0;
        if (response.writableLength > share()) response.destroy();
      }
    } catch {
      // The database is unavailable; the client reconnects and resumes where it was.
      response.destroy();
    } finally {
      isRunning = false;
    }
  }

  // Without data no event comes of it, but the client remembers how far this stream has looked.
  const heartbeat = setInterval(() => response.write(`id: ${seq}\n\n`), heartbeatMs);
  const stopListening = feed.listen(() => void pump());
  response.once('close', () => {
    clearInterval(heartbeat);
    stopListening();
  });
  response.write(`retry: 1000\n\n${start.isReset ? formatMessage({ kind: 'reset', seq }) : ''}`);
  void pump();
}

function isOpen(response: ServerResponse): boolean {
  return !response.destroyed && !response.writableEnded;
}

function formatMessage(message: StreamMessage): string {
  const data = message.kind === 'task' ? message.data : {};
  return `id: ${message.seq}\nevent: ${message.kind}\ndata: ${JSON.stringify(data)}\n\n`;
}

function parseFilter(query: unknown): ChangeFilter {
  const { market, address, taskId } = parseQuery(routes.events.query, query);
  return {
    market,
    address: address === undefined ? undefined : parseAddress(address),
    task: taskId === undefined ? undefined : parseTaskId(taskId),
  };
}

/** EventSource sends the header when it reconnects; a first connection can only use the query. */
function readLastEventId(header: string | string[] | undefined, query: unknown): number | null {
  const text = String(header ?? (query as Record<string, string>).lastEventId ?? '');
  return /^[0-9]{1,15}$/.test(text) ? Number(text) : null;
}
