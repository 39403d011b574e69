// Webhooks as rows: each with its filter, its secret and its place among the changes, and the letters that nobody took.
import type { Database, Query } from './database.ts';
import { insertNew, removeRows, returnsRow, updateRows } from './rows.ts';
import { raw, sql } from './sql.ts';

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
  /** In milliseconds. */
  readonly nextTry: number;
  /** In seconds. */
  readonly createdAt: number;
};

type NewWebhook = Omit<Webhook, 'position' | 'failures' | 'nextTry'>;

export type Letter = {
  readonly webhookId: string;
  readonly seq: number;
  readonly body: string;
  readonly error: string;
  readonly state: 'dead' | 'due';
  readonly failedAt: number;
};

export type WebhookStore = ReturnType<typeof createWebhookStore>;

/** For each webhook; the oldest are dropped. */
const keptLetters = 1_000;

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

    /** Resolves to whether there was one. */
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

    /** Puts a change aside that nobody took, and goes on behind it: both or neither. */
    bury: (from: number, letter: Letter): Promise<void> =>
      database.transaction(async (tx) => {
        const { webhookId, seq } = letter;
        if (!(await move(tx.query, webhookId, from, seq))) return;
        await insertNew(tx.query, 'webhook_letters', letter);
        await tx.query(sql`DELETE FROM webhook_letters WHERE webhook_id = ${webhookId} AND seq NOT IN
             (SELECT seq FROM webhook_letters WHERE webhook_id = ${webhookId} ORDER BY seq DESC
             LIMIT ${raw(keptLetters)})`);
      }),

    listLetters: (webhookId: string | null, limit: number): Promise<Letter[]> =>
      database.query<Letter>(sql`SELECT * FROM webhook_letters
         WHERE ${webhookId ?? ''} = '' OR webhook_id = ${webhookId ?? ''} ORDER BY webhook_id, seq LIMIT ${limit}`),

    /** Marks one letter, or all of a webhook, to be sent again; resolves to how many. */
    async requestResend(webhookId: string, seq: number | null): Promise<number> {
      const rows = await database.write(sql`UPDATE webhook_letters SET state = 'due'
         WHERE webhook_id = ${webhookId} AND (${seq ?? -1} = -1 OR seq = ${seq ?? -1}) RETURNING seq`);
      return rows.length;
    },

    listDue: (webhookId: string, limit: number): Promise<Letter[]> =>
      database.query<Letter>(sql`SELECT * FROM webhook_letters
         WHERE webhook_id = ${webhookId} AND state = 'due' ORDER BY seq LIMIT ${limit}`),

    /** Removes a letter that was taken; with an error it is dead again. */
    async endResend({ webhookId, seq }: Letter, error: string | null): Promise<void> {
      const letter = { webhookId, seq };
      if (error === null) await removeRows(database.write, 'webhook_letters', letter);
      else await updateRows(database.write, 'webhook_letters', { state: 'dead', error }, letter);
    },
  };
}
