// Proves how fast an endpoint is asked: without limit until it refuses, then below its limit and close to it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPace } from './pace.ts';

const signal = new AbortController().signal;

/** An endpoint with a limit, and a clock that moves as far as each call waits. */
async function play(limit: number, seconds: number) {
  let time = 1_000;
  const pace = createPace(() => time);
  const taken: number[] = [];
  let refused = 0;
  while (time < 1_000 + seconds * 1_000) {
    time += pace.waitMs();
    // Sending takes a moment.
    await pace.take(1, signal);
    time += 2;
    const lately = taken.filter((at) => at > time - 1_000).length;
    if (lately < limit) taken.push(time);
    else {
      refused++;
      pace.slowDown(0);
    }
  }
  return { perSecond: taken.length / seconds, refused };
}

test('without a refusal nothing waits', async () => {
  const pace = createPace();
  for (let call = 0; call < 100; call++) await pace.take(10, signal);
  assert.equal(pace.waitMs(), 0);
});

for (const limit of [5, 25, 100]) {
  test(`a limit of ${limit} calls a second is used well, and rarely exceeded`, async () => {
    const { perSecond, refused } = await play(limit, 30);
    assert.ok(perSecond > 0.6 * limit, `${perSecond} a second`);
    assert.ok(refused < 12, `${refused} refusals in half a minute`);
  });
}

test('the wait that an endpoint asks for is kept', async () => {
  let time = 0;
  const pace = createPace(() => time);
  await pace.take(1, signal);
  pace.slowDown(5_000);
  assert.equal(pace.waitMs(), 5_000);
  time = 5_000;
  assert.equal(pace.waitMs(), 0);
});

test('an endpoint that is rarely asked is not kept slow by a refusal of long ago', async () => {
  let time = 0;
  const pace = createPace(() => time);
  await pace.take(1, signal);
  pace.slowDown(0);
  time = 30_000;
  for (let call = 0; call < 20; call++) await pace.take(3, signal);
  assert.ok(pace.waitMs() < 1_000, `${pace.waitMs()} ms`);
});
