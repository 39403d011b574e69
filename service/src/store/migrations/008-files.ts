// Files that parties upload: their bytes lie in the file store, here stand who uses which, and what is withheld.
import type { Migration } from '../migration.ts';

export const files: Migration = {
  id: 8,
  name: 'files',
  statements: [
    // state is arriving until the bytes are in the store, then stored, and removing while they are deleted.
    `CREATE TABLE file (
      sha256 TEXT PRIMARY KEY,
      bytes BIGINT NOT NULL,
      state TEXT NOT NULL,
      since BIGINT NOT NULL
    )`,
    `CREATE INDEX file_unfinished ON file (since) WHERE state <> 'stored'`,
    // subject is a task, the root of a conversation, or empty for a draft. At due_at the sweep looks at the use again.
    `CREATE TABLE file_use (
      identity TEXT NOT NULL,
      wallet TEXT NOT NULL,
      subject TEXT NOT NULL,
      sha256 TEXT NOT NULL,
      bytes BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      due_at BIGINT NOT NULL,
      PRIMARY KEY (identity, wallet, subject, sha256)
    )`,
    `CREATE INDEX file_use_file ON file_use (sha256)`,
    `CREATE INDEX file_use_due ON file_use (due_at)`,
    // One row. A change of the files locks it, so that two uploads cannot use the same space.
    `CREATE TABLE file_total (id BIGINT PRIMARY KEY CHECK (id = 1), bytes BIGINT NOT NULL)`,
    `INSERT INTO file_total (id, bytes) VALUES (1, 0)`,
    // What the operator took down: kind is file (SHA-256) or document (keccak-256).
    `CREATE TABLE withheld (
      kind TEXT NOT NULL,
      hash TEXT NOT NULL,
      reason TEXT NOT NULL,
      since BIGINT NOT NULL,
      PRIMARY KEY (kind, hash)
    )`,
  ],
};
