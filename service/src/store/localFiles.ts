// Files in the data folder that several processes share: private files, small SQLite databases, and locks. The locks are
// SQLite's own, not those of a package such as proper-lockfile: the system releases them when a process dies.

import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { SvcError } from '@svc/sdk/domain';
import { pollUntil } from '@svc/sdk/internal/domain/backoff';
import { OperatorError } from '../errors/operatorError.ts';

/** A path for data that lives as long as the process. */
export const inMemory = ':memory:';

/**
 * Creates an empty file that only its owner may read. An existing file is not opened: closing it again would release the
 * locks that this process holds on it.
 */
export function createPrivateFile(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    closeSync(openSync(path, 'ax', 0o600));
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'it cannot be created';
    if (reason === 'EEXIST') return;
    throw new OperatorError('FILE_UNUSABLE', { file: path, reason }, error);
  }
}

/** How long a transaction waits for that of another process. */
const busyTimeoutMs = 10_000;

/**
 * A private database that is created with the first write. Until then, reading it finds nothing. Every commit survives a
 * crash of the process or the machine.
 */
export function createSqliteFile(path: string, schema: string) {
  let database: DatabaseSync | undefined;

  function open(): DatabaseSync {
    if (database !== undefined) return database;
    if (path !== inMemory) createPrivateFile(path);
    const opened = attempt(path, () => new DatabaseSync(path, { timeout: busyTimeoutMs }));
    attempt(path, () => {
      opened.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
      opened.exec(`BEGIN IMMEDIATE; ${schema}; COMMIT`);
    });
    database = opened;
    return opened;
  }

  /** All or nothing, one process at a time. The work must be synchronous. */
  const transaction = <Result>(work: () => Result): Result => {
    const file = open();
    return attempt(path, () => {
      file.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        file.exec('COMMIT');
        return result;
      } catch (error) {
        // A full disk may have ended the transaction already.
        if (file.isTransaction) file.exec('ROLLBACK');
        throw error;
      }
    });
  };

  return {
    transaction,
    all: (sql: string, ...values: SQLInputValue[]) => {
      const isThere = database !== undefined || existsSync(path);
      return isThere
        ? open()
            .prepare(sql)
            .all(...values)
        : [];
    },
    /** Returns how many rows were changed. */
    run: (sql: string, ...values: SQLInputValue[]): number =>
      Number(
        open()
          .prepare(sql)
          .run(...values).changes,
      ),
    close: (): void => {
      database?.close();
      database = undefined;
    },
  };
}

function attempt<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof SvcError) throw error;
    throw new OperatorError('FILE_UNUSABLE', { file: path, reason: (error as Error).message }, error);
  }
}

const sqliteBusy = 5;
const lockPollMs = 50;

/**
 * Runs the work while holding the lock, which one caller in all processes can hold. Returns undefined where somebody else
 * still holds it after `waitMs`. A lock in memory is always free.
 */
export async function withLock<Result>(
  path: string,
  waitMs: number,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  if (path !== inMemory) createPrivateFile(path);
  const release = await pollUntil(() => tryLock(path), { everyMs: lockPollMs, timeoutMs: waitMs });
  if (release === undefined) return undefined;
  try {
    return await work();
  } finally {
    release();
  }
}

function tryLock(path: string): (() => void) | undefined {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(path, { timeout: 0 });
    lock.exec('BEGIN EXCLUSIVE');
    return () => lock?.close();
  } catch (error) {
    lock?.close();
    if ((error as { errcode?: number }).errcode === sqliteBusy) return undefined;
    // Only wallets use locks, and for them this code means that nothing was sent.
    throw new OperatorError('WALLET_REFUSED', { reason: 'its lock file cannot be used' }, error);
  }
}
