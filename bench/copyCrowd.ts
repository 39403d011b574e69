// Copies the rows of the first tasks under higher numbers, inside the database, with their own ids in all texts.
import type { Database } from '#service/store/database.ts';
import { eventColumns } from '#service/store/eventRow.ts';
import { taskColumns } from '#service/store/taskRow.ts';

/** Numbers come to SQLite as floating ones, which would show in the texts. */
const shift = 'CAST($1 AS INTEGER)';

/** What changes in a copy; every other column stays. Two logs were written for each task (crowd.ts). */
const taskChanges: Readonly<Record<string, string>> = {
  number: `number + ${shift}`,
  task: renumber('task', `'"number":"'`),
  record: renumber('record', `'"id":"v2:standard:'`),
  open_record: renumber('open_record', `'"id":"v2:standard:'`),
};
const eventChanges: Readonly<Record<string, string>> = {
  log_index: `log_index + 2 * ${shift}`,
  task_number: `task_number + ${shift}`,
  args: renumber('args', `'"taskId":"'`, 'task_number'),
};

/** Tasks 1 to `count` become tasks `offset` + 1 to `offset` + `count` as well. */
export async function copyCrowd(
  database: Database,
  { count, offset }: { readonly count: number; readonly offset: number },
): Promise<void> {
  const copy = (
    table: string,
    columns: readonly string[],
    changes: Readonly<Record<string, string>>,
    key: string,
  ) =>
    `INSERT INTO ${table} (${columns}) SELECT ${columns.map((name) => changes[name] ?? name)} FROM ${table}
     WHERE market = 'standard' AND ${key} BETWEEN 1 AND $2`;
  await database.transaction(async (tx) => {
    await tx.query(copy('tasks', taskColumns, taskChanges, 'number'), [offset, count]);
    await tx.query(copy('events', eventColumns, eventChanges, 'task_number'), [offset, count]);
  });
}

/** `before` is the quoted text right in front of the number, so that no other number can be meant. */
function renumber(column: string, before: string, number = 'number'): string {
  return `replace(${column}, ${before} || ${number} || '"', ${before} || (${number} + ${shift}) || '"')`;
}
