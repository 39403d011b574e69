// /v1/notifications: the settings of a wallet, and the links of its mails. Every answer is JSON; the pages are elsewhere.
import { SvcError } from '@svc/sdk/domain';
import type { FastifyInstance } from 'fastify';
import { gatewayRoutes } from '../../contract/apis.ts';
import type { ContactService } from '../../notify/contacts.ts';
import type { SavedSearches } from '../../notify/savedSearches.ts';
import { createRateLimit } from '../rateLimit.ts';
import { parseQuery } from '../requestFields.ts';
import { createServeCall, type SessionRoutes } from './callRoute.ts';

export type NotificationRoutes = SessionRoutes & {
  /** Null where the operator has set no key for addresses. */
  readonly contacts: ContactService | null;
  readonly searches: SavedSearches | null;
};

const { notifications, saveQuietHours, addChannel, removeChannel, testChannel } = gatewayRoutes;
const { addSearch, removeSearch, confirmChannel, unsubscribe, refuseContact } = gatewayRoutes;

export function registerNotificationRoutes(
  app: FastifyInstance,
  { sessions, contacts, searches }: NotificationRoutes,
): void {
  const links = createRateLimit({ name: 'links', limit: 120 });
  const need = <Service>(service: Service | null): Service => {
    if (service === null) throw new SvcError('NOTICES_OFF', {});
    return service;
  };

  const serve = createServeCall(app, sessions);

  serve(notifications, async ({ wallet }) => {
    const settings = await need(contacts).read(wallet);
    return { ...settings, searches: await need(searches).list(wallet) };
  });
  serve(saveQuietHours, async ({ wallet, body }) => need(contacts).saveQuiet(wallet, body));
  serve(addChannel, async ({ wallet, body }) => need(contacts).add(wallet, body));
  serve(removeChannel, async ({ wallet, params }) => need(contacts).remove(wallet, params.id));
  serve(testChannel, async ({ wallet, params }) => need(contacts).test(wallet, params.id));
  serve(addSearch, async ({ wallet, body }) => need(searches).add(wallet, body.query));
  serve(removeSearch, async ({ wallet, params }) => need(searches).remove(wallet, params.id));
  serve(confirmChannel, async ({ body }) => need(contacts).confirm(body.token), links);
  serve(refuseContact, async ({ body }) => need(contacts).refuseAddress(body.token), links);

  // A separate scope: mail programs send a form, whose content does not matter.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, _body, done) => done(null, null));
    const config = { crossOrigin: 'call' } as const;
    scope.post(unsubscribe.path, { config, bodyLimit: 4_096 }, async (request, reply) => {
      links.take(request.ip, reply);
      return need(contacts).unsubscribe(parseQuery(unsubscribe.query, request.query).token);
    });
  });
}
