// Positions after a restore. What came after the backup is lost here, but clients hold positions of it: a change, a message or
// a letter with one of these numbers again would be taken for the lost one. So a restore begins an epoch, which is the upper
// part of every number given from then on.
import { saveReset } from './changes.ts';
import type { Database, Transaction } from './database.ts';
import { projectionChannel } from './projection.ts';
import { queryValue } from './rows.ts';
import { sql } from './sql.ts';

/** Numbers of one epoch: more than are given in the seconds until the next one, and all stay below 2^53. */
const numbersPerSecond = 1_000;

/** SQL: the position that a first message in a mailbox follows. */
export const epochBase = 'COALESCE((SELECT MAX(value) FROM epochs), 0)';

/** Begins an epoch at this time, in Unix seconds; resolves to its first number. Streams and webhooks get a reset. */
export async function beginEpoch(database: Database, now?: number): Promise<number> {
  const value = await noteEpoch(database, now);
  await database.chain.transaction(async (tx) => {
    // Waits for a step of the indexer that has taken its numbers already: they come first.
    const lock = 'UPDATE chain SET id = id RETURNING head_number';
    const head = await queryValue<number | null>(tx.query, lock);
    await raiseChanges(tx, value);
    await saveReset(tx, BigInt(head ?? 0));
    await tx.notify(projectionChannel);
  });
  return value;
}

/** In `own`: messages, and what is to come in the other part. */
export function noteEpoch(database: Database, now = Math.floor(Date.now() / 1_000)): Promise<number> {
  const value = now * numbersPerSecond;
  return database.transaction(async (tx) => {
    await tx.query(sql`INSERT INTO epochs (value) VALUES (${value}) ON CONFLICT DO NOTHING`);
    await tx.query(sql`UPDATE mailboxes SET position = ${value} WHERE position < ${value}`);
    return value;
  });
}

/** In `chain`: the next change has a number above this one. */
export async function raiseChanges(tx: Transaction, value: number): Promise<void> {
  if (tx.dialect === 'postgres') {
    await tx.query(sql`SELECT setval(pg_get_serial_sequence('changes', 'seq'), ${value})`);
    return;
  }
  await tx.query(`DELETE FROM sqlite_sequence WHERE name = 'changes'`);
  await tx.query(sql`INSERT INTO sqlite_sequence (name, seq) VALUES ('changes', ${value})`);
}
