// Proves what a run takes on its command line, and that it says what it does not take.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRunOptions } from './options.ts';

test('three minutes and a seed of its own unless told otherwise', () => {
  const { seconds, seed, out } = parseRunOptions([]);
  assert.deepEqual([seconds, out], [180, '.svc/soak']);
  assert.ok(Number.isSafeInteger(seed));
  assert.deepEqual(parseRunOptions(['--minutes', '20', '--seed', '7', '--out', 'x']), {
    seconds: 1_200,
    seed: 7,
    out: 'x',
  });
  assert.equal(parseRunOptions(['--seconds', '8']).seconds, 8);
});

test('what is no number is refused by name', () => {
  for (const name of ['minutes', 'seconds', 'seed'])
    assert.throws(() => parseRunOptions([`--${name}`, 'many']), {
      code: 'USAGE',
      message: new RegExp(`--${name}`),
    });
});
