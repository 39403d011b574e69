// A task as a row: the columns that are searched, its facts, and a sealed rendering of them.
import type { Generation, Task } from '@svc/sdk/domain';
import { addressKey, isFullyFunded, readFacts } from '@svc/sdk/domain';
import type { Param, Transaction } from './database.ts';
import { type EventRow, parseEventRow } from './eventRow.ts';
import { queryByNumbers } from './insert.ts';
import { type Rendered, type Rendering, sealAll } from './rendering.ts';

export const taskColumns = [
  'generation',
  'market',
  'number',
  'state',
  'scope',
  'poster',
  'worker',
  'deadline',
  'created_at',
  'task',
  'record',
  'open_record',
  'detail',
  'rendering',
  'total_key',
  'fully_funded',
] as const;

/**
 * An amount as text that sorts like the number: how many digits it has, then the digits without zeros at the end. Most
 * amounts end with eighteen of them.
 */
export function totalKey(amount: bigint): string {
  const digits = String(amount);
  return String(digits.length).padStart(2, '0') + digits.replace(/0+$/, '');
}

export function buildTaskRow(
  generation: Generation,
  task: Task,
  rendered: Rendered,
  rendering: Rendering,
): Param[] {
  return [
    generation,
    task.market,
    Number(task.number),
    task.state,
    task.scope,
    addressKey(task.poster),
    task.worker === null ? null : addressKey(task.worker),
    task.deadline,
    task.createdAt,
    encodeTask(task),
    rendered.record,
    rendered.open_record,
    rendered.detail,
    sealAll(rendering, rendered),
    totalKey(task.totalAmount),
    isFullyFunded(task) ? 1 : 0,
  ];
}

type FactRow = EventRow & { number: number; task: string; name: string | null };

/** Renders tasks from their facts, all of one moment. `generation` is SQL that may use `params`; the second one is the market. */
export async function renderTasks(
  database: Pick<Transaction, 'query'>,
  generation: string,
  params: readonly Param[],
  numbers: readonly number[],
  { render }: Rendering,
): Promise<Map<number, Rendered>> {
  const rows = await queryByNumbers<FactRow>(
    database,
    `SELECT tasks.number, tasks.task, events.* FROM tasks LEFT JOIN events
       ON events.generation = tasks.generation AND events.market = tasks.market AND task_number = number
     WHERE tasks.generation = ${generation} AND tasks.market = $2 AND number IN {numbers}
     ORDER BY block_number, log_index`,
    params,
    numbers,
  );
  const rendered = new Map<number, Rendered>();
  for (const [number, ofTask] of Map.groupBy(rows, (row) => row.number)) {
    const events = ofTask.filter(({ name }) => name !== null).map(parseEventRow);
    rendered.set(number, render(decodeTask((ofTask[0] as FactRow).task), readFacts(events)));
  }
  return rendered;
}

const amountFields = ['number', 'totalAmount', 'funded', 'released', 'refunded', 'fees'] as const;

/** Amounts as decimal text. */
export function encodeTask(task: Task): string {
  const { dispute } = task;
  return JSON.stringify({
    ...task,
    number: String(task.number),
    milestones: task.milestones.map(String),
    totalAmount: String(task.totalAmount),
    funded: String(task.funded),
    released: String(task.released),
    refunded: String(task.refunded),
    fees: String(task.fees),
    dispute: dispute && { ...dispute, amount: String(dispute.amount), bond: String(dispute.bond) },
  });
}

export function decodeTask(text: string): Task {
  const plain = JSON.parse(text);
  for (const field of amountFields) plain[field] = BigInt(plain[field]);
  plain.milestones = plain.milestones.map(BigInt);
  if (plain.dispute !== null) {
    plain.dispute.amount = BigInt(plain.dispute.amount);
    plain.dispute.bond = BigInt(plain.dispute.bond);
  }
  return plain;
}
