// The part `chain`: what comes from the chain. The indexer alone writes it.
//
// Nothing is shown before the first reading is whole, so that readers never see a half-read market.
import { collateralTables } from './collateral.ts';
import { indexDigests } from './conversationList.ts';
import type { Dialect } from './database.ts';
import { listLedgerStatements } from './ledgerRows.ts';
import type { Migration } from './schema.ts';
import { indexArbitrators } from './standing.ts';

const open = `state = 'POSTED' AND scope = 'open'`;

const tables = [
  // Where the events end; course says how far it is until the first reading is whole.
  `CREATE TABLE chain (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    is_whole BIGINT NOT NULL,
    start_block BIGINT,
    head_number BIGINT,
    head_hash TEXT,
    head_time BIGINT,
    seen_at BIGINT,
    course TEXT
  )`,
  // task is what the contracts return, facts what only logs and documents hold; the other columns are for lists and
  // filters. total_key is an amount as text that sorts like the number (taskRow.ts).
  `CREATE TABLE tasks (
    market TEXT NOT NULL,
    number BIGINT NOT NULL,
    state TEXT NOT NULL,
    scope TEXT NOT NULL,
    poster TEXT NOT NULL,
    worker TEXT,
    deadline BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    total_key TEXT NOT NULL,
    fully_funded BIGINT NOT NULL,
    task TEXT NOT NULL,
    facts TEXT NOT NULL,
    PRIMARY KEY (market, number)
  )`,
  `CREATE INDEX tasks_open_deadline ON tasks (market, deadline) WHERE ${open}`,
  `CREATE INDEX tasks_public ON tasks (market, number) WHERE scope = 'open'`,
  `CREATE INDEX tasks_live ON tasks (market, number)
    WHERE state IN ('POSTED', 'CLAIMED', 'ACTIVE', 'DELIVERED', 'DISPUTED')`,
  // Of two indexes that fit equally well SQLite might take that of all public tasks, and pass over those that have ended.
  `CREATE INDEX tasks_claimable ON tasks (market, state, number)
    WHERE state = 'POSTED' AND scope = 'open'`,
  `CREATE INDEX tasks_posted ON tasks (market, poster, created_at)`,
  // One for each order of a filtered list. They hold all that filters look at, so that no row is read that does not match.
  `CREATE INDEX tasks_by_number ON tasks (market, number, state, total_key, deadline, fully_funded, poster)
    WHERE scope = 'open'`,
  `CREATE INDEX tasks_by_total ON tasks (market, total_key, number, state, deadline, fully_funded)
    WHERE scope = 'open'`,
  `CREATE INDEX tasks_by_deadline ON tasks (market, deadline, number, state, total_key, fully_funded)
    WHERE scope = 'open'`,
  `CREATE INDEX tasks_open_by_total ON tasks (market, total_key, number, deadline, fully_funded)
    WHERE ${open}`,
  `CREATE INDEX tasks_by_funding ON tasks (market, fully_funded, number, state, total_key, deadline, poster)
    WHERE scope = 'open'`,
  // Whom each task concerns, and from when until when it is whose turn (service/src/contract/concernRows.ts).
  `CREATE TABLE concerns (
    market TEXT NOT NULL, number BIGINT NOT NULL, wallet TEXT NOT NULL,
    starts BIGINT NOT NULL, ends BIGINT NOT NULL, part BIGINT NOT NULL, due BIGINT NOT NULL, roles BIGINT NOT NULL,
    PRIMARY KEY (market, number, wallet, starts)
  )`,
  `CREATE INDEX concerns_wallet ON concerns
    (wallet, market, part, due, number, starts, ends, roles)`,
  // A wallet that posts much may judge a little.
  `CREATE INDEX concerns_others ON concerns
    (wallet, market, part, due, number, starts, ends, roles) WHERE roles >= 4`,
  `CREATE TABLE events (
    block_number BIGINT NOT NULL,
    log_index BIGINT NOT NULL,
    block_hash TEXT NOT NULL,
    block_time BIGINT NOT NULL,
    tx_hash TEXT NOT NULL,
    market TEXT NOT NULL,
    contract TEXT NOT NULL,
    address TEXT NOT NULL,
    name TEXT NOT NULL,
    task_number BIGINT,
    args TEXT NOT NULL,
    PRIMARY KEY (block_number, log_index)
  )`,
  `CREATE INDEX events_task ON events (market, task_number, block_number, log_index)
    WHERE task_number IS NOT NULL`,
  `CREATE INDEX events_name ON events (market, contract, name, block_number)`,
  // TOK that events move for a wallet; an amount is units × 10^13 + rest (moves.ts).
  `CREATE TABLE moves (
    block_number BIGINT NOT NULL, log_index BIGINT NOT NULL, block_time BIGINT NOT NULL,
    market TEXT NOT NULL, task_number BIGINT NOT NULL, account TEXT NOT NULL, kind TEXT NOT NULL,
    units BIGINT NOT NULL, rest BIGINT NOT NULL,
    PRIMARY KEY (block_number, log_index)
  )`,
  `CREATE INDEX moves_account ON moves (market, account, block_number, log_index)`,
  // What a wallet moved, by task, and on each day.
  `CREATE INDEX moves_task ON moves (market, account, task_number, kind, units, rest)`,
  `CREATE INDEX moves_earned ON moves (market, account, task_number, units, rest) WHERE kind = 'earned'`,
  `CREATE INDEX moves_day ON moves
    (market, account, block_time, kind, units, rest, block_number, log_index)`,
  // Payments for plans. daily_limit and period_days are what the payment bought: the plan may change later.
  `CREATE TABLE purchases (
    block_number BIGINT NOT NULL,
    log_index BIGINT NOT NULL,
    block_time BIGINT NOT NULL,
    tx_hash TEXT NOT NULL,
    market TEXT NOT NULL,
    payer TEXT NOT NULL,
    tier TEXT NOT NULL,
    pay_with TEXT NOT NULL,
    daily_limit BIGINT NOT NULL,
    period_days BIGINT NOT NULL,
    PRIMARY KEY (block_number, log_index)
  )`,
  `CREATE INDEX purchases_payer ON purchases (market, payer)`,
  `CREATE TABLE blocks (number BIGINT NOT NULL, hash TEXT NOT NULL,
    PRIMARY KEY (number))`,
  // Tasks that differ from what was shown before an absence; published as changes once all is read.
  `CREATE TABLE differences (market TEXT NOT NULL, number BIGINT NOT NULL,
    PRIMARY KEY (market, number))`,
  // The source of server-sent events; seq is their id, so it never decreases. wallets are those
  // that the task concerns, separated by spaces.
  `CREATE TABLE changes (
    seq {serial},
    market TEXT NOT NULL,
    task_number BIGINT NOT NULL,
    block_number BIGINT NOT NULL,
    state TEXT NOT NULL,
    wallets TEXT NOT NULL,
    scope TEXT NOT NULL
  )`,
  `CREATE INDEX changes_block ON changes (market, block_number, task_number)`,
  // Rows that were shown at the blocks from `above` up to `up_to` were replaced after the change `seq`.
  'CREATE TABLE replaced (seq BIGINT NOT NULL, above BIGINT NOT NULL, up_to BIGINT NOT NULL)',
  // Grows with every write that changes an answer about that market; caches are keyed by it.
  `CREATE TABLE versions (market TEXT PRIMARY KEY, version BIGINT NOT NULL)`,
  ...collateralTables,
];

/** The words by which tasks are found (taskWords.ts). */
const search: Readonly<Record<Dialect, readonly string[]>> = {
  // The rowid is made of market and number. The words are in one spelling already, so every byte above ASCII
  // counts as a letter.
  sqlite: [
    `CREATE VIRTUAL TABLE task_words USING fts5(words, content='', contentless_delete=1, detail=none,
      tokenize='ascii')`,
  ],
  postgres: [
    `CREATE TABLE task_words (
      market TEXT NOT NULL,
      number BIGINT NOT NULL,
      words TEXT NOT NULL,
      lexemes TSVECTOR GENERATED ALWAYS AS (array_to_tsvector(string_to_array(words, ' '))) STORED,
      PRIMARY KEY (market, number)
    )`,
    'CREATE INDEX task_words_lexemes ON task_words USING gin (lexemes)',
  ],
};

const listOwn = (dialect: Dialect) => [
  ...search[dialect],
  ...listLedgerStatements(dialect),
  indexDigests(dialect),
  indexArbitrators(dialect),
];

export const chainSchema: Migration = {
  name: 'svc 0.1, chain part, one reading',
  statements: tables,
  dialects: { sqlite: listOwn('sqlite'), postgres: listOwn('postgres') },
};
