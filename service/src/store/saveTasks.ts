// Writes the rows of tasks: each task with its facts, the wallets it concerns, and the words by which it is found. Everything
// that is derived from a task is written in `saveTasks`, in the transaction that changes the task.
import { isDeepStrictEqual } from 'node:util';
import { formatTaskId, type Market, type Task, type TaskKey } from '@svc/sdk/domain';
import type { TaskFacts } from '@svc/sdk/internal/domain/task';
import { saveChanges } from './changes.ts';
import { saveConcerns } from './concerns.ts';
import type { Query, Transaction } from './database.ts';
import { insertRows, queryByTasks, removeRows } from './rows.ts';
import { type Sql, sql } from './sql.ts';
import { buildTaskRow, completeTask, decodeTask } from './taskRow.ts';
import { removeWords, saveWords } from './taskWords.ts';

/** Saves tasks as read from the chain, each with its facts. */
export async function saveTasks(
  tx: Transaction,
  tasks: readonly Task[],
  facts: readonly TaskFacts[],
): Promise<void> {
  const stored = tasks.map((task, at) => completeTask(task, facts[at] as TaskFacts));
  const rows = stored.map((one) => buildTaskRow(one));
  await insertRows(tx, 'tasks', rows, { key: ['market', 'number'] });
  await saveConcerns(tx, stored);
  await saveWords(tx, stored);
}

export async function removeTasks(tx: Transaction, keys: readonly TaskKey[]): Promise<void> {
  for (const { market, number } of keys) {
    const key = { market, number: Number(number) };
    for (const table of ['tasks', 'concerns']) await removeRows(tx.query, table, key);
    await removeWords(tx, { market, number });
  }
}

/** The stored tasks; keys without a stored task are left out. */
export async function loadTasks(
  source: { readonly query: Query },
  keys: readonly TaskKey[],
): Promise<Task[]> {
  const select = (market: Market, list: Sql) => sql`SELECT task FROM tasks
    WHERE market = ${market} AND number IN ${list}`;
  const rows = await queryByTasks<{ task: string }>(source, keys, select);
  return rows.map(({ task }) => decodeTask(task));
}

/** Notes which of these tasks were shown otherwise. */
export async function saveDifferences(tx: Transaction, tasks: readonly Task[]): Promise<void> {
  const known = new Map((await loadTasks(tx, tasks)).map((task) => [formatTaskId(task), task]));
  const rows = tasks
    .filter((task) => !isDeepStrictEqual(known.get(formatTaskId(task)), task))
    .map(({ market, number }) => ({ market, number: Number(number) }));
  await insertRows(tx, 'differences', rows, {});
}

/** Publishes them as changes, when all is read. */
export async function publishDifferences(tx: Transaction, block: bigint): Promise<void> {
  const rows = await tx.query<{ market: Market; number: number }>(
    sql`DELETE FROM differences RETURNING market, number`,
  );
  const keys = rows.map(({ market, number }) => ({ market, number: BigInt(number) }));
  await saveChanges(tx, await loadTasks(tx, keys), block);
}
