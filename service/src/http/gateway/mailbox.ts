// /v1/mailbox: a wallet's messages as pages and as a stream, and the senders that it blocks.
import type { ServerResponse } from 'node:http';
import { type Address, parseAddress, SvcError } from '@svc/sdk/domain';
import {
  blockParamsSchema,
  gatewayRoutes,
  mailboxEventsQuerySchema,
  mailboxQuerySchema,
} from '@svc/sdk/schemas';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { MailboxService } from '#relay/mailbox.ts';
import type { MailFeed } from '#relay/mailFeed.ts';
import type { Metrics } from '../metrics.ts';
import { sendJson } from '../reply.ts';
import { parseQuery } from '../requestFields.ts';
import { allowCrossOrigin } from './crossOrigin.ts';
import { requireSession, requireWallet, type SessionRoutes } from './sessions.ts';

export type MailboxRoutes = SessionRoutes & {
  readonly mailboxes: MailboxService;
  readonly mailFeed: MailFeed;
  readonly metrics: Metrics;
};

const { mailbox, mailboxEvents, blockSender } = gatewayRoutes;

/** Comes often enough that no proxy takes the silence for an end. */
const heartbeatMs = 15_000;
/** A client that reads slower than this much is let go; it comes back and resumes. */
const maxBufferedBytes = 1_024 * 1_024;
/** What all streams together may hold: with many of them, each gets its share. */
const maxBufferedInAll = 256 * 1_024 * 1_024;
const maxStreams = 10_000;
const maxStreamsOfWallet = 20;

export function registerMailboxRoutes(app: FastifyInstance, options: MailboxRoutes): void {
  const { sessions, mailboxes, mailFeed, metrics } = options;

  app.get(
    mailbox.path,
    { onRequest: allowCrossOrigin(app, mailbox.path, ['GET']) },
    async (request, reply) => {
      const wallet = await requireWallet(sessions, request);
      const { after, limit } = parseQuery(mailboxQuerySchema, request.query);
      return sendJson(request, reply, await mailboxes.read(wallet, after, limit));
    },
  );

  const onRequest = allowCrossOrigin(app, blockSender.path, ['PUT', 'DELETE']);
  for (const blocked of [true, false]) {
    app.route({
      method: blocked ? 'PUT' : 'DELETE',
      url: blockSender.path,
      onRequest,
      handler: async (request, reply) => {
        const wallet = await requireWallet(sessions, request);
        const address = parseAddress(parseQuery(blockParamsSchema, request.params).address);
        await (blocked ? mailboxes.block : mailboxes.unblock)(wallet, address);
        return sendJson(request, reply, { address, blocked });
      },
    });
  }

  const streams = new Map<ServerResponse, Address>();
  metrics.gauge('mailbox_streams', () => streams.size);
  let isStopping = false;
  app.addHook('preClose', async () => {
    isStopping = true;
    for (const response of streams.keys()) response.end('retry: 500\n\n');
  });

  app.get(
    mailboxEvents.path,
    { onRequest: allowCrossOrigin(app, mailboxEvents.path, ['GET']), config: { isStream: true } },
    async (request, reply) => {
      const { wallet } = await requireSession(sessions, request);
      const after = readAfter(request);
      const own = [...streams.values()].filter((other) => other === wallet).length;
      if (isStopping || streams.size >= maxStreams || own >= maxStreamsOfWallet)
        throw new SvcError('STREAMS_FULL', {});
      reply.hijack();
      const response = reply.raw;
      response.writeHead(200, {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store',
        'Access-Control-Allow-Origin': '*',
        'X-Accel-Buffering': 'no',
        'X-Content-Type-Options': 'nosniff',
        'X-Request-Id': request.id,
        Connection: 'close',
      });
      if (response.destroyed) return;
      streams.set(response, wallet);
      response.once('close', () => streams.delete(response));
      const isAllowed = () => requireWallet(sessions, request).then(Boolean, () => false);
      const share = () => Math.min(maxBufferedBytes, maxBufferedInAll / streams.size);
      stream(response, { wallet, after, mailboxes, mailFeed, isAllowed, share });
    },
  );
}

type StreamParts = {
  readonly wallet: Address;
  readonly after: number;
  readonly mailboxes: MailboxService;
  readonly mailFeed: MailFeed;
  /** Whether the session is still open. */
  readonly isAllowed: () => Promise<boolean>;
  /** How many bytes this stream may hold. */
  readonly share: () => number;
};

/** Looks once at the start and once after each notice; the position alone decides what is sent. */
function stream(
  response: ServerResponse,
  { wallet, after, mailboxes, mailFeed, isAllowed, share }: StreamParts,
): void {
  let position = after;
  let isRunning = false;
  let again = false;
  const isOpen = () => !response.destroyed && !response.writableEnded;

  async function pump(): Promise<void> {
    again = true;
    if (isRunning) return;
    isRunning = true;
    try {
      while (again && isOpen()) {
        again = false;
        if (!(await isAllowed())) return void response.end();
        const { messages, nextAfter } = await mailboxes.read(wallet, position, 100, share() / 2);
        if (!isOpen()) return;
        for (const mail of messages)
          response.write(`id: ${mail.position}\nevent: message\ndata: ${JSON.stringify(mail)}\n\n`);
        position = nextAfter;
        again ||= messages.length > 0;
        if (response.writableNeedDrain) await drained(response);
      }
    } catch {
      // The database is unavailable; the client reconnects and resumes where it was.
      response.destroy();
    } finally {
      isRunning = false;
    }
  }

  const heartbeat = setInterval(async () => {
    if (response.writableLength > share()) response.destroy();
    else if (!(await isAllowed())) response.end();
    else if (isOpen()) response.write(`id: ${position}\n\n`);
  }, heartbeatMs);
  const stop = mailFeed.follow(wallet, () => void pump());
  response.once('close', () => {
    clearInterval(heartbeat);
    stop();
  });
  response.write('retry: 1000\n\n');
  void pump();
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.once('drain', resolve);
    response.once('close', resolve);
  });
}

/** A reconnecting client sends the header; a first connection may use the query. */
function readAfter({ headers, query }: FastifyRequest): number {
  const last = headers['last-event-id'];
  if (typeof last === 'string' && /^[0-9]{1,15}$/.test(last)) return Number(last);
  return parseQuery(mailboxEventsQuerySchema, query).after;
}
