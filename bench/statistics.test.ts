// Proves that the figures of a run are what their names say.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { median, medianRatio, quantile } from './statistics.ts';

test('the median is the middle value, or halfway between the two in the middle, in whatever order they came', () => {
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

test('a ratio is taken within each pair, so a slow spell that hits both of a pair changes nothing', () => {
  assert.equal(medianRatio([90, 9, 90], [100, 10, 100]), 0.9);
  assert.equal(medianRatio([90, 1, 80], [100, 100, 100]), 0.8);
});

test('nothing is reported of nothing', () => {
  assert.throws(() => median([]), RangeError);
  assert.throws(() => medianRatio([1], [1, 2]), RangeError);
});

test('the measured values stay in their order', () => {
  const values = [3, 1, 2];
  median(values);
  assert.deepEqual(values, [3, 1, 2]);
});
