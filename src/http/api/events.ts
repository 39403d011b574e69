// GET /api/events: server-sent events of what changes, resumed by Last-Event-ID.
import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { parseAddress } from '#domain/address.ts';
import { parseTaskId } from '#domain/taskId.ts';
import { eventsQuerySchema } from '#schemas/requests.ts';
import {
  type ChangeFilter,
  type ChangeSource,
  findStart,
  loadMessages,
  type StreamMessage,
} from '#service/changes.ts';
import { parseQuery } from '../query.ts';

export type EventRoutes = {
  readonly changes: ChangeSource;
  /** Calls back after every write of the follower. */
  readonly listen: (onNotice: () => void) => Promise<() => Promise<void>>;
  readonly onOpen: (response: ServerResponse) => void;
};

/** Comes often enough that no proxy takes the silence for an end. */
const heartbeatMs = 15_000;
/** A client that reads slower than this much is let go; it comes back and resumes. */
const maxBufferedBytes = 1024 * 1024;

export function registerEventRoutes(app: FastifyInstance, { changes, listen, onOpen }: EventRoutes): void {
  app.get('/api/events', async (request, reply) => {
    const filter = parseFilter(request.query);
    const start = await findStart(changes, readLastEventId(request.headers['last-event-id'], request.query));
    reply.hijack();
    const response = reply.raw;
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      'Access-Control-Allow-Origin': '*',
      'X-Accel-Buffering': 'no',
      'X-Content-Type-Options': 'nosniff',
    });
    response.write('retry: 1000\n\n');
    if (start.kind === 'reset') response.write(formatMessage(start));
    onOpen(response);
    await stream(response, changes, filter, start.seq, listen);
  });
}

/** Looks once at the start and once after each notice; the sequence alone decides what is sent. */
async function stream(
  response: ServerResponse,
  changes: ChangeSource,
  filter: ChangeFilter,
  start: number,
  listen: EventRoutes['listen'],
): Promise<void> {
  let seq = start;
  let running = false;
  let again = false;

  async function pump(): Promise<void> {
    if (running) {
      again = true;
      return;
    }
    running = true;
    try {
      do {
        again = false;
        const next = await loadMessages(changes, seq, filter);
        for (const message of next.messages) response.write(formatMessage(message));
        seq = next.seq;
        again ||= next.more;
        if (response.writableLength > maxBufferedBytes) response.destroy();
      } while (again && !response.destroyed);
    } catch {
      // The database is away; the client comes back by itself and resumes where it was.
      response.destroy();
    } finally {
      running = false;
    }
  }

  const heartbeat = setInterval(() => response.write(': still here\n\n'), heartbeatMs);
  const stop = await listen(() => void pump());
  response.once('close', () => {
    clearInterval(heartbeat);
    void stop();
  });
  await pump();
}

function formatMessage(message: StreamMessage): string {
  const data = message.kind === 'task' ? message.data : {};
  return `id: ${message.seq}\nevent: ${message.kind}\ndata: ${JSON.stringify(data)}\n\n`;
}

function parseFilter(query: unknown): ChangeFilter {
  const { market, address, taskId } = parseQuery(eventsQuerySchema, query);
  return {
    market,
    address: address === undefined ? undefined : parseAddress(address),
    task: taskId === undefined ? undefined : parseTaskId(taskId),
  };
}

/** EventSource sends the header by itself; a first connection can only name it in the query. */
function readLastEventId(header: string | string[] | undefined, query: unknown): number | null {
  const text = String(header ?? (query as Record<string, string>).lastEventId ?? '');
  return /^[0-9]{1,15}$/.test(text) ? Number(text) : null;
}
