// Webhooks as rows: each with its filter, its secret and its place among the changes.
import { beginCursor, endCursor } from './consume.ts';
import type { Database, Transaction } from './database.ts';
import { countRows, insertRows, removeRows, takeTurn, updateRows } from './rows.ts';
import { sql } from './sql.ts';

export type WebhookFilter = {
  readonly taskId: string | null;
  readonly wallet: string | null;
  /** The state of a task in lower case. */
  readonly kind: string | null;
};

export type Webhook = WebhookFilter & {
  readonly id: string;
  readonly url: string;
  readonly secret: string;
  /** Everything up to this change has been delivered or left out. */
  readonly position: number;
  readonly failures: number;
  /** In milliseconds; `never` where it has stopped. */
  readonly nextTry: number;
  /** In seconds. */
  readonly createdAt: number;
};

type NewWebhook = Omit<Webhook, 'position' | 'failures' | 'nextTry'>;

export type WebhookStore = ReturnType<typeof createWebhookStore>;

/** No time comes after it: a webhook that has stopped. */
export const never = Number.MAX_SAFE_INTEGER;

/** The follower of the changes that a webhook is. */
export const cursorOf = (id: string) => `webhook ${id}`;

export function createWebhookStore(database: Database) {
  return {
    /** Begins after the newest change. False, and nothing is saved, where there are `most` already. */
    async addWebhook(
      { id, url, secret, taskId, wallet, kind, createdAt }: NewWebhook,
      most: number,
    ): Promise<boolean> {
      const row = { id, url, secret, taskId, wallet, kind, failures: 0, nextTry: 0, createdAt };
      return database.transaction(async (tx) => {
        await takeTurn(tx, 'webhooks');
        if ((await countRows(tx.query, sql`webhooks`)) >= most) return false;
        await insertRows(tx, 'webhooks', [row]);
        await beginCursor(tx.query, cursorOf(id), 'newest');
        return true;
      });
    },

    listWebhooks: (): Promise<Webhook[]> =>
      database.query<Webhook>(`SELECT webhooks.*, position FROM webhooks
        JOIN cursors ON cursors.name = 'webhook ' || webhooks.id ORDER BY created_at, id`),

    /** Resolves to whether there was one. */
    removeWebhook: (id: string): Promise<boolean> =>
      database.transaction(async (tx) => {
        await endCursor(tx.query, cursorOf(id));
        return (await removeRows(tx.query, 'webhooks', { id })) === 1;
      }),

    /** In the transaction that moves its position. */
    async saveSuccess(tx: Transaction, id: string): Promise<void> {
      await updateRows(tx.query, 'webhooks', { failures: 0, nextTry: 0 }, { id });
    },

    async saveFailure(id: string, failures: number, nextTry: number): Promise<void> {
      await updateRows(database.write, 'webhooks', { failures, nextTry }, { id });
    },

    /** Tries now, from where it was. Resolves to whether there is one. */
    resume: async (id: string): Promise<boolean> =>
      (await updateRows(database.write, 'webhooks', { failures: 0, nextTry: 0 }, { id })) === 1,
  };
}
