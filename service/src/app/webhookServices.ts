// Webhooks over an open market: their delivery in a gateway, and what an operator does to them beside the servers.
import { randomBytes } from 'node:crypto';
import { parseAddress, parseTaskId, SvcError, taskStates } from '@svc/sdk/domain';
import type { Config } from '../config.ts';
import { createLease } from '../store/lease.ts';
import { createWebhookStore, never, type WebhookFilter } from '../store/webhooks.ts';
import { createDeliverer, webhookLeaseMs } from '../webhooks/deliver.ts';
import { findUrlMistake } from '../webhooks/target.ts';
import { openOperatorDatabase } from './openDatabase.ts';
import type { OpenMarket } from './openMarket.ts';
import { repeat } from './rounds.ts';

/** Between two looks at the changes; they come with blocks, every two seconds. */
const lookEveryMs = 1_000;
/** Each costs a connection for every change that it is about. */
const mostWebhooks = 100;
const kinds: readonly string[] = taskStates.filter((one) => one !== 'NONE').map((one) => one.toLowerCase());

export function createWebhookDelivery(
  {
    database,
    changes,
    cursors,
    metrics,
    log,
  }: Pick<OpenMarket, 'database' | 'changes' | 'cursors' | 'metrics' | 'log'>,
  isPrivateAllowed: boolean,
) {
  // From the start on, so that an alert about an increase sees the first one.
  for (const outcome of ['delivered', 'failed', 'stopped']) metrics.counter('webhooks', { outcome });
  const deliverer = createDeliverer({
    store: createWebhookStore(database),
    changes,
    cursors,
    lease: createLease(database, { name: 'webhooks', milliseconds: webhookLeaseMs }),
    isPrivateAllowed,
    onOutcome: (outcome, id, reason) => {
      metrics.count('webhooks', { outcome });
      if (outcome === 'stopped') log.error({ webhook: id, reason }, 'a webhook has stopped');
    },
  });
  const rounds = repeat(log, 'delivering to webhooks', lookEveryMs, deliverer.round);
  return {
    close: async () => {
      await rounds.close();
      // Another process need not wait until the lease is over; if this fails, it does.
      await deliverer.close().catch(() => undefined);
    },
  };
}

export async function openWebhookOperator(config: Config) {
  const database = await openOperatorDatabase(config);
  const store = createWebhookStore(database);
  return {
    list: async () =>
      (await store.listWebhooks()).map((hook) => ({ ...hook, hasStopped: hook.nextTry === never })),
    close: database.close,

    /** Begins with the next change. The secret is returned here and nowhere else. */
    async add(url: string, given: GivenFilter) {
      const mistake = findUrlMistake(url, config.webhookPrivate);
      if (mistake !== null) throw new SvcError('USAGE', { reason: `This URL is refused: ${mistake}.` });
      const made = {
        id: randomBytes(9).toString('base64url'),
        url,
        secret: `whsec_${randomBytes(32).toString('base64')}`,
        ...parseFilter(given),
        createdAt: Math.floor(Date.now() / 1_000),
      };
      if (!(await store.addWebhook(made, mostWebhooks)))
        throw new SvcError('USAGE', { reason: `There are ${mostWebhooks} webhooks; remove one first.` });
      return made;
    },

    async remove(id: string): Promise<void> {
      if (!(await store.removeWebhook(id))) throw unknown(id);
    },

    /** Goes on where it has stopped; the gateway that delivers tries at once. */
    async resume(id: string): Promise<void> {
      if (!(await store.resume(id))) throw unknown(id);
    },
  };
}

function unknown(id: string): SvcError {
  return new SvcError('USAGE', { reason: `There is no webhook ${id}; see svc webhook list.` });
}

type GivenFilter = { readonly task?: string; readonly wallet?: string; readonly kind?: string };

function parseFilter({ task, wallet, kind }: GivenFilter): WebhookFilter {
  if (task !== undefined) parseTaskId(task);
  const state = kind?.toLowerCase() ?? null;
  if (state !== null && !kinds.includes(state))
    throw new SvcError('USAGE', { reason: `--kind is one of ${kinds.join(', ')}.` });
  return {
    taskId: task ?? null,
    wallet: wallet === undefined ? null : parseAddress(wallet),
    kind: state,
  };
}
