// /v1/mailbox: a wallet's messages as pages and as a stream, and the senders that it blocks.
import type { ServerResponse } from 'node:http';
import { type Address, parseAddress, SvcError } from '@svc/sdk/domain';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { gatewayRoutes } from '../../contract/apis.ts';
import type { MailboxService } from '../../relay/mailbox.ts';
import type { MailFeed } from '../../relay/mailFeed.ts';
import { createEventStreams, formatEvent } from '../eventStream.ts';
import type { Metrics } from '../metrics.ts';
import { linkNext } from '../reads.ts';
import { parseQuery } from '../requestFields.ts';
import type { AppLog } from '../requestLog.ts';
import { type Call, createServeCall, requireWallet, type SessionRoutes } from './callRoute.ts';

export type MailboxRoutes = SessionRoutes & {
  readonly mailboxes: MailboxService;
  readonly mailFeed: MailFeed;
  readonly metrics: Metrics;
  readonly log: AppLog;
};

const { mailbox, mailboxEvents, blockSender, unblockSender } = gatewayRoutes;
const { conversations, conversation, markConversation } = gatewayRoutes;

const maxStreamsOfWallet = 20;

export function registerMailboxRoutes(app: FastifyInstance, options: MailboxRoutes): void {
  const { sessions, mailboxes, mailFeed, metrics, log } = options;

  const serve = createServeCall(app, sessions);

  serve(mailbox, ({ wallet, query: { after, limit } }) => mailboxes.read(wallet, after, limit));

  serve(conversations, async ({ wallet, query, request, reply }) => {
    const { unread, with: partner, ...rest } = query;
    const page = await mailboxes.list(wallet, {
      ...rest,
      isUnread: unread === 'true',
      with: partner === undefined ? undefined : parseAddress(partner),
    });
    linkNext(request, reply, conversations, page);
    return page;
  });

  serve(conversation, ({ wallet, params: { root }, query: { only, ...query } }) =>
    mailboxes.readConversation(wallet, root, { ...query, isTerms: only === 'terms' }),
  );

  serve(markConversation, ({ wallet, params: { root }, body }) => mailboxes.mark(wallet, root, body));

  const setBlock =
    (blocked: boolean) =>
    async ({ wallet, params }: Pick<Call<typeof blockSender>, 'wallet' | 'params'>) => {
      const address = parseAddress(params.address);
      await (blocked ? mailboxes.block : mailboxes.unblock)(wallet, address);
      return { address, blocked };
    };
  serve(blockSender, setBlock(true));
  serve(unblockSender, setBlock(false));

  const streams = createEventStreams<Address>(app, log);
  metrics.gauge('mailbox_streams', streams.count);

  app.get(mailboxEvents.path, { config: { crossOrigin: 'call', isStream: true } }, async (request, reply) => {
    const wallet = await requireWallet(sessions, request);
    const position = readAfter(request);
    if (streams.countOf(wallet) >= maxStreamsOfWallet) throw new SvcError('STREAMS_FULL', {});
    streams.requireRoom(wallet);
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
  return parseQuery(mailboxEvents.query, query).after;
}
