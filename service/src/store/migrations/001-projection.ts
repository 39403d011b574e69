// What the follower writes: the chain it follows, tasks, events, changes and recent block hashes.
//
// A generation is one complete reading of the chain. Its rows are written beside those of the one before and shown by
// one update, so that readers never see a half-read market, and never one of another chain.
import type { Migration } from '../migration.ts';

export const projection: Migration = {
  id: 1,
  name: 'projection',
  statements: [
    // One row: the chain whose rows the other tables hold, the newest generation, and the one that is shown.
    `CREATE TABLE chain (
      id BIGINT PRIMARY KEY CHECK (id = 1),
      identity TEXT NOT NULL,
      generation BIGINT NOT NULL,
      shown BIGINT,
      start_block BIGINT,
      head_number BIGINT,
      head_hash TEXT,
      head_time BIGINT,
      seen_at BIGINT,
      history_floor BIGINT,
      history_hash TEXT
    )`,
    // record and open_record are the ready JSON of the API, made when the row was written.
    `CREATE TABLE tasks (
      generation BIGINT NOT NULL,
      market TEXT NOT NULL,
      number BIGINT NOT NULL,
      state TEXT NOT NULL,
      scope TEXT NOT NULL,
      poster TEXT NOT NULL,
      worker TEXT,
      deadline BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      task TEXT NOT NULL,
      record TEXT NOT NULL,
      open_record TEXT NOT NULL,
      PRIMARY KEY (generation, market, number)
    )`,
    `CREATE INDEX tasks_open ON tasks (generation, market, number) WHERE state = 'POSTED' AND scope = 'open'`,
    `CREATE INDEX tasks_open_deadline ON tasks (generation, market, deadline)
      WHERE state = 'POSTED' AND scope = 'open'`,
    `CREATE INDEX tasks_public ON tasks (generation, market, number) WHERE scope = 'open'`,
    `CREATE INDEX tasks_live ON tasks (generation, market, number)
      WHERE state IN ('POSTED', 'CLAIMED', 'ACTIVE', 'DELIVERED', 'DISPUTED')`,
    `CREATE INDEX tasks_poster ON tasks (generation, market, poster, number)`,
    `CREATE INDEX tasks_worker ON tasks (generation, market, worker, number) WHERE worker IS NOT NULL`,
    `CREATE TABLE events (
      generation BIGINT NOT NULL,
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
      PRIMARY KEY (generation, block_number, log_index)
    )`,
    `CREATE INDEX events_task ON events (generation, market, task_number, block_number, log_index)
      WHERE task_number IS NOT NULL`,
    `CREATE INDEX events_name ON events (generation, market, contract, name, block_number)`,
    // What each worker got: a task that was listed again may have paid several.
    `CREATE TABLE payouts (
      generation BIGINT NOT NULL,
      block_number BIGINT NOT NULL,
      log_index BIGINT NOT NULL,
      market TEXT NOT NULL,
      task_number BIGINT NOT NULL,
      account TEXT NOT NULL,
      amount TEXT NOT NULL,
      PRIMARY KEY (generation, block_number, log_index)
    )`,
    `CREATE INDEX payouts_account ON payouts (generation, market, account)`,
    `CREATE TABLE blocks (
      generation BIGINT NOT NULL,
      number BIGINT NOT NULL,
      hash TEXT NOT NULL,
      PRIMARY KEY (generation, number)
    )`,
    // Tasks that differ from the previous generation; published as changes once the new one is complete.
    `CREATE TABLE differences (
      generation BIGINT NOT NULL,
      market TEXT NOT NULL,
      number BIGINT NOT NULL,
      PRIMARY KEY (generation, market, number)
    )`,
    // The source of server-sent events; seq is their id, so it never decreases, not even for another chain.
    `CREATE TABLE changes (
      seq {serial},
      market TEXT NOT NULL,
      task_number BIGINT NOT NULL,
      block_number BIGINT NOT NULL,
      state TEXT NOT NULL,
      poster TEXT NOT NULL,
      worker TEXT,
      scope TEXT NOT NULL
    )`,
    // Grows with every write that changes an answer of that market; caches are keyed by it.
    `CREATE TABLE versions (market TEXT PRIMARY KEY, version BIGINT NOT NULL)`,
    // The last good answers of chain reads that are not about tasks.
    `CREATE TABLE facts (identity TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
      PRIMARY KEY (identity, name))`,
    `CREATE TABLE leases (name TEXT PRIMARY KEY, holder TEXT NOT NULL, expires_at BIGINT NOT NULL)`,
  ],
};
