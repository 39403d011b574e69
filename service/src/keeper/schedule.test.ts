// The keeper never loses sight of an open task, and waits before tries as long as it should.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Task } from '@svc/sdk/domain';
import { createReadSchedule, createTrySchedule } from './schedule.ts';

const task = (number: bigint, updatedAt = 0) => ({ number, updatedAt }) as Task;

test('every task is read once; then new ones, and those whose time has come', () => {
  const schedule = createReadSchedule();
  assert.deepEqual(schedule.listDue(3n, 100, false), [1n, 2n, 3n]);
  schedule.note(task(1n), 200, 100);
  schedule.note(task(2n), 150, 100);
  schedule.note(task(3n), null, 100_000);
  assert.deepEqual(schedule.listDue(3n, 149, false), []);
  assert.deepEqual(schedule.listDue(4n, 150, false), [2n, 4n]);
  assert.deepEqual(schedule.listDue(4n, 200, false), [1n, 2n, 4n]);
});

test('a sweep reads all open tasks, since an exit may open earlier than expected', () => {
  const schedule = createReadSchedule();
  schedule.listDue(2n, 0, true);
  schedule.note(task(1n), 1_000, 0);
  schedule.note(task(2n), 2_000, 0);
  assert.deepEqual(schedule.listDue(2n, 0, true), [1n, 2n]);
});

test('a task that has just ended is read for another hour, since a fork may undo its end', () => {
  const schedule = createReadSchedule();
  schedule.note(task(1n, 1_000), null, 1_000);
  assert.deepEqual(schedule.listDue(1n, 2_000, false), []);
  assert.deepEqual(schedule.listDue(1n, 2_000, true), [1n]);
  schedule.note(task(1n, 1_000), null, 4_601);
  assert.deepEqual(schedule.listDue(1n, 5_000, true), []);
});

test('tasks that a fork removed are forgotten, and read again when their numbers return', () => {
  const schedule = createReadSchedule();
  for (const number of [1n, 2n, 3n]) schedule.note(task(number), 900, 0);
  assert.deepEqual(schedule.listDue(1n, 0, true), [1n]);
  assert.deepEqual(schedule.listDue(3n, 0, false), [2n, 3n]);
});

function createClock(delayMs: number, chances: readonly number[]) {
  let time = 0;
  let drawn = 0;
  const random = () => chances[drawn++ % chances.length] as number;
  return {
    ...createTrySchedule(delayMs, () => time, random),
    wait: (milliseconds: number) => {
      time += milliseconds;
    },
  };
}

const [first, second] = [{ phase: 'first' }, { phase: 'second' }];

test('each exit waits for a random delay after it is first seen', () => {
  const { choose, wait } = createClock(10_000, [0.2, 0.7]);
  assert.deepEqual(choose([first, second]), []);
  wait(2_000);
  assert.deepEqual(choose([first, second]), [first]);
  wait(5_000);
  assert.deepEqual(choose([first, second]), [first, second]);
});

test('each failure doubles the wait, up to five minutes', () => {
  const { choose, noteFailure, wait } = createClock(0, [1]);
  choose([first]);
  for (const pause of [2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000, 300_000]) {
    noteFailure('first');
    wait(pause - 1);
    assert.deepEqual(choose([first]), []);
    wait(1);
    assert.deepEqual(choose([first]), [first]);
  }
});

test('a phase that is gone is forgotten, and starts from the beginning when it returns', () => {
  const { choose, noteFailure } = createClock(0, [1]);
  choose([first]);
  noteFailure('first');
  assert.deepEqual(choose([first, second]), [second]);
  assert.deepEqual(choose([second]), [second]);
  assert.deepEqual(choose([first]), [first]);
});
