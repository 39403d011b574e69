// Proves that errors say what the table says.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorMessages, findStatus, SvcError } from './errors.ts';

test('an error carries its code, its details, its cause and the filled message', () => {
  const cause = new Error('below');
  const error = new SvcError('USAGE', { reason: 'Say more.', hint: 3 }, cause);
  assert.equal(error.message, 'Say more.');
  assert.equal(error.code, 'USAGE');
  assert.deepEqual(error.details, { reason: 'Say more.', hint: 3 });
  assert.equal(error.cause, cause);
  assert.ok(error instanceof Error);
});

test('a code has its message and its status; a code that no route answers with has none', () => {
  assert.equal(errorMessages.TASK_NOT_FOUND, 'Task not found');
  assert.deepEqual([findStatus('TASK_NOT_FOUND'), findStatus('CONFIG_INVALID')], [404, undefined]);
});
