import type { BlockRef, ChainEvent, Generation, TaskKey } from '@svc/sdk/domain';
import { type Market, markets, readFacts, readPurchases, type Task, type TaskFacts } from '@svc/sdk/domain';
import type { Param, Transaction } from './database.ts';
import { buildEventRow, type EventRow, eventColumns, parseEventRow } from './eventRow.ts';
import { insertRows, queryByNumbers, replaceBy } from './insert.ts';
import { buildPurchaseRow, purchaseColumns } from './purchaseRow.ts';
import { type RenderedTask, type Rendering, textColumns } from './rendering.ts';
import { buildTaskRow, decodeTask, taskColumns } from './taskRow.ts';
import { buildWords, removeWords, saveWords } from './taskWords.ts';

/** Hashes older than any fork we would undo are let go. */
const keptDepth = 1_024;

const taskKey = ['generation', 'market', 'number'];
const replaceTask = replaceBy(taskKey, taskColumns);
/** None of these columns is in an index, which makes it the faster way. */
const replaceTexts = replaceBy(taskKey, [...textColumns, 'rendering']);
const ignoreKnown = 'ON CONFLICT DO NOTHING';

/** Saves tasks as read from the chain, with the facts from stored events. */
export async function saveTasks(
  tx: Transaction,
  generation: Generation,
  tasks: readonly Task[],
  rendering: Rendering,
): Promise<void> {
  await saveTaskRows(tx, generation, tasks, rendering, await loadFacts(tx, generation, tasks), replaceTask);
}

/** Renders stored tasks again after older events of theirs were stored. */
export async function saveTexts(
  tx: Transaction,
  generation: Generation,
  tasks: readonly Task[],
  rendering: Rendering,
): Promise<void> {
  await saveTaskRows(tx, generation, tasks, rendering, await loadFacts(tx, generation, tasks), replaceTexts);
}

/** For a new generation: `events` are all that are known of these tasks, and are saved. */
export async function saveFreshTasks(
  tx: Transaction,
  generation: Generation,
  tasks: readonly Task[],
  rendering: Rendering,
  events: readonly ChainEvent[],
): Promise<void> {
  await saveTaskRows(tx, generation, tasks, rendering, factsOf(events), replaceTask);
}

async function saveTaskRows(
  tx: Transaction,
  generation: Generation,
  tasks: readonly Task[],
  rendering: Rendering,
  readFactsOf: (task: Task) => TaskFacts,
  onConflict: string,
): Promise<void> {
  const rendered = tasks.map((task) => rendering.render(task, readFactsOf(task)));
  const pairs = tasks.map((task, at) => [task, rendered[at] as RenderedTask] as const);
  const rows = pairs.map(([task, texts]) => buildTaskRow(generation, task, texts, rendering));
  await insertRows(tx, 'tasks', taskColumns, rows, onConflict);
  await saveWords(
    tx,
    generation,
    pairs.map(([task, { texts }]) => buildWords(task, texts)),
  );
}

/** The stored tasks; keys without a stored task are left out. */
export async function loadStoredTasks(
  tx: Pick<Transaction, 'query'>,
  generation: Generation,
  keys: readonly TaskKey[],
): Promise<Task[]> {
  const tasks: Task[] = [];
  for (const market of markets) {
    const rows = await queryByNumbers<{ task: string }>(
      tx,
      'SELECT task FROM tasks WHERE generation = $1 AND market = $2 AND number IN {numbers}',
      [generation, market],
      numbersOf(keys, market),
    );
    tasks.push(...rows.map(({ task }) => decodeTask(task)));
  }
  return tasks;
}

export async function removeTasks(
  tx: Transaction,
  generation: Generation,
  keys: readonly TaskKey[],
): Promise<void> {
  for (const { market, number } of keys) {
    await tx.query('DELETE FROM tasks WHERE generation = $1 AND market = $2 AND number = $3', [
      generation,
      market,
      Number(number),
    ]);
    await removeWords(tx, generation, market, number);
  }
}

