// The market's clock corrects the device's.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockOffset } from './format.ts';

const hour = 3_600;

test('a device clock that is fast or slow by over a minute is corrected', () => {
  assert.equal(clockOffset({ device: 10 * hour, chain: 9 * hour, server: 9 * hour + 3 }), 3 - hour);
  assert.equal(clockOffset({ device: 8 * hour, chain: 9 * hour - 2, server: 9 * hour }), hour);
  assert.equal(clockOffset({ device: 9 * hour + 50, chain: 9 * hour, server: 9 * hour }), 0);
});

test('a chain clock that is ahead counts, one that stands still does not', () => {
  assert.equal(clockOffset({ device: 9 * hour, chain: 12 * hour, server: 9 * hour }), 3 * hour);
  assert.equal(clockOffset({ device: 9 * hour, chain: 5 * hour, server: 9 * hour }), 0);
});

test('without the server’s time only a chain that is ahead changes the clock', () => {
  assert.equal(clockOffset({ device: 10 * hour, chain: 9 * hour, server: Number.NaN }), 0);
  assert.equal(clockOffset({ device: 8 * hour, chain: 9 * hour, server: Number.NaN }), hour);
});
