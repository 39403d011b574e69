// A task as a row: the columns for lists and filters, the task, and its facts.

import type { Address, Task } from '@svc/sdk/domain';
import { readTaskWords, type TaskWords } from '@svc/sdk/internal/documents/viewDocument';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { isFullyFunded, remainingAmount, type TaskFacts } from '@svc/sdk/internal/domain/task';

/** A task with everything that a reply about it is built from. */
export type StoredTask = {
  readonly task: Task;
  readonly facts: TaskFacts;
  /** What the document in the uri says. Read when the row is written: checking its hash costs more than the rest of a reply. */
  readonly words: TaskWords | null;
};

export function completeTask(task: Task, facts: TaskFacts): StoredTask {
  return { task, facts, words: facts.uri === null ? null : readTaskWords(facts.uri, task.criteriaHash) };
}

export function buildTaskRow({ task, facts, words }: StoredTask) {
  return {
    market: task.market,
    number: Number(task.number),
    state: task.state,
    scope: task.scope,
    poster: addressKey(task.poster),
    worker: task.worker === null ? null : addressKey(task.worker),
    deadline: task.deadline,
    createdAt: task.createdAt,
    totalKey: totalKey(task.state === 'POSTED' ? remainingAmount(task) : task.totalAmount),
    fullyFunded: isFullyFunded(task) ? 1 : 0,
    task: encodeTask(task),
    facts: JSON.stringify({ facts, words }),
  };
}

export type TaskRow = ReturnType<typeof buildTaskRow>;

export function parseTaskRow({ task, facts }: Pick<TaskRow, 'task' | 'facts'>): StoredTask {
  return { task: decodeTask(task), ...parseFacts(facts) };
}

export function parseFacts(facts: string): Pick<StoredTask, 'facts' | 'words'> {
  return JSON.parse(facts);
}

/** Poster, worker and judge, by their keys. */
export function listParties({ poster, worker, dispute }: Task): Address[] {
  return [poster, worker, dispute?.judge ?? null].filter((one) => one !== null).map(addressKey);
}

/**
 * An amount as text that sorts like the number: how many digits it has, then the digits without zeros at the end. Most
 * amounts end with eighteen of them.
 */
export function totalKey(amount: bigint): string {
  const digits = String(amount);
  return String(digits.length).padStart(2, '0') + digits.replace(/0+$/, '');
}

const amountFields = ['number', 'totalAmount', 'funded', 'released', 'refunded', 'fees'] as const;

/** Amounts as decimal text. */
export function encodeTask(task: Task): string {
  return JSON.stringify(task, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
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
