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

test('a figure that could not be measured misses its target', () => {
  assert.equal(judge({ name: '', unit: 'ratio', value: Number.NaN, atLeast: 0.9 }), 'short');
  assert.equal(judge({ name: '', unit: 'ratio', value: Number.NaN, atMost: 0.9 }), 'short');
});

test('a figure without a target has no verdict', () => {
  const figure = { name: '', unit: 'perSecond', value: 12_345.6 } as const;
  assert.equal(judge(figure), '');
  assert.equal(formatTarget(figure), '');
  assert.equal(formatValue(figure.value, figure.unit), '12,346/s');
});

test('the median is the middle value, or halfway between the two in the middle, in any order', () => {
  assert.equal(median([7]), 7);
  assert.equal(median([9, 1, 5]), 5);
  assert.equal(median([10, 1, 2, 3]), 2.5);
  assert.equal(median([100, 20, 3]), 20, 'numbers are not sorted as texts');
});

test('a quantile lies where its share of the values ends', () => {
  const values = Array.from({ length: 101 }, (_, at) => at).reverse();
  assert.equal(quantile(values, 0), 0);
  assert.equal(quantile(values, 0.99), 99);
  assert.equal(quantile(values, 1), 100);
  assert.equal(quantile([0, 10], 0.25), 2.5);
});

test('a ratio is computed within each pair, so a slow phase that affects both changes nothing', () => {
  assert.equal(medianRatio([90, 9, 90], [100, 10, 100]), 0.9);
  assert.equal(medianRatio([90, 1, 80], [100, 100, 100]), 0.8);
});

test('an empty list has no median', () => {
  assert.throws(() => median([]), RangeError);
  assert.throws(() => medianRatio([1], [1, 2]), RangeError);
});

test('the measured values stay in their order', () => {
  const values = [3, 1, 2];
  median(values);
  assert.deepEqual(values, [3, 1, 2]);
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
