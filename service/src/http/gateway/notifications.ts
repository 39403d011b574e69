// /v1/notifications: the settings of a wallet, and the links of its mails. Every answer is JSON; the pages are elsewhere.
import { SvcError } from '@svc/sdk/domain';
import {
  channelParamsSchema,
  linkBodySchema,
  linkQuerySchema,
  newChannelSchema,
  newSearchSchema,
  quietBodySchema,
} from '@svc/sdk/internal/schemas/notifications';
import { gatewayRoutes } from '@svc/sdk/schemas';
import type { FastifyInstance } from 'fastify';
import type { ContactService } from '#notify/contacts.ts';
import type { SavedSearches } from '#notify/savedSearches.ts';
import { createRateLimit } from '../rateLimit.ts';
import { parseBody, parseQuery } from '../requestFields.ts';
import { requireWallet, type SessionRoutes } from './sessions.ts';

export type NotificationRoutes = SessionRoutes & {
  /** Null where the operator has set no key for addresses. */
  readonly contacts: ContactService | null;
  readonly searches: SavedSearches | null;
};

const { notifications, addChannel, removeChannel, testChannel, confirmChannel, unsubscribe, refuseContact } =
  gatewayRoutes;
const { addSearch, removeSearch } = gatewayRoutes;
const config = { crossOrigin: 'call' } as const;

export function registerNotificationRoutes(
  app: FastifyInstance,
  { sessions, contacts, searches }: NotificationRoutes,
): void {
  const links = createRateLimit({ name: 'links', limit: 120, windowSeconds: 60 });
  const need = (): ContactService => {
    if (contacts === null) throw new SvcError('NOTICES_OFF', {});
    return contacts;
  };
  const needSearches = (): SavedSearches => {
    if (searches === null) throw new SvcError('NOTICES_OFF', {});
    return searches;
  };

  app.get(notifications.path, { config }, async (request) => {
    const wallet = await requireWallet(sessions, request);
    const settings = await need().read(wallet);
    return { ...settings, searches: await needSearches().list(wallet) };
  });

  app.put(notifications.path, { config }, async (request) => {
    const wallet = await requireWallet(sessions, request);
    return need().saveQuiet(wallet, parseBody(quietBodySchema, request.body));
  });

  app.post(addChannel.path, { config }, async (request, reply) => {
    const wallet = await requireWallet(sessions, request);
    return reply.status(201).send(await need().add(wallet, parseBody(newChannelSchema, request.body)));
  });

  app.delete(removeChannel.path, { config }, async (request) => {
    const wallet = await requireWallet(sessions, request);
    return need().remove(wallet, parseQuery(channelParamsSchema, request.params).id);
  });

  app.post(testChannel.path, { config }, async (request) => {
    const wallet = await requireWallet(sessions, request);
    return need().test(wallet, parseQuery(channelParamsSchema, request.params).id);
  });

  app.post(addSearch.path, { config }, async (request, reply) => {
    const wallet = await requireWallet(sessions, request);
    const { query } = parseBody(newSearchSchema, request.body);
    return reply.status(201).send(await needSearches().add(wallet, query));
  });

  app.delete(removeSearch.path, { config }, async (request) => {
    const wallet = await requireWallet(sessions, request);
    return needSearches().remove(wallet, parseQuery(channelParamsSchema, request.params).id);
  });

  app.post(confirmChannel.path, { config }, async (request, reply) => {
    links.take(request.ip, reply);
    return need().confirm(parseBody(linkBodySchema, request.body).token);
  });

  app.post(refuseContact.path, { config }, async (request, reply) => {
    links.take(request.ip, reply);
    return need().refuseAddress(parseBody(linkBodySchema, request.body).token);
  });

  // Its own scope: mail programs send a form, whose content does not matter.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, _body, done) => done(null, null));
    scope.post(unsubscribe.path, { config, bodyLimit: 4_096 }, async (request, reply) => {
      links.take(request.ip, reply);
      return need().unsubscribe(parseQuery(linkQuerySchema, request.query).token);
    });
  });
}