async function loadFacts(
  tx: Transaction,
  generation: Generation,
  keys: readonly TaskKey[],
): Promise<(task: Task) => TaskFacts> {
  const events: ChainEvent[] = [];
  for (const market of markets) {
    const rows = await queryByNumbers<EventRow>(
      tx,
      // Sorted below: an ORDER BY makes SQLite walk through all events of the generation.
      'SELECT * FROM events WHERE generation = $1 AND market = $2 AND task_number IN {numbers}',
      [generation, market],
      numbersOf(keys, market),
    );
    events.push(...rows.map(parseEventRow));
  }
  events.sort(
    (left, right) => Number(left.blockNumber - right.blockNumber) || left.logIndex - right.logIndex,
  );
  return factsOf(events);
}

/** Events in chain order. */
function factsOf(events: readonly ChainEvent[]): (task: Task) => TaskFacts {
  const byTask = Map.groupBy(events, ({ market, taskNumber }) => `${market}:${taskNumber}`);
  return (task) => readFacts(byTask.get(keyText(task)) ?? []);
}

export async function saveEvents(
  tx: Transaction,
  generation: Generation,
  events: readonly ChainEvent[],
): Promise<void> {
  const rows = events.map((event) => buildEventRow(generation, event));
  await insertRows(tx, 'events', eventColumns, rows, ignoreKnown);
  const payouts = events
    .filter(({ contract, name }) => contract === 'escrowVault' && name === 'Released')
    .map((event) => buildPayout(generation, event));
  const columns = ['generation', 'block_number', 'log_index', 'market', 'task_number', 'account', 'amount'];
  await insertRows(tx, 'payouts', columns, payouts, ignoreKnown);
  const purchases = readPurchases(events).map((purchase) => [generation, ...buildPurchaseRow(purchase)]);
  await insertRows(tx, 'purchases', ['generation', ...purchaseColumns], purchases, ignoreKnown);
}

function buildPayout(generation: Generation, event: ChainEvent): Param[] {
  return [
    generation,
    Number(event.blockNumber),
    event.logIndex,
    event.market,
    Number(event.taskNumber),
    String(event.args.to).toLowerCase(),
    String(event.args.amount),
  ];
}

export async function undoAbove(tx: Transaction, generation: Generation, fork: bigint): Promise<void> {
  await removeEvents(tx, generation, { above: fork, upTo: BigInt(Number.MAX_SAFE_INTEGER) });
  await tx.query('DELETE FROM blocks WHERE generation = $1 AND number > $2', [generation, Number(fork)]);
}

/** A stretch of blocks, without its first one. */
export type BlockStretch = { readonly above: bigint; readonly upTo: bigint };

export async function removeEvents(
  tx: Transaction,
  generation: Generation,
  { above, upTo }: BlockStretch,
): Promise<void> {
  for (const table of ['events', 'payouts', 'purchases']) {
    await tx.query(
      `DELETE FROM ${table} WHERE generation = $1 AND block_number > $2 AND block_number <= $3`,
      [generation, Number(above), Number(upTo)],
    );
  }
}

export async function saveKept(
  tx: Transaction,
  generation: Generation,
  kept: readonly BlockRef[],
  head: bigint,
): Promise<void> {
  const lowest = Number(head) - keptDepth;
  const rows = kept
    .filter(({ number }) => Number(number) >= lowest)
    .map(({ number, hash }): Param[] => [generation, Number(number), hash]);
  const columns = ['generation', 'number', 'hash'];
  await insertRows(tx, 'blocks', columns, rows, replaceBy(['generation', 'number'], columns));
  await tx.query('DELETE FROM blocks WHERE generation = $1 AND number < $2', [generation, lowest]);
}

export async function raiseVersions(tx: Transaction, changed: Iterable<Market>): Promise<void> {
  for (const market of new Set(changed)) {
    await tx.query(
      `INSERT INTO versions (market, version) VALUES ($1, 1)
       ON CONFLICT (market) DO UPDATE SET version = versions.version + 1`,
      [market],
    );
  }
}

function numbersOf(keys: readonly TaskKey[], market: Market): number[] {
  return keys.filter((key) => key.market === market).map(({ number }) => Number(number));
}

function keyText({ market, number }: TaskKey): string {
  return `${market}:${number}`;
}
