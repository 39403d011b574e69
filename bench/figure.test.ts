// Proves that a figure which misses its target is called short, and never ok by accident.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatTarget, formatValue, judge } from './figure.ts';

test('a figure is ok at its target and short beyond it', () => {
  const ratio = (value: number) => judge({ name: '', unit: 'ratio', value, atLeast: 0.9 });
  assert.deepEqual([0.89, 0.9, 1.2].map(ratio), ['short', 'ok', 'ok']);
  const time = (value: number) => judge({ name: '', unit: 'seconds', value, atMost: 2 });
  assert.deepEqual([1.9, 2, 2.01].map(time), ['ok', 'ok', 'short']);
});

test('a figure that could not be measured is short where something was promised', () => {
  assert.equal(judge({ name: '', unit: 'ratio', value: Number.NaN, atLeast: 0.9 }), 'short');
  assert.equal(judge({ name: '', unit: 'ratio', value: Number.NaN, atMost: 0.9 }), 'short');
});

test('a figure without a target has no verdict', () => {
  const figure = { name: '', unit: 'perSecond', value: 12_345.6 } as const;
  assert.equal(judge(figure), '');
  assert.equal(formatTarget(figure), '');
  assert.equal(formatValue(figure.value, figure.unit), '12,346/s');
});
