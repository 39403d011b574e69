// Whether the database takes writes, tried for real: a full disk and a read-only server still answer reads.
import { sleep } from '@svc/sdk/internal/domain/backoff';
import type { Database } from './database.ts';

/** A probe in between gets the last result. */
const freshMs = 5_000;
/** A frozen database answers nothing; who asks for the health must not wait for it. */
const patienceMs = 2_000;

/** Resolves to null where it does, else to the reason. Several processes may try at once: they write the same row. */
export function createWriteProbe(database: Database): () => Promise<string | null> {
  let last: { readonly at: number; readonly result: Promise<string | null> } | null = null;

  async function tryWrite(): Promise<string | null> {
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
  }

  return () => {
    const now = performance.now();
    if (last === null || now - last.at > freshMs) last = { at: now, result: tryWrite() };
    return last.result;
  };
}
