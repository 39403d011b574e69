// Webhooks: who is told about which changes, how far each one is, and what could not be delivered.
import type { Migration } from '../migration.ts';

export const webhooks: Migration = {
  id: 12,
  name: 'webhooks',
  statements: [
    // Everything up to position, a number of the table changes, has been delivered or left out.
    `CREATE TABLE webhooks (
      id TEXT NOT NULL PRIMARY KEY,
      url TEXT NOT NULL,
      secret TEXT NOT NULL,
      task_id TEXT,
      wallet TEXT,
      kind TEXT,
      position BIGINT NOT NULL,
      failures BIGINT NOT NULL,
      next_try BIGINT NOT NULL,
      created_at BIGINT NOT NULL
    )`,
    // State is dead, or due once it is to be sent again.
    `CREATE TABLE webhook_letters (
      webhook_id TEXT NOT NULL,
      seq BIGINT NOT NULL,
      body TEXT NOT NULL,
      error TEXT NOT NULL,
      state TEXT NOT NULL,
      failed_at BIGINT NOT NULL,
      PRIMARY KEY (webhook_id, seq)
    )`,
  ],
};
