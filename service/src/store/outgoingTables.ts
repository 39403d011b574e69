// The tables of what is sent to others: the operator's webhooks; and notifications, with where a wallet can be reached, and what it is told.

export const webhookTables: readonly string[] = [
  `CREATE TABLE webhooks (
    id TEXT NOT NULL PRIMARY KEY,
    url TEXT NOT NULL,
    secret TEXT NOT NULL,
    task_id TEXT,
    wallet TEXT,
    kind TEXT,
    failures BIGINT NOT NULL,
    next_try BIGINT NOT NULL,
    created_at BIGINT NOT NULL
  )`,
];

export const noticeTables: readonly string[] = [
  // Hours without notices, in minutes after midnight of the time zone; and the last message of the mailbox that was read here.
  `CREATE TABLE notice_wallets (
    wallet TEXT NOT NULL,
    mail_position BIGINT NOT NULL,
    quiet_from BIGINT,
    quiet_to BIGINT,
    time_zone TEXT NOT NULL,
    PRIMARY KEY (wallet)
  )`,
  // address is encrypted, address_hash keyed: a copy of the database names nobody. state is unconfirmed, confirmed or failed.
  // Events up to since_block are not told.
  `CREATE TABLE notice_channels (
    id TEXT NOT NULL PRIMARY KEY,
    wallet TEXT NOT NULL,
    kind TEXT NOT NULL,
    address TEXT NOT NULL,
    address_hash TEXT NOT NULL,
    state TEXT NOT NULL,
    since_block BIGINT NOT NULL,
    failures BIGINT NOT NULL,
    next_try BIGINT NOT NULL,
    error TEXT,
    sent_at BIGINT,
    created_at BIGINT NOT NULL,
    UNIQUE (wallet, address_hash)
  )`,
  // One for each channel, task, episode and kind. state is waiting, sent, dropped (it no longer held) or known (not to be
  // told). A row with a block waits until the chain calls that block safe. Times are those of the chain.
  `CREATE TABLE notices (
    id {serial},
    channel_id TEXT NOT NULL,
    wallet TEXT NOT NULL,
    market TEXT NOT NULL,
    number BIGINT NOT NULL,
    episode TEXT NOT NULL,
    kind TEXT NOT NULL,
    state TEXT NOT NULL,
    send_at BIGINT NOT NULL,
    until BIGINT,
    block BIGINT,
    unanswered BIGINT NOT NULL DEFAULT 0,
    updated_at BIGINT NOT NULL,
    UNIQUE (channel_id, market, number, episode, kind)
  )`,
  `CREATE INDEX notices_due ON notices (channel_id, send_at) WHERE state = 'waiting'`,
  `CREATE INDEX notices_task ON notices (market, number) WHERE state = 'waiting'`,
  'CREATE INDEX notices_age ON notices (updated_at)',
  // query is that of a list of open tasks. Tasks up to seen were looked at; the searches of a wallet are looked at together.
  `CREATE TABLE saved_searches (
    id TEXT NOT NULL PRIMARY KEY,
    wallet TEXT NOT NULL,
    market TEXT NOT NULL,
    query TEXT NOT NULL,
    seen BIGINT NOT NULL,
    next_look BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    UNIQUE (wallet, query)
  )`,
  'CREATE INDEX saved_searches_due ON saved_searches (next_look)',
  // One row for each confirmation that was asked for; address_hash is empty once the address is confirmed.
  `CREATE TABLE contact_requests (
    wallet TEXT NOT NULL,
    kind TEXT NOT NULL,
    address_hash TEXT NOT NULL,
    requested_at BIGINT NOT NULL
  )`,
  'CREATE INDEX contact_requests_address ON contact_requests (address_hash, requested_at)',
  'CREATE INDEX contact_requests_wallet ON contact_requests (wallet, requested_at)',
  // Addresses whose owners want no mail from here, for any wallet.
  'CREATE TABLE refused_contacts (address_hash TEXT NOT NULL PRIMARY KEY, since BIGINT NOT NULL)',
];
