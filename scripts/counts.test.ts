// Proves that counts are read from what the runners print, and that their absence is noticed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatFailure, parseCounts, parseFailures, parseSolidityCounts } from './counts.ts';

test('the last closing line counts, and only a line of its own', () => {
  assert.deepEqual(parseCounts('1 passed, 1 failed\nnoise\n12 passed, 0 failed\n'), {
    passed: 12,
    failed: 0,
  });
  assert.equal(parseCounts('in all 12 passed, 0 failed today'), undefined);
});

test('a failure is reported in one line that can be found in the whole output', () => {
  const line = formatFailure('test/a.test.ts', 'it holds', '\u001b[31mError: no\u001b[39m\n    at here');
  assert.equal(line, 'FAILED test/a.test.ts: it holds: Error: no');
  assert.deepEqual(parseFailures(`noise\n${line}\n  FAILED not at the start\n1 passed, 1 failed\n`), [line]);
  assert.deepEqual(parseFailures('12 passed, 0 failed\n'), []);
});

test('the Solidity summary is read with and without colours and failures', () => {
  assert.deepEqual(parseSolidityCounts('\n  18 passing\n'), { passed: 18, failed: 0 });
  assert.deepEqual(
    parseSolidityCounts('\n  \u001b[32m17 passing\u001b[39m\n  \u001b[31m1 failing\u001b[39m\n'),
    {
      passed: 17,
      failed: 1,
    },
  );
  assert.equal(parseSolidityCounts('Error HHE910: Compilation failed'), undefined);
});
