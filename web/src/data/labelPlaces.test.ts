import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spreadLabels } from './labelPlaces.ts';

const room = { gap: 16, from: 0, to: 200 };

test('labels stay at their values, are moved apart in their order where they would touch, and back into the plot', () => {
  for (const [values, places] of [
    [
      [10, 100, 50],
      [10, 100, 50],
    ],
    [
      [100, 98, 102],
      [114, 98, 130],
    ],
    [
      [199, 195],
      [200, 184],
    ],
  ] as const)
    assert.deepEqual(spreadLabels(values, room), places);
});
