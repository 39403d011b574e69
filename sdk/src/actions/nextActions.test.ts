// Proves the next actions of a task: vectors for every state and clock, when all may be paid, and until when a dismissal is offered.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Task } from '../domain/task.ts';
import { nextActions } from './nextActions.ts';
import vectors from './nextActions.vectors.json' with { type: 'json' };

test('every state and phase lists its actions in order, each with its clock', () => {
  for (const { task, next } of vectors) {
    const { totalAmount, funded, ...rest } = task;
    const amounts = { totalAmount: BigInt(totalAmount), funded: BigInt(funded), milestones: [500n] };
    const given = { ...rest, ...amounts, milestone: 0 } as unknown as Task;
    assert.deepEqual(
      nextActions(given).map((one) => Object.entries(one).flat()),
      next.map(([action, by, from, until]) => ['action', action, 'by', by, 'from', from, 'until', until]),
    );
  }
});

test('paying everything is offered only where it pays more than accepting the delivered milestone', () => {
  const offers = (state: string, milestone: number) =>
    nextActions({ state, milestones: [200n, 300n], milestone } as unknown as Task).some(
      ({ action }) => action === 'complete-task',
    );
  assert.deepEqual(
    [offers('DELIVERED', 0), offers('DELIVERED', 1), offers('ACTIVE', 1)],
    [true, false, true],
  );
});

const day = 86_400;
const deadline = 1_000 * day;

/** The windows of a notice and of a dismissal, while work is under way. */
function offer(dismissAt: number | null) {
  const task = { state: 'ACTIVE', deadline, updatedAt: deadline - 9 * day, dismissAt } as Task;
  const windowsOf = (name: string) =>
    nextActions(task).flatMap(({ action, from, until }) => (action === name ? [[from, until]] : []));
  return { notice: windowsOf('give-dismiss-notice'), dismissal: windowsOf('dismiss-worker') };
}

test('a notice is offered for as long as a dismissal can follow it, and again once one has lapsed', () => {
  assert.deepEqual(offer(null), { notice: [[null, deadline - 1]], dismissal: [] });
  const early = deadline - 5 * day;
  assert.deepEqual(offer(early), {
    notice: [[early + day + 1, deadline - 1]],
    dismissal: [[early + 1, early + day]],
  });
  const ofLastNotice = deadline - 1 + day;
  assert.deepEqual(offer(ofLastNotice), { notice: [], dismissal: [[deadline + day, deadline + day]] });
  assert.deepEqual(offer(ofLastNotice + 1), { notice: [], dismissal: [] }, 'of a notice a second later');
});
