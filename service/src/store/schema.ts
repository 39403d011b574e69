// The part `own`: everything that does not come from the chain. Tables are named in the plural; `deployment` and those of totals
// have one row each. A row may name a task that does not exist any more.
import type { Dialect } from './database.ts';
import { matchTables } from './matchTables.ts';
import { noticeTables, webhookTables } from './outgoingTables.ts';

/** One step of the schema. A step that has been released never changes. */
export type Migration = {
  readonly name: string;
  /** Statements that both databases understand; `{serial}` stands for the type of a growing primary key. */
  readonly statements: readonly string[];
  /** Statements that only one of them understands; they run after the others. */
  readonly dialects?: Readonly<Record<Dialect, readonly string[]>>;
};

/** What all processes on one database share. */
const shared = [
  // Whose rows all tables hold: those of one deployment.
  `CREATE TABLE deployment (id BIGINT PRIMARY KEY CHECK (id = 1), genesis_hash TEXT NOT NULL,
    standard_registry TEXT NOT NULL, micro_registry TEXT NOT NULL, edition TEXT NOT NULL)`,
  // The last good answers of chain reads that are not about tasks.
  `CREATE TABLE chain_answers (name TEXT PRIMARY KEY, value TEXT NOT NULL)`,
  // USD with eight decimals for one TOK, by the day since 1970, as the oracle had it.
  `CREATE TABLE prices (day BIGINT PRIMARY KEY, price TEXT NOT NULL)`,
  // The first number of each epoch (epoch.ts).
  'CREATE TABLE epochs (value BIGINT PRIMARY KEY)',
  // How far each follower of the changes has come (consume.ts).
  'CREATE TABLE cursors (name TEXT PRIMARY KEY, position BIGINT NOT NULL)',
  `CREATE TABLE leases (name TEXT PRIMARY KEY, holder TEXT NOT NULL, expires_at BIGINT NOT NULL)`,
];

const posting = [
  // seen_block is null until the chain shows the transaction.
  `CREATE TABLE pending_posts (
    market TEXT NOT NULL,
    address TEXT NOT NULL,
    task_number BIGINT NOT NULL,
    tx_hash TEXT NOT NULL,
    expires_at BIGINT NOT NULL,
    seen_block BIGINT,
    PRIMARY KEY (market, address, task_number, tx_hash)
  )`,
  `CREATE INDEX pending_posts_expiry ON pending_posts (expires_at)`,
  // Recorded posts that nothing proves yet: they count for the caller that recorded them.
  `CREATE TABLE unproven_posts (
    market TEXT NOT NULL,
    address TEXT NOT NULL,
    task_number BIGINT NOT NULL,
    tx_hash TEXT NOT NULL,
    caller TEXT NOT NULL,
    expires_at BIGINT NOT NULL,
    seen_block BIGINT,
    PRIMARY KEY (market, address, task_number, tx_hash, caller)
  )`,
  `CREATE INDEX unproven_posts_expiry ON unproven_posts (expires_at)`,
  `CREATE INDEX unproven_posts_caller ON unproven_posts (caller, expires_at)`,
  `CREATE TABLE used_payments (
    tx_hash TEXT NOT NULL,
    log_index BIGINT NOT NULL,
    market TEXT NOT NULL,
    payer TEXT NOT NULL,
    tier TEXT NOT NULL,
    pay_with TEXT NOT NULL,
    daily_limit BIGINT NOT NULL,
    period_days BIGINT NOT NULL,
    block_number BIGINT NOT NULL,
    block_time BIGINT NOT NULL,
    PRIMARY KEY (tx_hash, log_index)
  )`,
  `CREATE INDEX used_payments_payer ON used_payments (market, payer)`,
  `CREATE INDEX used_payments_block ON used_payments (block_number)`,
];

