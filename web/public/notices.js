// The service worker of notifications: shows what the gateway pushes, and opens its page on a click.
self.addEventListener('push', (event) => {
  const { title, url, confirm } = event.data.json();
  const shown = self.registration.showNotification(title, { data: { url }, tag: url, icon: '/icon.svg' });
  // The first message proves to the gateway that this browser gets what it sends.
  const confirmed =
    confirm === undefined
      ? undefined
      : fetch('/v1/notifications/confirmations', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ token: confirm }),
        });
  event.waitUntil(Promise.all([shown, confirmed]));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { url } = event.notification.data;
  // Its confirmation is done already.
  event.waitUntil(self.clients.openWindow(url.split('#')[0]));
});
