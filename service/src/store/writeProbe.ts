// Whether the database answers reads and takes writes, tried for real: a full disk and a read-only server still answer reads.
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SvcError } from '@svc/sdk/domain';
import { within } from '@svc/sdk/internal/domain/backoff';
import type { Database } from './database.ts';
import { keepFor } from './keepFor.ts';
import { queryValue } from './rows.ts';

/** A probe in between gets the last result. */
const writeFreshMs = 5_000;
const readFreshMs = 1_000;
/** A frozen database never answers, and a health check must not wait for it. */
const patienceMs = 2_000;
/** Less free space than this counts as none: the next rows would not fit. */
const leastFreeBytes = 1024 * 1024;

/** Whether a read of tasks comes back: without it every answer that is not kept fails. */
export function createReadProbe(database: Database): () => Promise<boolean> {
  const read = () => database.query('SELECT number FROM tasks LIMIT 1');
  return keepFor(readFreshMs, () =>
    soon(read()).then(
      () => true,
      () => false,
    ),
  );
}

/** Resolves to null where it does, else to the reason. Several processes may try at once: they write the same row. */
export function createWriteProbe(database: Database): () => Promise<string | null> {
  return keepFor(writeFreshMs, () =>
    soon(tryWrite(database)).then(
      () => null,
      (error: Error) => error.message,
    ),
  );
}

function soon<T>(work: Promise<T>): Promise<T> {
  return within(patienceMs, work, () => new Error('The database does not answer a write.'));
}

async function tryWrite(database: Database): Promise<void> {
  await database.write(
    `INSERT INTO leases (name, holder, expires_at) VALUES ('write probe', '', 0)
     ON CONFLICT (name) DO UPDATE SET expires_at = 0`,
  );
  // PostgreSQL appends each change to its log, so this needs room on its disk.
  if (database.dialect === 'sqlite') await requireRoom(database);
}

/** SQLite writes a row in its old place, and into room that deleted rows left, as long as there is some. */
async function requireRoom(database: Database): Promise<void> {
  const main = `SELECT file FROM pragma_database_list WHERE name = 'main'`;
  const { bavail, bsize } = await statfs(dirname((await queryValue<string>(database.query, main)) ?? ''));
  if (bavail * bsize < leastFreeBytes)
    throw new SvcError('STORE_NOT_WRITABLE', { reason: 'its disk is full' });
}
