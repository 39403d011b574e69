// A process that delivers to webhooks as a gateway does, without the rest of it, until it is killed.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createChangeStore } from '#service/store/changes.ts';
import { createLease } from '#service/store/lease.ts';
import { createWebhookStore } from '#service/store/webhooks.ts';
import { createDeliverer, webhookLeaseMs } from '#service/webhooks/deliver.ts';
import { openDatabase } from './databasePlace.ts';

const database = openDatabase(JSON.parse(String(process.argv[2])));
const { round } = createDeliverer({
  store: createWebhookStore(database),
  changes: createChangeStore(database, 'chain'),
  lease: createLease(database, { name: 'webhooks', holder: randomUUID(), milliseconds: webhookLeaseMs }),
  isPrivateAllowed: true,
  onOutcome: () => undefined,
  firstRetryMs: 20,
  // Nothing is put aside here: a receiver may be down for as long as it takes.
  attempts: 1_000_000,
});
console.log('ready');
for (;;) {
  await round(new AbortController().signal);
  await pause(5);
}
