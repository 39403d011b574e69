// What went wrong, in a sentence for the form that it went wrong in.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SvcError } from '@svc/sdk/domain';
import { explainError } from './explainError.ts';

test('a mistake in the arguments of an action is named itself', () => {
  const mistakes = '  acceptBy: must be within 14 days\n  deadline: must be within 365 days';
  const error = new SvcError('ARGUMENTS_INVALID', { action: 'build-task-terms', mistakes });
  assert.equal(explainError(error), 'Must be within 14 days.');
});
