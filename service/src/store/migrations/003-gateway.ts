// What the gateway must never forget: wallet requests, used receipts and payments. Keyed by the chain they are about.
import type { Migration } from '../migration.ts';

export const gateway: Migration = {
  id: 3,
  name: 'gateway',
  statements: [
    // request is the body as it was made; transaction_hashes is a JSON list.
    `CREATE TABLE wallet_requests (
      identity TEXT NOT NULL,
      id TEXT NOT NULL,
      status TEXT NOT NULL,
      request TEXT NOT NULL,
      transaction_hashes TEXT NOT NULL,
      signature TEXT,
      error TEXT,
      created_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      PRIMARY KEY (identity, id)
    )`,
    `CREATE INDEX wallet_requests_unfinished ON wallet_requests (identity, status, expires_at)
      WHERE status IN ('pending', 'submitted')`,
    // A receipt is a signed document; only its use has to be remembered.
    `CREATE TABLE used_receipts (
      identity TEXT NOT NULL,
      nonce TEXT NOT NULL,
      used_at BIGINT NOT NULL,
      PRIMARY KEY (identity, nonce)
    )`,
    // Payments whose signature was good, from before they reach the chain: state is settling, settled or answered.
    `CREATE TABLE payments (
      identity TEXT NOT NULL,
      payer TEXT NOT NULL,
      nonce TEXT NOT NULL,
      purpose TEXT NOT NULL,
      signature TEXT NOT NULL,
      state TEXT NOT NULL,
      tx_hash TEXT,
      since_block BIGINT NOT NULL,
      held_until BIGINT NOT NULL,
      PRIMARY KEY (identity, payer, nonce)
    )`,
  ],
};
