// The facts of tasks, which only events hold: from all that are stored, or from the row and what came since.
import { type Market, markets, type Task, type TaskKey } from '@svc/sdk/domain';
import { noDisputeFacts } from '@svc/sdk/internal/domain/disputeFacts';
import type { ChainEvent } from '@svc/sdk/internal/domain/event';
import { noFacts, readFacts, type TaskFacts } from '@svc/sdk/internal/domain/task';
import type { Transaction } from './database.ts';
import { type EventRow, keyOfTask, parseEventRow } from './eventRows.ts';
import { listKeys, queryByTasks } from './rows.ts';
import { type Sql, sql } from './sql.ts';
import { parseFacts, type TaskRow } from './taskRow.ts';

const eventsAtOnce = 500;

type Place = Pick<EventRow, 'taskNumber' | 'blockNumber' | 'logIndex'>;

/**
 * From all stored events of the tasks, a page at a time: nothing limits how many there are, or how long the uri in one is. `note`
 * gets each of them.
 */
export async function loadFacts(
  tx: Transaction,
  tasks: readonly TaskKey[],
  note: (event: ChainEvent) => void = () => undefined,
): Promise<TaskFacts[]> {
  const found = new Map<string, TaskFacts>();
  for (const market of markets) {
    const numbers = tasks.filter((key) => key.market === market).map(({ number }) => Number(number));
    for (const list of listKeys(numbers)) {
      let last: Place | undefined = { taskNumber: -1, blockNumber: -1, logIndex: -1 };
      while (last !== undefined) {
        const page: EventRow[] = await tx.query<EventRow>(sql`SELECT * FROM events
          WHERE market = ${market} AND task_number IN ${list}
            AND (task_number, block_number, log_index) > (${last.taskNumber}, ${last.blockNumber}, ${last.logIndex})
          ORDER BY task_number, block_number, log_index LIMIT ${eventsAtOnce}`);
        for (const event of page.map(parseEventRow)) {
          const key = `${market}:${event.taskNumber}`;
          found.set(key, readFacts([event], found.get(key)));
          note(event);
        }
        last = page.length < eventsAtOnce ? undefined : page.at(-1);
      }
    }
  }
  return tasks.map((task) => found.get(keyOfTask(task)) ?? noFacts);
}

/** From the rows of the tasks and `events`, which are all that came since: no earlier event is read again. */
export async function addFacts(
  tx: Transaction,
  tasks: readonly Task[],
  events: readonly ChainEvent[],
): Promise<TaskFacts[]> {
  const select = (market: Market, list: Sql) => sql`SELECT market, number, facts FROM tasks
    WHERE market = ${market} AND number IN ${list}`;
  const rows = await queryByTasks<Pick<TaskRow, 'market' | 'number' | 'facts'>>(tx, tasks, select);
  const stored = new Map<string, TaskFacts>(
    rows.map(({ market, number, facts }) => [`${market}:${number}`, parseFacts(facts).facts]),
  );
  const newer = groupByTask(events);
  const found: TaskFacts[] = [];
  for (const task of tasks) {
    const own = newer.get(keyOfTask(task)) ?? [];
    const before = own[0]?.name === 'TaskPosted' ? noFacts : stored.get(keyOfTask(task));
    if (before !== undefined && isComplete(before)) found.push(readFacts(own, before));
    else found.push(...(await loadFacts(tx, [task])));
  }
  return found;
}

/** Rows of an earlier version may lack some. */
function isComplete(facts: TaskFacts): boolean {
  const hasAll = (one: object, names: object) => Object.keys(names).every((name) => name in one);
  return hasAll(facts, noFacts) && hasAll(facts.dispute, noDisputeFacts);
}

function groupByTask(events: readonly ChainEvent[]): ReadonlyMap<string, readonly ChainEvent[]> {
  return Map.groupBy(events, ({ market, taskNumber }) => `${market}:${taskNumber}`);
}
