// What fails a gas check and what does not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judge } from './verdict.ts';

test('growth up to 2 % is taken, more is not', () => {
  assert.deepEqual(judge(102_000, 100_000, undefined), { isGood: true, note: '' });
  assert.deepEqual(judge(102_001, 100_000, undefined), { isGood: false, note: 'grew by more than 2 %' });
});

test('a fall by more than 2 % asks for a new snapshot and does not fail', () => {
  assert.deepEqual(judge(98_000, 100_000, undefined), { isGood: true, note: '' });
  assert.deepEqual(judge(97_999, 100_000, undefined), {
    isGood: true,
    note: 'fell by more than 2 %: refresh the snapshot',
  });
});

test('a figure above its ceiling fails even when the snapshot agrees with it', () => {
  assert.deepEqual(judge(65_000, 65_000, 65_000), { isGood: true, note: '' });
  assert.deepEqual(judge(65_001, 65_001, 65_000), { isGood: false, note: 'above its ceiling' });
});

test('an operation that the snapshot does not know fails', () => {
  assert.deepEqual(judge(1, undefined, undefined), { isGood: false, note: 'not in the snapshot' });
});
