// Whatever a device's clock says, what may be done now is judged by the market's.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findOffset } from './marketTime.ts';

const hour = 3_600;

test('a device that is fast or slow by more than the network takes is corrected both ways', () => {
  assert.equal(findOffset({ device: 10 * hour, chain: 9 * hour, server: 9 * hour + 3 }), 3 - hour);
  assert.equal(findOffset({ device: 8 * hour, chain: 9 * hour - 2, server: 9 * hour }), hour);
  assert.equal(findOffset({ device: 9 * hour + 50, chain: 9 * hour, server: 9 * hour }), 0);
});

test('a chain that is ahead counts, one that stands still does not', () => {
  assert.equal(findOffset({ device: 9 * hour, chain: 12 * hour, server: 9 * hour }), 3 * hour);
  assert.equal(findOffset({ device: 9 * hour, chain: 5 * hour, server: 9 * hour }), 0);
});

test('a server that does not tell its time corrects nothing but a chain that is ahead', () => {
  assert.equal(findOffset({ device: 10 * hour, chain: 9 * hour, server: Number.NaN }), 0);
  assert.equal(findOffset({ device: 8 * hour, chain: 9 * hour, server: Number.NaN }), hour);
});
