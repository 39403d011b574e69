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
    const sentAt = await pace.take(1, signal);
    time += 2;
    const lately = taken.filter((at) => at > time - 1_000).length;
    if (lately < limit) taken.push(time);
    else {
      refused++;
      pace.slowDown(sentAt, 0);
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
  pace.slowDown(await pace.take(1, signal), 5_000);
  assert.equal(pace.waitMs(), 5_000);
  time = 5_000;
  assert.equal(pace.waitMs(), 0);
});

test('an endpoint that is rarely asked is not kept slow by a refusal of long ago', async () => {
  let time = 0;
  const pace = createPace(() => time);
  pace.slowDown(await pace.take(1, signal), 0);
  time = 30_000;
  for (let call = 0; call < 20; call++) await pace.take(3, signal);
  assert.ok(pace.waitMs() < 1_000, `${pace.waitMs()} ms`);
});

test('answers that come late, as on a busy machine, do not lower the rate to nothing', async () => {
  let time = 0;
  const pace = createPace(() => time);
  const sentAt = await Promise.all(Array.from({ length: 40 }, () => pace.take(1, signal)));
  time = 5_000;
  // Fifteen of a burst of forty are refused, which is known only seconds later: one refusal, not fifteen.
  for (const at of sentAt.slice(25)) pace.slowDown(at, 0);
  time += pace.waitMs();
  await pace.take(30, signal);
  const wait = pace.waitMs();
  assert.ok(wait > 900 && wait < 1_100, `${wait} ms for 30 calls`);
});

test('the refusal of a single call slows down for seconds only', async () => {
  let time = 0;
  const pace = createPace(() => time);
  pace.slowDown(await pace.take(1, signal), 0);
  time = 6_000;
  // Twelve calls of a few users at once, where each waits for two seconds at most.
  for (let call = 0; call < 4; call++) pace.take(3, signal);
  assert.ok(pace.waitMs() < 2_000, `${pace.waitMs()} ms`);
});

test('many calls that wait at a low rate do not keep others away once the rate has grown', async () => {
  let time = 0;
  const pace = createPace(() => time);
  pace.slowDown(await pace.take(1, signal), 0);
  time = 1_000;
  // A batch, as of someone who prepares a post just after an endpoint refused everything.
  await pace.take(40, signal);
  assert.ok(pace.waitMs() > 10_000, `${pace.waitMs()} ms`);
  time = 4_000;
  assert.ok(pace.waitMs() < 3_000, `${pace.waitMs()} ms`);
});

test('a pause that an endpoint asked for does not become shorter', async () => {
  let time = 0;
  const pace = createPace(() => time);
  const [first, second] = [await pace.take(1, signal), await pace.take(1, signal)];
  pace.slowDown(first, 5_000);
  time = 3_000;
  assert.equal(pace.waitMs(), 2_000);
  pace.slowDown(second, 9_000);
  time = 5_000;
  assert.equal(pace.waitMs(), 4_000);
});