const gateway = [
  // request is the body as it was sent; transaction_hashes is a JSON list.
  `CREATE TABLE wallet_requests (
    id TEXT NOT NULL,
    status TEXT NOT NULL,
    request TEXT NOT NULL,
    transaction_hashes TEXT NOT NULL,
    signature TEXT,
    error TEXT,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    bytes BIGINT NOT NULL,
    same_as TEXT,
    PRIMARY KEY (id)
  )`,
  // Of the requests that have the same same_as, one is open.
  `CREATE UNIQUE INDEX wallet_requests_same ON wallet_requests (same_as)
    WHERE same_as IS NOT NULL AND status IN ('pending', 'submitted')`,
  `CREATE INDEX wallet_requests_unfinished ON wallet_requests (status, expires_at)
    WHERE status IN ('pending', 'submitted')`,
  // A receipt is a signed document; only its use has to be remembered.
  `CREATE TABLE used_receipts (nonce TEXT PRIMARY KEY, used_at BIGINT NOT NULL)`,
  'CREATE INDEX used_receipts_age ON used_receipts (used_at)',
  // Payments with a valid signature, from before they reach the chain: state is settling, settled or answered. holder is the
  // request that works on it until held_until. open_asks counts unanswered requests to a remote facilitator. answer is the
  // body that the payer got, kept for one that got lost.
  `CREATE TABLE payments (
    payer TEXT NOT NULL,
    nonce TEXT NOT NULL,
    purpose TEXT NOT NULL,
    signature TEXT NOT NULL,
    state TEXT NOT NULL,
    tx_hash TEXT,
    since_block BIGINT NOT NULL,
    held_until BIGINT NOT NULL,
    holder TEXT NOT NULL,
    open_asks BIGINT NOT NULL DEFAULT 0,
    answer TEXT,
    amount TEXT,
    pay_to TEXT,
    valid_before BIGINT,
    created_at BIGINT,
    paid_nonce TEXT,
    refund_from TEXT,
    refund_hash TEXT,
    paper TEXT,
    PRIMARY KEY (payer, nonce)
  )`,
  `CREATE INDEX payments_open ON payments (state, payer) WHERE state IN ('settling', 'settled', 'refunding')`,
  `CREATE INDEX payments_answered ON payments (created_at) WHERE state = 'answered'`,
  // Names that payers give their payments: each stands for one authorization.
  `CREATE TABLE payment_names (payer TEXT NOT NULL, name TEXT NOT NULL, nonce TEXT NOT NULL,
    PRIMARY KEY (payer, name))`,
  // Transactions of our own facilitator, by the hash of what was signed.
  `CREATE TABLE payment_transactions (
    payer TEXT NOT NULL,
    nonce TEXT NOT NULL,
    tx_hash TEXT NOT NULL,
    PRIMARY KEY (payer, nonce, tx_hash)
  )`,
  // Random values that only the gateways of this database share.
  `CREATE TABLE gateway_secrets (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL)`,
];

