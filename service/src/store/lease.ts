// A lease: of all processes on one database, one holds it; when it dies, another takes over within seconds.
import { randomUUID } from 'node:crypto';
import type { Database } from './database.ts';
import { clockMs } from './databaseClock.ts';
import { removeRows, returnsRow } from './rows.ts';
import { raw, sql } from './sql.ts';

export type LeaseOptions = {
  readonly name: string;
  /** Unique per process; default a random one. */
  readonly holder?: string;
  readonly milliseconds: number;
};

export function createLease(database: Database, { name, milliseconds, holder = randomUUID() }: LeaseOptions) {
  const now = clockMs(database.dialect);

  let seen = { mark: '', since: 0 };
  /**
   * Whether nobody has extended the lease for longer than any holder would wait, by this process's own timer. That happens
   * only if the clock was set back after the holder died: the lease would last until the clock has caught up.
   */
  function isForsaken(mark: string): boolean {
    const now = performance.now();
    if (seen.mark !== mark) seen = { mark, since: now };
    return now - seen.since > 2 * milliseconds;
  }

  return {
    /** How long it lasts without being extended. */
    milliseconds,

    /** Takes or extends the lease; returns whether this process holds it now. */
    async hold(): Promise<boolean> {
      // Read first: processes that wait for the lease must not block the one that writes.
      const [current] = await database.query<{ holder: string; expiresAt: number; isTaken: number }>(
        sql`SELECT holder, expires_at,
           CASE WHEN holder <> ${holder} AND expires_at >= ${raw(now)} THEN 1 ELSE 0 END AS is_taken
         FROM leases WHERE name = ${name}`,
      );
      const isTaken = current?.isTaken === 1;
      if (isTaken && !isForsaken(`${current.holder} ${current.expiresAt}`)) return false;
      return returnsRow(
        database.write,
        sql`INSERT INTO leases (name, holder, expires_at)
            VALUES (${name}, ${holder}, ${raw(now)} + ${milliseconds})
          ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
            WHERE leases.holder = excluded.holder OR leases.expires_at < ${raw(now)}
              OR leases.expires_at = ${isTaken ? current.expiresAt : null}
          RETURNING holder`,
      );
    },

    /** Lets another process take over at once. */
    async release(): Promise<void> {
      await removeRows(database.write, 'leases', { name, holder });
    },
  };
}

export type Lease = ReturnType<typeof createLease>;
