// What this gateway did to settle a payment, noted before it is done: the settlements of others do not count.
import type { Migration } from '../migration.ts';

export const settlements: Migration = {
  id: 10,
  name: 'settlements',
  statements: [
    // Transactions of our own facilitator, by the hash of what was signed.
    `CREATE TABLE payment_transactions (
      identity TEXT NOT NULL,
      payer TEXT NOT NULL,
      nonce TEXT NOT NULL,
      tx_hash TEXT NOT NULL,
      PRIMARY KEY (identity, payer, nonce, tx_hash)
    )`,
    // How often a remote facilitator was asked to settle and has not answered.
    'ALTER TABLE payments ADD COLUMN open_asks BIGINT NOT NULL DEFAULT 0',
    // Random values that only the gateways of this database share.
    `CREATE TABLE gateway_secrets (
      name TEXT NOT NULL PRIMARY KEY,
      value TEXT NOT NULL
    )`,
  ],
};
