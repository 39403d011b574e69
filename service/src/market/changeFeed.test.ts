// Proves that one read serves all who follow, and that nobody misses or repeats a change, however far behind.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Change } from '../store/changes.ts';
import { createChangeFeed } from './changeFeed.ts';
import { buildMessage, findStart } from './changes.ts';

function createSource(count: number) {
  const changes: Change[] = [];
  let notify = () => {};
  let asked = 0;
  const add = (more: number) => {
    for (let added = 0; added < more; added++) changes.push(buildChange(changes.length + 1));
    notify();
  };
  add(count);
  return {
    add,
    asked: () => asked,
    needs: {
      source: {
        loadChangesAfter: async (seq: number, limit: number) => {
          asked++;
          return changes.filter((change) => change.seq > seq).slice(0, limit);
        },
        loadChangeRange: async () => ({ first: 1, last: changes.length }),
      },
      listen: async (onNotice: () => void) => {
        notify = onNotice;
        return async () => undefined;
      },
    },
  };
}

function buildChange(seq: number): Change {
  return {
    kind: 'task',
    seq,
    market: 'standard',
    number: BigInt(seq),
    blockNumber: 1n,
    state: 'POSTED',
    wallets: ['0xaa00000000000000000000000000000000000000'],
    scope: 'open',
  };
}

/** Everything after `seq`, page by page, as a stream reads it. */
async function readAll(feed: Awaited<ReturnType<typeof createChangeFeed>>, seq: number): Promise<number[]> {
  const seen: number[] = [];
  for (;;) {
    const page = await feed.loadAfter(seen.at(-1) ?? seq);
    if (page.length === 0) return seen;
    seen.push(...page.map((change) => change.seq));
  }
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

test('from any point on everything comes, once and in order, also far beyond what is kept', async () => {
  const { needs, add } = createSource(3_000);
  const feed = await createChangeFeed(needs);
  const told = new Promise<void>((resolve) => feed.listen(resolve));
  add(5_000);
  await told;
  await feed.close();
  for (const seq of [0, 1, 2_999, 3_000, 5_999, 6_000, 7_999, 8_000]) {
    assert.deepEqual(await readAll(feed, seq), range(seq + 1, 8_000), `after ${seq}`);
  }
});

test('a hundred who come back cost a few reads, and those from far back none: they read the lists again', async () => {
  const { needs, asked } = createSource(20_000);
  const feed = await createChangeFeed(needs);
  await feed.loadAfter(0);
  const before = asked();
  for (let count = 0; count < 100; count++) {
    const far = await findStart(needs.source, count * 170);
    assert.deepEqual(far, { seq: 20_000, isReset: true });
    const near = await findStart(needs.source, 18_000 + 10 * count);
    assert.equal(near.isReset, false);
    assert.equal((await readAll(feed, near.seq)).length, 2_000 - 10 * count);
  }
  assert.ok(asked() - before <= 10, `${asked() - before} reads`);
  await feed.close();
});

test('thousands of streams that begin at once read once where they may, and nobody gets what was read before it came', async () => {
  const { needs } = createSource(0);
  const reads: PromiseWithResolvers<{ first: number; last: number }>[] = [];
  const feed = await createChangeFeed(needs);
  needs.source.loadChangeRange = () => {
    reads.push(Promise.withResolvers());
    return (reads.at(-1) as (typeof reads)[number]).promise;
  };
  const first = Array.from({ length: 1_000 }, () => feed.loadChangeRange());
  await new Promise(setImmediate);
  const later = Array.from({ length: 1_000 }, () => feed.loadChangeRange());
  await new Promise(setImmediate);
  assert.equal(reads.length, 1);
  reads[0]?.resolve({ first: 1, last: 7 });
  for (const range of await Promise.all(first)) assert.equal(range?.last, 7);
  await new Promise(setImmediate);
  assert.equal(reads.length, 2);
  reads[1]?.reject(new Error('away'));
  for (const { status } of await Promise.allSettled(later)) assert.equal(status, 'rejected');
  const again = feed.loadChangeRange();
  await new Promise(setImmediate);
  reads[2]?.resolve({ first: 1, last: 9 });
  assert.equal((await again)?.last, 9, 'a failure is not kept');
  await feed.close();
});

test('who stops listening is not called any more', async () => {
  const { needs, add } = createSource(0);
  const feed = await createChangeFeed(needs);
  const stop = feed.listen(() => assert.fail('called after the stop'));
  stop();
  const other = new Promise<void>((resolve) => feed.listen(resolve));
  add(1);
  await other;
  await feed.close();
});

test('a stream starts after the id it names, or with a reset where that is unknown', async () => {
  const startAt = (range: { first: number; last: number } | null, id: number | null) =>
    findStart({ loadChangeRange: async () => range }, id);
  const kept = { first: 100, last: 200 };
  assert.deepEqual(await startAt(kept, 150), { seq: 150, isReset: false });
  assert.deepEqual(await startAt(kept, 99), { seq: 99, isReset: false }, 'the first one kept comes next');
  assert.deepEqual(await startAt(kept, 200), { seq: 200, isReset: false });
  assert.deepEqual(await startAt(kept, 98), { seq: 200, isReset: true }, 'forgotten');
  assert.deepEqual(await startAt(kept, 201), { seq: 200, isReset: true }, 'never given');
  assert.deepEqual(await startAt(kept, null), { seq: 200, isReset: true });
  const long = { first: 1, last: 10_000 };
  assert.deepEqual(await startAt(long, 8_000), { seq: 8_000, isReset: false });
  assert.deepEqual(await startAt(long, 7_999), { seq: 10_000, isReset: true }, 'too far back');
  assert.deepEqual(await startAt(null, 0), { seq: 0, isReset: false });
  assert.deepEqual(await startAt(null, 7), { seq: 0, isReset: true });
});

test('a reset passes every filter', () => {
  const reset = { kind: 'reset', seq: 9 } as const;
  assert.deepEqual(buildMessage(reset, { market: 'micro', task: { market: 'micro', number: 1n } }), reset);
});
