// Steps of the schema after the first version, in order. Old and new replicas share a database during an upgrade: a step only adds.
import type { Migration } from './schema.ts';

/** Recorded posts that nothing proves yet: they count for the caller that recorded them. */
const unprovenPosts: Migration = {
  name: 'unproven posts',
  statements: [
    `CREATE TABLE unproven_posts (
      identity TEXT NOT NULL,
      market TEXT NOT NULL,
      address TEXT NOT NULL,
      task_number BIGINT NOT NULL,
      tx_hash TEXT NOT NULL,
      caller TEXT NOT NULL,
      expires_at BIGINT NOT NULL,
      seen_block BIGINT,
      PRIMARY KEY (identity, market, address, task_number, tx_hash, caller)
    )`,
    `CREATE INDEX unproven_posts_expiry ON unproven_posts (identity, expires_at)`,
    `CREATE INDEX unproven_posts_caller ON unproven_posts (identity, caller, expires_at)`,
  ],
};

export const schemaSteps: readonly Migration[] = [unprovenPosts];
