// A task as a row: the columns that are searched, the task itself, and its ready answers.

import { buildOpenRecord, buildTaskRecord } from '@svc/sdk/actions';
import type { Generation, Task, TaskFacts } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/domain';
import { stringify } from 'viem';
import type { Param } from './database.ts';

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
] as const;

export function buildTaskRow(generation: Generation, task: Task, facts: TaskFacts): Param[] {
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
    JSON.stringify(buildTaskRecord(task, facts)),
    JSON.stringify(buildOpenRecord(task, facts)),
  ];
}

const amountFields = ['number', 'totalAmount', 'funded', 'released', 'refunded', 'fees'] as const;

export function encodeTask(task: Task): string {
  return stringify(task);
}

export function decodeTask(text: string): Task {
  const plain = JSON.parse(text);
  for (const field of amountFields) plain[field] = BigInt(plain[field]);
  plain.milestones = plain.milestones.map(BigInt);
  return plain;
}
