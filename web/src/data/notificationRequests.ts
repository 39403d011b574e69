// Requests about notifications, with the contract of their replies: a chunk that only their page loads.
import { gatewayRoutes } from '@svc/sdk/internal/client/clientRoutes';
import { createRequest } from '@svc/sdk/internal/client/request';
import type {
  NewChannel,
  NoticeChannel,
  Notifications,
  SavedSearch,
} from '@svc/sdk/internal/schemas/notifications';

export type { NoticeChannel, Notifications, SavedSearch };

const request = createRequest({ baseUrl: location.origin });
const { notifications, saveQuietHours, addChannel, removeChannel, testChannel } = gatewayRoutes;
const { confirmChannel, unsubscribe, refuseContact, addSearch, removeSearch } = gatewayRoutes;

/** With the session of a wallet. */
export const settingsOf = (token: string) => ({
  read: (signal: AbortSignal) => request(notifications, { signal }, undefined, { token }),
  add: (channel: NewChannel) => request(addChannel, {}, channel, { token }),
  remove: (id: string) => request(removeChannel, {}, undefined, { token, params: { id } }),
  test: (id: string) => request(testChannel, {}, undefined, { token, params: { id } }),
  addSearch: (query: string) => request(addSearch, {}, { query }, { token }),
  removeSearch: (id: string) => request(removeSearch, {}, undefined, { token, params: { id } }),
  saveQuiet: (quiet: Pick<Notifications, 'quietHours' | 'timeZone'>) =>
    request(saveQuietHours, {}, quiet, { token }),
});

/** With the token of a link, without a session. */
export const links = {
  confirm: (token: string) => request(confirmChannel, {}, { token }),
  unsubscribe: (token: string) => request(unsubscribe, { token }),
  refuse: (token: string) => request(refuseContact, {}, { token }),
};
