// Figures of a wallet come from its tasks alone; a score from few tasks is not held against anyone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countTasks, explainScore, isEarly, showShare } from './agentRecord.ts';
import type { Task } from './market.ts';

const task = (fields: Partial<Task>) =>
  ({ state: 'POSTED', claimedAt: null, deliveredAt: null, updatedAt: 0, dispute: null, ...fields }) as Task;
const claimed = { claimedAt: 100, worker: '0x1' } as const;
const dispute = {} as Task['dispute'];

test('rates count tasks with a worker only: a task that nobody took says nothing about its poster', () => {
  const figures = countTasks([
    task({}),
    task({ state: 'CANCELLED' }),
    task({ state: 'COMPLETED', ...claimed, deliveredAt: 200, updatedAt: 210 }),
    task({ state: 'COMPLETED', ...claimed, deliveredAt: 300, updatedAt: 390 }),
    task({ state: 'COMPLETED', ...claimed, deliveredAt: 400, updatedAt: 430 }),
    task({ state: 'RESOLVED', ...claimed, deliveredAt: 500, updatedAt: 999_999, dispute }),
    task({ state: 'DISPUTED', ...claimed, deliveredAt: 600, dispute }),
  ]);
  assert.deepEqual(figures.completed, { part: 3, of: 4 });
  assert.deepEqual(figures.disputed, { part: 2, of: 5 });
  assert.equal(figures.payTime, 30);
  assert.equal(figures.deliveryTime, 300);
});

test('without tasks nothing is computed, and few tasks make no percentage', () => {
  const { completed, payTime, deliveryTime } = countTasks([]);
  assert.deepEqual([showShare(completed), payTime, deliveryTime], ['none yet', null, null]);
  assert.equal(showShare({ part: 1, of: 2 }), '1 of 2');
  assert.equal(showShare({ part: 2, of: 6 }), '33 % (2 of 6)');
});

test('the parts of a score add up to it, and one task left is no verdict', () => {
  const record = { score: 21, completed: 3, won: 0, lost: 0, left: 3, dismissed: 0 };
  assert.equal(
    explainScore(record).reduce((sum, { points }) => sum + points, 0),
    record.score,
  );
  assert.equal(isEarly(record), false);
  assert.equal(isEarly({ score: -3, completed: 0, won: 0, lost: 0, left: 1, dismissed: 0 }), true);
});
