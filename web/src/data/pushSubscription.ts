// This browser as a channel: its service worker, and the subscription that the gateway sends to.

export function canPush(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window;
}

/** Asks for the reader's permission. `key` is the gateway's. */
export async function subscribeBrowser(key: string) {
  if ((await Notification.requestPermission()) !== 'granted')
    throw new Error('This browser blocks notifications of this site. Allow them in its settings.');
  await navigator.serviceWorker.register('/notices.js');
  const { pushManager } = await navigator.serviceWorker.ready;
  const found = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint = '', keys = {} } = found.toJSON();
  return { kind: 'push', endpoint, keys: { p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' } } as const;
}
