// What a counter-offer changes in a text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareTexts } from './differences.ts';

test('changed words stand beside those that stay', () => {
  assert.deepEqual(compareTexts('ten birds, left to right', 'twelve birds, left to right'), [
    { kind: 'removed', text: 'ten ' },
    { kind: 'added', text: 'twelve ' },
    { kind: 'same', text: 'birds, left to right' },
  ]);
  assert.deepEqual(compareTexts('one', 'one two'), [
    { kind: 'same', text: 'one ' },
    { kind: 'added', text: 'two' },
  ]);
});

test('equal, empty and very long texts', () => {
  assert.deepEqual(compareTexts('same', 'same'), [{ kind: 'same', text: 'same' }]);
  assert.deepEqual(compareTexts('', ''), []);
  assert.deepEqual(compareTexts('', 'new'), [{ kind: 'added', text: 'new' }]);
  const [long, longer] = ['a '.repeat(1_000), 'b '.repeat(1_000)];
  assert.deepEqual(
    compareTexts(long, longer).map(({ kind }) => kind),
    ['removed', 'added'],
  );
});
