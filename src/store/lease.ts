// A lease: of all processes on one database, one holds it; when it dies, another takes over within seconds.
import type { Database } from './database.ts';

export type LeaseOptions = {
  readonly name: string;
  /** Unique per process. */
  readonly holder: string;
  readonly milliseconds: number;
};

export function createLease(database: Database, { name, holder, milliseconds }: LeaseOptions) {
  // One clock for all: the database's own, where it has one; processes on one SQLite file share a machine.
  const now =
    database.dialect === 'postgres'
      ? `CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)`
      : `CAST(unixepoch('subsec') * 1000 AS INTEGER)`;

  return {
    /** Takes or extends the lease in one statement; answers whether this process holds it now. */
    async hold(): Promise<boolean> {
      const rows = await database.query(
        `INSERT INTO leases (name, holder, expires_at) VALUES ($1, $2, ${now} + $3)
         ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
         WHERE leases.holder = excluded.holder OR leases.expires_at < ${now}
         RETURNING holder`,
        [name, holder, milliseconds],
      );
      return rows.length === 1;
    },

    /** Lets another process take over at once. */
    async release(): Promise<void> {
      await database.query('DELETE FROM leases WHERE name = $1 AND holder = $2', [name, holder]);
    },
  };
}
