// Proves how delays grow, that a success resets them, and when a poll ends.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBackoff, createTurns, pollUntil, retry, sleep } from './backoff.ts';

test('delays double up to the longest, and start again after a reset', () => {
  const backoff = createBackoff({ firstMs: 100, longestMs: 350, random: () => 1 });
  assert.deepEqual(
    [backoff.nextMs(), backoff.nextMs(), backoff.nextMs(), backoff.nextMs()],
    [100, 200, 350, 350],
  );
  backoff.reset();
  assert.equal(backoff.nextMs(), 100);
  const least = createBackoff({ firstMs: 100, longestMs: 350, random: () => 0 });
  assert.equal(least.nextMs(), 50, 'at least half of the full length');
});

test('an abort ends a wait, and a sleep that has begun, without an error', async () => {
  const controller = new AbortController();
  const sleeping = sleep(60_000, controller.signal);
  controller.abort();
  await sleeping;
  await createBackoff({ firstMs: 60_000, longestMs: 60_000 }).wait(controller.signal);
});

test('a poll returns the first value, and undefined after its timeout or an abort', async () => {
  let calls = 0;
  const look = () => (++calls === 3 ? 'found' : undefined);
  assert.equal(await pollUntil(look, { everyMs: 1 }), 'found');
  assert.equal(await pollUntil(() => undefined, { everyMs: 1, timeoutMs: 5 }), undefined);
  assert.equal(await pollUntil(() => 'never asked', { everyMs: 1, signal: AbortSignal.abort() }), undefined);
  await assert.rejects(
    pollUntil(() => Promise.reject(new Error('broken')), { everyMs: 1 }),
    /broken/,
  );
});

test('a retry returns the first success, and rejects with the last error after the last attempt', async () => {
  const options = { firstMs: 1, longestMs: 2, attempts: 3 };
  let calls = 0;
  const work = async () => {
    if (++calls % 3 !== 0) throw new Error(`failure ${calls}`);
    return calls;
  };
  assert.equal(await retry(work, options), 3);
  await assert.rejects(retry(work, { ...options, attempts: 2 }), { message: 'failure 5' });
});

test('a retry stops at a final error, and at an abort', async () => {
  const options = { firstMs: 60_000, longestMs: 60_000, attempts: 3 };
  const work = () => Promise.reject(new Error('no'));
  await assert.rejects(retry(work, { ...options, shouldRetry: () => false }), { message: 'no' });
  await assert.rejects(retry(work, { ...options, signal: AbortSignal.abort() }), { message: 'no' });
});

test('turns: new ones at once, then after pauses that double, those first that have waited longest', () => {
  const take = createTurns<string>({ firstMs: 100, longestMs: 250 });
  assert.deepEqual(take(['a', 'b', 'c'], 2, 0), ['a', 'b']);
  // A flood of new ones comes behind the one that waits.
  assert.deepEqual(take(['d', 'e', 'f', 'a', 'b', 'c'], 2, 50), ['c', 'd']);
  const times: number[] = [];
  for (let now = 60; now < 1_000; now += 10) if (take(['a'], 9, now).length > 0) times.push(now);
  assert.deepEqual(times, [100, 300, 550, 800]);
});

test('turns: one that is left out is forgotten, and comes back as new', () => {
  const take = createTurns<string>({ firstMs: 1_000, longestMs: 1_000 });
  assert.deepEqual(take(['a'], 1, 0), ['a']);
  assert.deepEqual(take(['a'], 1, 1), []);
  take([], 1, 2);
  assert.deepEqual(take(['a'], 1, 3), ['a']);
});
