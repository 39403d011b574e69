// Proves who waits how long: chance before the first try, longer after each failure, and nothing is remembered in vain.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPatience } from './patience.ts';

function createClock(delayMs: number, chances: readonly number[]) {
  let time = 0;
  let drawn = 0;
  const random = () => chances[drawn++ % chances.length] as number;
  const patience = createPatience({ delayMs, now: () => time, random });
  return {
    ...patience,
    wait: (milliseconds: number) => {
      time += milliseconds;
    },
  };
}

const [first, second] = [{ phase: 'first' }, { phase: 'second' }];

test('each exit waits for as long as chance has said when it was first seen', () => {
  const { choose, wait } = createClock(10_000, [0.2, 0.7]);
  assert.deepEqual(choose([first, second]), []);
  wait(2_000);
  assert.deepEqual(choose([first, second]), [first]);
  wait(5_000);
  assert.deepEqual(choose([first, second]), [first, second]);
});

test('without a delay everything is called at once', () => {
  assert.deepEqual(createClock(0, [0.9]).choose([first, second]), [first, second]);
});

test('a failure lets pass twice the time of the one before, up to five minutes', () => {
  const { choose, noteFailure, wait } = createClock(0, [1]);
  choose([first]);
  for (const pause of [2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000, 300_000]) {
    noteFailure('first');
    wait(pause - 1);
    assert.deepEqual(choose([first]), []);
    wait(1);
    assert.deepEqual(choose([first]), [first]);
  }
});

test('a phase that is gone is forgotten, and begins anew when it is back', () => {
  const { choose, noteFailure } = createClock(0, [1]);
  choose([first]);
  noteFailure('first');
  assert.deepEqual(choose([first, second]), [second]);
  assert.deepEqual(choose([second]), [second]);
  assert.deepEqual(choose([first]), [first]);
});
