// Webhooks as rows: each with its filter, its secret and its place among the changes.
import type { Database, Query } from './database.ts';
import { removeRows, returnsRow, updateRows } from './rows.ts';
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

/** Compare and set. */
async function move(write: Query, id: string, from: number, to: number): Promise<boolean> {
  const changes = { position: to, failures: 0, nextTry: 0 };
  return (await updateRows(write, 'webhooks', changes, { id, position: from })) === 1;
}

export function createWebhookStore(database: Database) {
  return {
    /** Begins after the newest change. False, and nothing is saved, where there are `most` already. */
    async addWebhook(
      { id, url, secret, taskId, wallet, kind, createdAt }: NewWebhook,
      most: number,
    ): Promise<boolean> {
      return returnsRow(
        database.write,
        sql`INSERT INTO webhooks (id, url, secret, task_id, wallet, kind, position, failures, next_try, created_at)
          SELECT ${id}, ${url}, ${secret}, ${taskId}, ${wallet}, ${kind},
            COALESCE((SELECT MAX(seq) FROM changes), 0), 0, 0, CAST(${createdAt} AS BIGINT)
          WHERE (SELECT COUNT(*) FROM webhooks) < ${most} RETURNING id`,
      );
    },

    listWebhooks: (): Promise<Webhook[]> =>
      database.query<Webhook>(`SELECT * FROM webhooks ORDER BY created_at, id`),

    /** Resolves to whether there was one. Earlier builds kept letters that were not taken. */
    removeWebhook: (id: string): Promise<boolean> =>
      database.transaction(async (tx) => {
        await removeRows(tx.query, 'webhook_letters', { webhookId: id });
        return (await removeRows(tx.query, 'webhooks', { id })) === 1;
      }),

    /** False where another deliverer has moved it meanwhile. */
    advance: (id: string, from: number, to: number): Promise<boolean> => move(database.write, id, from, to),

    async saveFailure(id: string, position: number, failures: number, nextTry: number): Promise<void> {
      await updateRows(database.write, 'webhooks', { failures, nextTry }, { id, position });
    },

    /** Tries now, from where it was. Resolves to whether there is one. */
    resume: async (id: string): Promise<boolean> =>
      (await updateRows(database.write, 'webhooks', { failures: 0, nextTry: 0 }, { id })) === 1,
  };
}