/** Sessions of wallets, and the mailboxes of the relay. */
const relay = [
  // A token is kept as its SHA-256. A revoked row stays, since its digest must not work again.
  `CREATE TABLE sessions (
    token_hash TEXT NOT NULL,
    digest TEXT NOT NULL,
    wallet TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    revoked_at BIGINT,
    PRIMARY KEY (token_hash),
    UNIQUE (digest)
  )`,
  'CREATE INDEX sessions_expiry ON sessions (expires_at)',
  // root is the hash of the first message. keep_until is when the sweep looks at the conversation next. is_known: the two
  // share a task. is_answered: the other party has written, and did not only decline. about: the listing or task that was named
  // first. title and settlement_digest are those of the newest offer.
  `CREATE TABLE conversations (
    root TEXT NOT NULL,
    negotiation_id TEXT NOT NULL,
    opener TEXT NOT NULL,
    other TEXT NOT NULL,
    head_sequence BIGINT NOT NULL,
    head_hash TEXT NOT NULL,
    is_answered BIGINT NOT NULL,
    is_known BIGINT NOT NULL,
    about TEXT,
    title TEXT,
    settlement_digest TEXT,
    opened_at BIGINT NOT NULL,
    last_at BIGINT NOT NULL,
    keep_until BIGINT NOT NULL,
    PRIMARY KEY (root)
  )`,
  'CREATE INDEX conversations_negotiation ON conversations (negotiation_id)',
  `CREATE INDEX conversations_unknown ON conversations (other, opened_at) WHERE is_answered = 0 AND is_known = 0`,
  'CREATE INDEX conversations_opener ON conversations (opener, opened_at)',
  'CREATE INDEX conversations_by_opener ON conversations (opener, last_at, root)',
  'CREATE INDEX conversations_by_other ON conversations (other, last_at, root)',
  'CREATE INDEX conversations_expiry ON conversations (keep_until)',
  // wire is the text as it was sent; null once the operator has removed it. is_terms: it may change what is offered, signed or
  // vetoed. is_dispute: it counts on the allowance of a dispute.
  `CREATE TABLE messages (
    hash TEXT NOT NULL,
    root TEXT NOT NULL,
    sequence BIGINT NOT NULL,
    sender TEXT NOT NULL,
    recipient TEXT NOT NULL,
    wire TEXT,
    bytes BIGINT NOT NULL,
    is_terms BIGINT NOT NULL DEFAULT 0,
    is_dispute BIGINT NOT NULL,
    received_at BIGINT NOT NULL,
    block BIGINT NOT NULL,
    PRIMARY KEY (hash),
    UNIQUE (root, sequence)
  )`,
  'CREATE INDEX messages_sender ON messages (sender, received_at)',
  // The last position of each mailbox. Raised in the transaction that adds the message, so that positions appear in order.
  `CREATE TABLE mailboxes (wallet TEXT NOT NULL, position BIGINT NOT NULL,
    PRIMARY KEY (wallet))`,
  `CREATE TABLE mailbox_entries (
    wallet TEXT NOT NULL, position BIGINT NOT NULL, hash TEXT NOT NULL,
    PRIMARY KEY (wallet, position),
    UNIQUE (hash, wallet)
  )`,
  // The digests of all offers of a conversation: a task with one of them came out of it.
  'CREATE TABLE offers (root TEXT NOT NULL, digest TEXT NOT NULL, PRIMARY KEY (root, digest))',
  // What a wallet has read of a conversation, by sequence; its own messages count as read. muted_at is null unless it is muted.
  `CREATE TABLE conversation_marks (
    wallet TEXT NOT NULL, root TEXT NOT NULL, read_sequence BIGINT NOT NULL, muted_at BIGINT,
    PRIMARY KEY (wallet, root)
  )`,
  `CREATE TABLE blocked_wallets (
    wallet TEXT NOT NULL, blocked TEXT NOT NULL, created_at BIGINT NOT NULL,
    PRIMARY KEY (wallet, blocked)
  )`,
];

/** Files that parties upload: the file store has their bytes, these tables who uses which, and what is withheld. */
const files = [
  // state is arriving until the bytes are in the store, then stored, and removing while they are deleted.
  `CREATE TABLE files (
    sha256 TEXT PRIMARY KEY,
    bytes BIGINT NOT NULL,
    state TEXT NOT NULL,
    since BIGINT NOT NULL
  )`,
  `CREATE INDEX files_unfinished ON files (since) WHERE state <> 'stored'`,
  // subject is a task, the root of a conversation, or empty for a draft. At due_at the sweep looks at the use again.
  `CREATE TABLE file_uses (
    wallet TEXT NOT NULL,
    subject TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    bytes BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    PRIMARY KEY (wallet, subject, sha256)
  )`,
  `CREATE INDEX file_uses_file ON file_uses (sha256)`,
  `CREATE INDEX file_uses_due ON file_uses (due_at)`,
  // A change of the files locks this row, so that two uploads cannot use the same space.
  `CREATE TABLE file_total (id BIGINT PRIMARY KEY CHECK (id = 1), bytes BIGINT NOT NULL)`,
  `INSERT INTO file_total (id, bytes) VALUES (1, 0)`,
  // What the operator took down: kind is file (SHA-256) or document (keccak-256).
  `CREATE TABLE withheld_hashes (
    kind TEXT NOT NULL,
    hash TEXT NOT NULL,
    reason TEXT NOT NULL,
    since BIGINT NOT NULL,
    PRIMARY KEY (kind, hash)
  )`,
  // Grows with every change of withheld_hashes, as `versions` does with those of tasks.
  'CREATE TABLE withheld_version (id BIGINT PRIMARY KEY CHECK (id = 1), version BIGINT NOT NULL)',
  'INSERT INTO withheld_version (id, version) VALUES (1, 0)',
];

export const ownSchema: Migration = {
  name: 'svc 0.1, own part',
  statements: [
    ...shared,
    ...posting,
    ...gateway,
    ...relay,
    ...files,
    ...webhookTables,
    ...noticeTables,
    ...matchTables,
  ],
};
