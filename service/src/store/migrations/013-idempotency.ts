// Writes that clients may repeat: which keys were used for which requests, and what was answered.
import type { Migration } from '../migration.ts';

export const idempotency: Migration = {
  id: 13,
  name: 'idempotency',
  statements: [
    // The id is a hash of route, caller and key. Status and body are null until the write is done; the seed lets it be
    // done again, with the same effect, after a process was killed. Times are in milliseconds.
    `CREATE TABLE idempotency_keys (
      identity TEXT NOT NULL,
      id TEXT NOT NULL,
      caller TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      seed TEXT NOT NULL,
      locked_at BIGINT NOT NULL,
      status BIGINT,
      body TEXT,
      created_at BIGINT NOT NULL,
      PRIMARY KEY (identity, id)
    )`,
    'CREATE INDEX idempotency_keys_caller ON idempotency_keys (identity, caller)',
    'CREATE INDEX idempotency_keys_age ON idempotency_keys (identity, created_at)',
  ],
};
