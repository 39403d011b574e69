// A small SQLite file that several processes share and that survives their sudden end.
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SvcError } from '@svc/sdk/domain';

export type SqliteFile = {
  readonly database: DatabaseSync;
  /** All or nothing; one process at a time. The work must not wait for anything. */
  readonly transaction: <Result>(work: () => Result) => Result;
  readonly close: () => void;
};

/** How long a transaction waits for another process's. */
const busyTimeoutMs = 10_000;

export function openSqliteFile(path: string, schema: string): SqliteFile {
  const file = attempt(path, () => {
    // What two parties tell each other is for this user's eyes.
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return new DatabaseSync(path, { timeout: busyTimeoutMs });
  });
  const transaction = <Result>(work: () => Result): Result =>
    attempt(path, () => {
      file.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        file.exec('COMMIT');
        return result;
      } catch (error) {
        // A full disk can end the transaction by itself; there is nothing left to roll back then.
        if (file.isTransaction) file.exec('ROLLBACK');
        throw error;
      }
    });
  // FULL makes each commit last through a power cut.
  attempt(path, () => file.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL'));
  transaction(() => file.exec(schema));
  return { database: file, transaction, close: () => file.close() };
}

function attempt<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof SvcError) throw error;
    throw new SvcError('FILE_UNUSABLE', { file: path, reason: (error as Error).message }, error);
  }
}
