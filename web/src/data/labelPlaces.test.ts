import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spreadLabels } from './labelPlaces.ts';

const room = { gap: 16, from: 0, to: 200 };

test('labels that have room stay at their values', () => {
  assert.deepEqual(spreadLabels([10, 100, 50], room), [10, 100, 50]);
});

test('labels that would touch are moved apart, in the order of their values', () => {
  assert.deepEqual(spreadLabels([100, 98, 102], room), [114, 98, 130]);
});

test('labels at the end are moved back into the plot', () => {
  assert.deepEqual(spreadLabels([199, 195], room), [200, 184]);
});
