// The time of the database. All processes on one database share it, so that a replica whose own clock is wrong has the same
// day, deadlines and quotas as the others.
import type { Database, Dialect } from './database.ts';
import { queryValue } from './rows.ts';

/** SQL for the time in milliseconds. Processes on one SQLite file share a machine, and with it a clock. */
export function clockMs(dialect: Dialect): string {
  return dialect === 'postgres'
    ? `CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)`
    : `CAST(unixepoch('subsec') * 1000 AS INTEGER)`;
}

export type DatabaseClock = {
  /** Unix seconds. Between two readings it runs on a timer that setting the machine's clock does not change. */
  readonly now: () => number;
  /** Reads the time again; without it the two clocks drift apart. */
  readonly adjust: () => Promise<void>;
};

export async function openDatabaseClock(
  database: Pick<Database, 'dialect' | 'query'>,
): Promise<DatabaseClock> {
  const read = async () => {
    const askedAt = performance.now();
    const time = await queryValue(database.query, `SELECT ${clockMs(database.dialect)} AS time`);
    if (time === undefined) throw new RangeError('The database has no time.');
    // The answer was true at some moment between question and answer.
    return { time: Number(time), at: (askedAt + performance.now()) / 2 };
  };
  let last = await read();
  return {
    now: () => Math.floor((last.time + performance.now() - last.at) / 1_000),
    adjust: async () => {
      last = await read();
    },
  };
}
