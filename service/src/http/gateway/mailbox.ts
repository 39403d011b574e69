// /v1/mailbox: a wallet's messages as pages and as a stream, and the senders that it blocks.
import type { ServerResponse } from 'node:http';
import { type Address, parseAddress, SvcError } from '@svc/sdk/domain';
import {
  conversationParamsSchema,
  conversationQuerySchema,
  conversationsQuerySchema,
  marksBodySchema,
} from '@svc/sdk/internal/schemas/conversations';
import {
  blockParamsSchema,
  mailboxEventsQuerySchema,
  mailboxQuerySchema,
} from '@svc/sdk/internal/schemas/messages';
import { gatewayRoutes } from '@svc/sdk/schemas';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { MailboxService } from '#relay/mailbox.ts';
import type { MailFeed } from '#relay/mailFeed.ts';
import { createEventStreams, formatEvent } from '../eventStream.ts';
import type { Metrics } from '../metrics.ts';
import { linkNext } from '../reads.ts';
import { parseBody, parseQuery } from '../requestFields.ts';
import { requireWallet, type SessionRoutes } from './sessions.ts';

export type MailboxRoutes = SessionRoutes & {
  readonly mailboxes: MailboxService;
  readonly mailFeed: MailFeed;
  readonly metrics: Metrics;
};

const { mailbox, mailboxEvents, blockSender, conversations, conversation, markConversation } = gatewayRoutes;

const maxStreamsOfWallet = 20;
const config = { crossOrigin: 'call' } as const;

export function registerMailboxRoutes(app: FastifyInstance, options: MailboxRoutes): void {
  const { sessions, mailboxes, mailFeed, metrics } = options;

  app.get(mailbox.path, { config }, async (request) => {
    const wallet = await requireWallet(sessions, request);
    const { after, limit } = parseQuery(mailboxQuerySchema, request.query);
    return mailboxes.read(wallet, after, limit);
  });

  app.get(conversations.path, { config }, async (request, reply) => {
    const wallet = await requireWallet(sessions, request);
    const { unread, with: partner, ...query } = parseQuery(conversationsQuerySchema, request.query);
    const page = await mailboxes.list(wallet, {
      ...query,
      isUnread: unread === 'true',
      with: partner === undefined ? undefined : parseAddress(partner),
    });
    linkNext(request, reply, conversations, page);
    return page;
  });

  app.get(conversation.path, { config }, async (request) => {
    const wallet = await requireWallet(sessions, request);
    const { root } = parseQuery(conversationParamsSchema, request.params);
    const { only, ...query } = parseQuery(conversationQuerySchema, request.query);
    return mailboxes.readConversation(wallet, root, { ...query, isTerms: only === 'terms' });
  });

  app.put(markConversation.path, { config }, async (request) => {
    const wallet = await requireWallet(sessions, request);
    const { root } = parseQuery(conversationParamsSchema, request.params);
    return mailboxes.mark(wallet, root, parseBody(marksBodySchema, request.body));
  });

  for (const blocked of [true, false]) {
    app.route({
      method: blocked ? 'PUT' : 'DELETE',
      url: blockSender.path,
      config,
      handler: async (request) => {
        const wallet = await requireWallet(sessions, request);
        const address = parseAddress(parseQuery(blockParamsSchema, request.params).address);
        await (blocked ? mailboxes.block : mailboxes.unblock)(wallet, address);
        return { address, blocked };
      },
    });
  }

  const streams = createEventStreams<Address>(app);
  metrics.gauge('mailbox_streams', () => streams.owners.size);

  app.get(mailboxEvents.path, { config: { ...config, isStream: true } }, async (request, reply) => {
    const wallet = await requireWallet(sessions, request);
    const position = readAfter(request);
    streams.requireRoom();
    const own = [...streams.owners.values()].filter((other) => other === wallet).length;
    if (own >= maxStreamsOfWallet) throw new SvcError('STREAMS_FULL', {});
    const isAllowed = () => requireWallet(sessions, request).then(Boolean, () => false);
    streams.open(reply, wallet, {
      position,
      isAllowed,
      load: async (after, maxBytes, response) => {
        if (response.writableNeedDrain) await drained(response);
        if (!(await isAllowed())) return null;
        const { messages, nextAfter } = await mailboxes.read(wallet, after, 100, maxBytes);
        const events = messages.map((mail) => formatEvent('message', mail, mail.position));
        return { text: events.join(''), position: nextAfter, isMore: messages.length > 0 };
      },
      follow: (onNews) => mailFeed.follow(wallet, onNews),
    });
  });
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
