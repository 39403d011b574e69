// This browser as a channel: its service worker, and the subscription that the gateway sends to.

import { within } from '@svc/sdk/internal/domain/backoff';

export function canPush(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window;
}

const subscribeMs = 30_000;

/** Asks for the reader's permission. `key` is the gateway's. */
export async function subscribeBrowser(key: string) {
  if ((await Notification.requestPermission()) !== 'granted')
    throw new Error('This browser blocks notifications of this site. Allow them in its settings.');
  await navigator.serviceWorker.register('/notices.js');
  const { pushManager } = await navigator.serviceWorker.ready;
  // A browser that does not reach the push service of its maker tries for ever.
  const asking = pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const late = 'This browser does not reach its push service. Check its network, or add an e-mail address.';
  const found = await within(subscribeMs, asking, () => new Error(late));
  const { endpoint = '', keys = {} } = found.toJSON();
  return { kind: 'push', endpoint, keys: { p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' } } as const;
}
