// Writes the rows of tasks: each task with its facts, the wallets it concerns, and the words by which it is found. Everything that is derived from a
// task is written in `saveRows`, in the transaction that changes the task.
import { type Market, markets, type Task, type TaskKey } from '@svc/sdk/domain';
import type { ChainEvent } from '@svc/sdk/internal/domain/event';
import { readFacts } from '@svc/sdk/internal/domain/task';
import { saveAcquaintances } from './acquaintances.ts';
import type { Generation } from './chainRow.ts';
import { saveChanges } from './changes.ts';
import { saveConcerns } from './concerns.ts';
import type { Query, Transaction } from './database.ts';
import { type EventRow, parseEventRow } from './eventRows.ts';
import { insertRows, queryByKeys, removeRows } from './rows.ts';
import { buildTaskRow, completeTask, decodeTask, encodeTask } from './taskRow.ts';
import { removeWords, saveWords } from './taskWords.ts';

/** Saves tasks as read from the chain, with the facts from stored events; of known tasks only the columns `updated`, if given. */
export async function saveTasks(
  tx: Transaction,
  generation: Generation,
  tasks: readonly Task[],
  updated?: readonly string[],
): Promise<void> {
  await saveRows(tx, generation, tasks, await loadEventsOf(tx, generation, tasks), updated);
}

/** `events` are all that are known of these tasks, in chain order. */
export async function saveRows(
  tx: Transaction,
  generation: Generation,
  tasks: readonly Task[],
  events: readonly ChainEvent[],
  updated?: readonly string[],
): Promise<void> {
  const byTask = Map.groupBy(events, ({ market, taskNumber }) => `${market}:${taskNumber}`);
  const stored = tasks.map((task) =>
    completeTask(task, readFacts(byTask.get(`${task.market}:${task.number}`) ?? [])),
  );
  const rows = stored.map((one) => buildTaskRow(generation, one));
  await insertRows(tx, 'tasks', rows, { key: ['generation', 'market', 'number'], updated });
  await saveConcerns(tx, generation, stored);
  await saveAcquaintances(tx, tasks);
  await saveWords(tx, generation, stored);
}

export async function removeTasks(
  tx: Transaction,
  generation: Generation,
  keys: readonly TaskKey[],
): Promise<void> {
  for (const { market, number } of keys) {
    const key = { generation, market, number: Number(number) };
    for (const table of ['tasks', 'concerns']) await removeRows(tx.query, table, key);
    await removeWords(tx, generation, { market, number });
  }
}

/** The stored tasks; keys without a stored task are left out. */
export async function loadTasks(
  source: { readonly query: Query },
  generation: Generation,
  keys: readonly TaskKey[],
): Promise<Task[]> {
  const tasks: Task[] = [];
  for (const market of markets) {
    const rows = await queryByKeys<{ task: string }>(
      source,
      'SELECT task FROM tasks WHERE generation = $1 AND market = $2 AND number IN {keys}',
      [generation, market],
      numbersOf(keys, market),
    );
    tasks.push(...rows.map(({ task }) => decodeTask(task)));
  }
  return tasks;
}

/** In chain order. */
async function loadEventsOf(
  tx: Transaction,
  generation: Generation,
  keys: readonly TaskKey[],
): Promise<ChainEvent[]> {
  const events: ChainEvent[] = [];
  for (const market of markets) {
    const rows = await queryByKeys<EventRow>(
      tx,
      // Sorted below: an ORDER BY makes SQLite walk through all events of the generation.
      'SELECT * FROM events WHERE generation = $1 AND market = $2 AND task_number IN {keys}',
      [generation, market],
      numbersOf(keys, market),
    );
    events.push(...rows.map(parseEventRow));
  }
  return events.sort(
    (left, right) => Number(left.blockNumber - right.blockNumber) || left.logIndex - right.logIndex,
  );
}

function numbersOf(keys: readonly TaskKey[], market: Market): number[] {
  return keys.filter((key) => key.market === market).map(({ number }) => Number(number));
}

/** Notes which of these tasks the generation before shows otherwise. */
export async function saveDifferences(
  tx: Transaction,
  before: Generation,
  generation: Generation,
  tasks: readonly Task[],
): Promise<void> {
  const known = new Set((await loadTasks(tx, before, tasks)).map(encodeTask));
  const rows = tasks
    .filter((task) => !known.has(encodeTask(task)))
    .map(({ market, number }) => ({ generation, market, number: Number(number) }));
  await insertRows(tx, 'differences', rows, {});
}

/** Publishes them as changes, when the generation is shown. */
export async function publishDifferences(
  tx: Transaction,
  generation: Generation,
  block: bigint,
): Promise<void> {
  const rows = await tx.query<{ market: Market; number: number }>(
    'DELETE FROM differences WHERE generation = $1 RETURNING market, number',
    [generation],
  );
  const keys = rows.map(({ market, number }) => ({ market, number: BigInt(number) }));
  await saveChanges(tx, await loadTasks(tx, generation, keys), block);
}
