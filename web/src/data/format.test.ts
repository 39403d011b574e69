// Amounts and times as people read them, and the market's clock, which corrects the device's.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockOffset, showAgo, showDuration, showExactDuration, showTok, showUsd } from './format.ts';

const hour = 3_600;

test('amounts below zero have the same sign in TOK and in dollars', () => {
  assert.deepEqual([showTok(-1_500n * 10n ** 18n), showUsd(-7.5)], ['−1,500', '−$7.50']);
});

test('a duration has its two largest units, an age one, and what is signed all of them', () => {
  const durations = { 0: '0 s', 45: '45 s', 720: '12 min', 86405: '1 d', 91800: '1 d 1 h' };
  for (const [seconds, text] of Object.entries(durations)) assert.equal(showDuration(Number(seconds)), text);
  assert.equal(showExactDuration(91_800), '1 d 1 h 30 min');
  assert.equal(showExactDuration(86_405), '1 d 5 s');
  assert.deepEqual([showAgo(100, 103), showAgo(100, 91_900)], ['just now', '1 d ago']);
});

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
