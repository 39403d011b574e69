// Sessions of wallets, and the mailboxes of the relay. Keyed by the chain they are about, like all that the gateway keeps.
import type { Migration } from '../migration.ts';

export const relay: Migration = {
  id: 7,
  name: 'relay',
  statements: [
    // A token is kept as its SHA-256. A revoked row stays, since its digest must not work again.
    `CREATE TABLE session (
      identity TEXT NOT NULL,
      token_hash TEXT NOT NULL,
      digest TEXT NOT NULL,
      wallet TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL,
      revoked_at BIGINT,
      PRIMARY KEY (identity, token_hash),
      UNIQUE (identity, digest)
    )`,
    'CREATE INDEX session_expiry ON session (identity, expires_at)',
    // root is the hash of the first message. keep_until is when the sweep looks at the conversation next.
    `CREATE TABLE conversation (
      identity TEXT NOT NULL,
      root TEXT NOT NULL,
      negotiation_id TEXT NOT NULL,
      opener TEXT NOT NULL,
      other TEXT NOT NULL,
      head_sequence BIGINT NOT NULL,
      head_hash TEXT NOT NULL,
      is_answered BIGINT NOT NULL,
      last_at BIGINT NOT NULL,
      keep_until BIGINT NOT NULL,
      PRIMARY KEY (identity, root)
    )`,
    'CREATE INDEX conversation_negotiation ON conversation (identity, negotiation_id)',
    'CREATE INDEX conversation_unanswered ON conversation (identity, other) WHERE is_answered = 0',
    'CREATE INDEX conversation_expiry ON conversation (identity, keep_until)',
    // wire is the text as it was sent; null once the operator has removed it.
    `CREATE TABLE message (
      identity TEXT NOT NULL,
      hash TEXT NOT NULL,
      root TEXT NOT NULL,
      sequence BIGINT NOT NULL,
      sender TEXT NOT NULL,
      recipient TEXT NOT NULL,
      wire TEXT,
      bytes BIGINT NOT NULL,
      received_at BIGINT NOT NULL,
      block BIGINT NOT NULL,
      PRIMARY KEY (identity, hash),
      UNIQUE (identity, root, sequence)
    )`,
    'CREATE INDEX message_sender ON message (identity, sender, received_at)',
    `CREATE TABLE mailbox (
      identity TEXT NOT NULL,
      wallet TEXT NOT NULL,
      position BIGINT NOT NULL,
      hash TEXT NOT NULL,
      PRIMARY KEY (identity, wallet, position),
      UNIQUE (identity, hash, wallet)
    )`,
    // The last position of each mailbox. Raised in the transaction that adds the message, so that positions appear in order.
    `CREATE TABLE mailbox_head (
      identity TEXT NOT NULL,
      wallet TEXT NOT NULL,
      position BIGINT NOT NULL,
      PRIMARY KEY (identity, wallet)
    )`,
    `CREATE TABLE mailbox_block (
      identity TEXT NOT NULL,
      wallet TEXT NOT NULL,
      blocked TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      PRIMARY KEY (identity, wallet, blocked)
    )`,
  ],
};
