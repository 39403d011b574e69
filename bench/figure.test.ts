// Proves that statistics are right, that a missed target is called short, and that a run replaces only its own table.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  buildTable,
  describeMachine,
  formatTarget,
  formatValue,
  judge,
  median,
  medianRatio,
  quantile,
  replaceBetweenMarks,
} from './figure.ts';

test('a figure is ok at its target and short beyond it', () => {
  const ratio = (value: number) => judge({ name: '', unit: 'ratio', value, atLeast: 0.9 });
  assert.deepEqual([0.89, 0.9, 1.2].map(ratio), ['short', 'ok', 'ok']);
  const time = (value: number) => judge({ name: '', unit: 'seconds', value, atMost: 2 });
  assert.deepEqual([1.9, 2, 2.01].map(time), ['ok', 'ok', 'short']);
});

test('what could not be measured misses its target, and without a target there is no verdict', () => {
  assert.equal(judge({ name: '', unit: 'ratio', value: Number.NaN, atLeast: 0.9 }), 'short');
  const figure = { name: '', unit: 'perSecond', value: 12_345.6 } as const;
  assert.deepEqual([judge(figure), formatTarget(figure)], ['', '']);
  assert.equal(formatValue(figure.value, figure.unit), '12,346/s');
});

test('medians, quantiles and ratios within pairs; the values stay in their order', () => {
  const values = [10, 1, 2, 3];
  assert.deepEqual([median([7]), median([100, 20, 3]), median(values)], [7, 20, 2.5]);
  assert.deepEqual(values, [10, 1, 2, 3]);
  assert.deepEqual([quantile([0, 10], 0.25), quantile([3, 1, 2], 1)], [2.5, 3]);
  // A slow phase that affects both changes nothing.
  assert.equal(medianRatio([90, 9, 90], [100, 10, 100]), 0.9);
  assert.throws(() => median([]), RangeError);
  assert.throws(() => medianRatio([1], [1, 2]), RangeError);
});

test('only the text between the marks of that name is replaced', () => {
  const page =
    'before\n<!-- one -->\nold\n<!-- /one -->\nbetween\n<!-- two -->\nkept\n<!-- /two -->\nafter\n';
  assert.equal(
    replaceBetweenMarks(page, 'one', 'new'),
    'before\n<!-- one -->\nnew\n<!-- /one -->\nbetween\n<!-- two -->\nkept\n<!-- /two -->\nafter\n',
  );
  assert.throws(() => replaceBetweenMarks(page, 'three', 'new'), /three/);
});

test('the table has a row for each figure, with target and verdict where there is one', () => {
  const table = buildTable([
    { name: 'reads', value: 0.954, unit: 'ratio', atLeast: 0.9 },
    { name: 'writes', value: 3.5, unit: 'seconds', atMost: 2 },
    { name: 'requests', value: 9_876, unit: 'perSecond' },
  ]);
  assert.deepEqual(table.split('\n').slice(4), [
    '| reads | 0.95 | at least 0.90 | ok |',
    '| writes | 3.50 s | at most 2.00 s | short |',
    '| requests | 9,876/s |  |  |',
  ]);
});

test('the machine is described by what figures depend on, without a name or a path', () => {
  assert.match(describeMachine(), /^\d+ \w+ cores, \w+, Node \d+, server and load [\w ]+$/);
});
