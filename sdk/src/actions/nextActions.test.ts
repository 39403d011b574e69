// Proves the next actions of a task: vectors for every state and clock, and until when a dismissal is offered.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Task } from '#domain/task.ts';
import { nextActions } from './nextActions.ts';
import vectors from './nextActions.vectors.json' with { type: 'json' };

test('every state and phase lists its actions in order, each with its clock', () => {
  for (const { task, next } of vectors) {
    const { totalAmount, funded, ...rest } = task;
    const given = { ...rest, totalAmount: BigInt(totalAmount), funded: BigInt(funded) } as unknown as Task;
    assert.deepEqual(
      nextActions(given).map((one) => Object.entries(one).flat()),
      next.map(([action, by, from, until]) => ['action', action, 'by', by, 'from', from, 'until', until]),
    );
  }
});

const day = 86_400;
const deadline = 1_000 * day;

function offerDismissal(dismissAt: number | null) {
  const task = { state: 'ACTIVE', deadline, updatedAt: deadline - 9 * day, dismissAt } as Task;
  return nextActions(task).flatMap(({ action, from, until }) =>
    action === 'dismiss-worker' ? [{ from, until }] : [],
  );
}

test('a notice is offered for as long as the second call can still come, and that one until the grace ends', () => {
  assert.deepEqual(offerDismissal(null), [{ from: null, until: deadline - 1 }]);
  const ofLastNotice = deadline - 1 + day;
  assert.deepEqual(offerDismissal(ofLastNotice), [{ from: deadline + day, until: deadline + day }]);
  assert.deepEqual(offerDismissal(ofLastNotice + 1), [], 'of a notice that was given a second later');
});
