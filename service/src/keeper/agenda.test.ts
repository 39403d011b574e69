// Proves that nothing open is ever out of sight, whatever forks take away, and that what has ended is let go.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Task } from '@svc/sdk/domain';
import { createAgenda } from './agenda.ts';

const task = (number: bigint, updatedAt = 0) => ({ number, updatedAt }) as Task;

test('a first look wants every task; then new ones, and those whose time has come', () => {
  const agenda = createAgenda();
  assert.deepEqual(agenda.listWanted(3n, 100, false), [1n, 2n, 3n]);
  agenda.note(task(1n), 200, 100);
  agenda.note(task(2n), 150, 100);
  agenda.note(task(3n), null, 100_000);
  assert.deepEqual(agenda.listWanted(3n, 149, false), []);
  assert.deepEqual(agenda.listWanted(4n, 150, false), [2n, 4n]);
  assert.deepEqual(agenda.listWanted(4n, 200, false), [1n, 2n, 4n]);
});

test('a sweep wants all that are open, for an exit may open earlier than it was to', () => {
  const agenda = createAgenda();
  agenda.listWanted(2n, 0, true);
  agenda.note(task(1n), 1_000, 0);
  agenda.note(task(2n), 2_000, 0);
  assert.deepEqual(agenda.listWanted(2n, 0, true), [1n, 2n]);
});

test('a task that has just ended is looked at for another hour, since a fork may undo it', () => {
  const agenda = createAgenda();
  agenda.note(task(1n, 1_000), null, 1_000);
  assert.deepEqual(agenda.listWanted(1n, 2_000, false), []);
  assert.deepEqual(agenda.listWanted(1n, 2_000, true), [1n]);
  agenda.note(task(1n, 1_000), null, 4_601);
  assert.deepEqual(agenda.listWanted(1n, 5_000, true), []);
});

test('tasks that a fork took away are forgotten, and read anew when their numbers are back', () => {
  const agenda = createAgenda();
  for (const number of [1n, 2n, 3n]) agenda.note(task(number), 900, 0);
  assert.deepEqual(agenda.listWanted(1n, 0, true), [1n]);
  assert.deepEqual(agenda.listWanted(3n, 0, false), [2n, 3n]);
});
