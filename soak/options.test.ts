// Proves which options a run accepts and rejects.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRunOptions } from './options.ts';

test('the default is three minutes and a random seed', () => {
  const { seconds, seed, out } = parseRunOptions([]);
  assert.deepEqual([seconds, out], [180, '.svc/soak']);
  assert.ok(Number.isSafeInteger(seed));
  assert.deepEqual(parseRunOptions(['--minutes', '20', '--seed', '7', '--out', 'x']), {
    seconds: 1_200,
    seed: 7,
    out: 'x',
    latencyMs: 0,
    faults: null,
  });
  assert.equal(parseRunOptions(['--latency', '150']).latencyMs, 150);
  assert.deepEqual(parseRunOptions(['--faults', 'kill all, reorg']).faults, ['kill all', 'reorg']);
  assert.equal(parseRunOptions(['--seconds', '8']).seconds, 8);
});

test('an option that is not a number is rejected by name', () => {
  for (const name of ['minutes', 'seconds', 'seed', 'latency'])
    assert.throws(() => parseRunOptions([`--${name}`, 'many']), {
      code: 'USAGE',
      message: new RegExp(`--${name}`),
    });
});
