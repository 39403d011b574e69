// Whether the database answers reads and takes writes, tried for real: a full disk and a read-only server still answer reads.
import { sleep } from '@svc/sdk/internal/domain/backoff';
import type { Database } from './database.ts';
import { keepFor } from './keepFor.ts';

/** A probe in between gets the last result. */
const freshMs = 5_000;
/** A frozen database answers nothing; who asks for the health must not wait for it. */
const patienceMs = 2_000;

/** Whether a read comes back: without it every answer that is not kept fails. */
export function createReadProbe(database: Database): () => Promise<boolean> {
  return keepFor(freshMs, async () => {
    const read = database.query('SELECT id FROM migrations LIMIT 1').then(
      () => true,
      () => false,
    );
    return Promise.race([read, sleep(patienceMs).then(() => false)]);
  });
}

/** Resolves to null where it does, else to the reason. Several processes may try at once: they write the same row. */
export function createWriteProbe(database: Database): () => Promise<string | null> {
  return keepFor(freshMs, async () => {
    const write = database
      .write(
        `INSERT INTO leases (name, holder, expires_at) VALUES ('write probe', '', 0)
         ON CONFLICT (name) DO UPDATE SET expires_at = 0`,
      )
      .then(
        () => null,
        (error: Error) => error.message,
      );
    const silence = sleep(patienceMs).then(() => 'The database does not answer a write.');
    return Promise.race([write, silence]);
  });
}
