// Who has a part in a task, from its row.
import { type Address, addressKey, isTerminal, type TaskKey, type TaskState } from '@svc/sdk/domain';
import type { Database } from './database.ts';
import { shownGeneration } from './generation.ts';
import { decodeTask } from './taskRow.ts';

export type TaskParties = {
  readonly state: TaskState;
  /** Poster, worker and judge, in lower case. */
  readonly parties: readonly Address[];
  /** Unix seconds; null while it goes on. */
  readonly endedAt: number | null;
};

/** Null where the rows of this chain have no such task. */
export async function loadTaskParties(
  database: Pick<Database, 'query'>,
  identity: string,
  { market, number }: TaskKey,
): Promise<TaskParties | null> {
  // A number that no chain has reached would not fit the column.
  if (number > BigInt(Number.MAX_SAFE_INTEGER)) return null;
  const [row] = await database.query<{ task: string }>(
    `SELECT task FROM tasks WHERE generation = ${shownGeneration(1)} AND market = $2 AND number = $3`,
    [identity, market, Number(number)],
  );
  if (row === undefined) return null;
  const { state, poster, worker, dispute, updatedAt } = decodeTask(row.task);
  const parties = [poster, worker, dispute?.arbitrator ?? null].filter((one) => one !== null);
  return { state, parties: parties.map(addressKey), endedAt: isTerminal(state) ? updatedAt : null };
}
