// What the posting quota needs: plan purchases as the follower reads them, and what no chain remembers for us, which is
// posts that were recorded before the chain showed them, and payments that were used.
//
// The last two are keyed by the chain's identity instead of a generation: they outlive every reading of the chain.
import type { Migration } from '../migration.ts';

export const posting: Migration = {
  id: 2,
  name: 'posting',
  statements: [
    `CREATE TABLE purchases (
      generation BIGINT NOT NULL,
      block_number BIGINT NOT NULL,
      log_index BIGINT NOT NULL,
      block_time BIGINT NOT NULL,
      tx_hash TEXT NOT NULL,
      market TEXT NOT NULL,
      payer TEXT NOT NULL,
      tier TEXT NOT NULL,
      pay_with TEXT NOT NULL,
      PRIMARY KEY (generation, block_number, log_index)
    )`,
    `CREATE INDEX purchases_payer ON purchases (generation, market, payer)`,
    `CREATE INDEX tasks_posted ON tasks (generation, market, poster, created_at)`,
    // seen_block is null until the chain shows the transaction.
    `CREATE TABLE pending_posts (
      identity TEXT NOT NULL,
      market TEXT NOT NULL,
      address TEXT NOT NULL,
      task_number BIGINT NOT NULL,
      tx_hash TEXT NOT NULL,
      expires_at BIGINT NOT NULL,
      seen_block BIGINT,
      PRIMARY KEY (identity, market, address, task_number, tx_hash)
    )`,
    `CREATE INDEX pending_posts_expiry ON pending_posts (identity, expires_at)`,
    `CREATE TABLE used_payments (
      identity TEXT NOT NULL,
      tx_hash TEXT NOT NULL,
      log_index BIGINT NOT NULL,
      market TEXT NOT NULL,
      payer TEXT NOT NULL,
      tier TEXT NOT NULL,
      pay_with TEXT NOT NULL,
      block_number BIGINT NOT NULL,
      block_time BIGINT NOT NULL,
      PRIMARY KEY (identity, tx_hash, log_index)
    )`,
    `CREATE INDEX used_payments_payer ON used_payments (identity, market, payer)`,
    `CREATE INDEX used_payments_block ON used_payments (identity, block_number)`,
    // Older rows contain no purchases: the chain is read again, into new rows.
    `UPDATE chain SET shown = NULL`,
  ],
};
