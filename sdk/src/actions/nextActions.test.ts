// Proves until when a dismissal is offered: never when its notice could not be followed by the dismissal itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Task } from '#domain/task.ts';
import { nextActions } from './nextActions.ts';

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
