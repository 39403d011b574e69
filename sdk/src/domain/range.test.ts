// Adaptive ranges: smaller after a refusal, at once; larger after a success; never more work than is good for others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SvcError } from './errors.ts';
import { createRange } from './range.ts';

const refused = () => new SvcError('CHAIN_REFUSED', { reason: 'too many blocks' });

/** Answers the sizes that were asked for. */
function recordSizes(answer: (size: number) => void | Promise<void>) {
  const sizes: number[] = [];
  const question = async (size: number) => {
    sizes.push(size);
    await answer(size);
    return size;
  };
  return { sizes, question };
}

test('a refusal is followed at once by half the range, until it is taken', async () => {
  const range = createRange({ first: 1_000, largest: 10_000 });
  const { sizes, question } = recordSizes((size) => {
    if (size > 100) throw refused();
  });
  assert.equal(await range.use(question), 62);
  assert.deepEqual(sizes, [1_000, 500, 250, 125, 62]);
});

test('each success doubles the range up to the largest', async () => {
  const range = createRange({ first: 3, largest: 10 });
  const { sizes, question } = recordSizes(() => undefined);
  for (let turn = 0; turn < 4; turn++) await range.use(question);
  assert.deepEqual(sizes, [3, 6, 10, 10]);
});

test('a single block that is refused is the caller’s trouble', async () => {
  const range = createRange({ first: 2, largest: 10 });
  const { sizes, question } = recordSizes(() => {
    throw refused();
  });
  await assert.rejects(range.use(question), { code: 'CHAIN_REFUSED' });
  assert.deepEqual(sizes, [2, 1]);
});

test('any other failure is told at once, and makes the next question smaller', async () => {
  const range = createRange({ first: 8, largest: 10 });
  const { sizes, question } = recordSizes((size) => {
    if (size > 4) throw new Error('timed out');
  });
  await assert.rejects(range.use(question), /timed out/);
  await range.use(question);
  assert.deepEqual(sizes, [8, 4]);
});

test('a range whose answers are much work shrinks to what is enough, and grows again where there is less', async () => {
  let perBlock = 1;
  const of = (size: number) => size * perBlock;
  const range = createRange({ first: 1, largest: 1_000, work: { of, most: 50 } });
  const { sizes, question } = recordSizes(() => undefined);
  for (let turn = 0; turn < 7; turn++) await range.use(question);
  assert.deepEqual(sizes.splice(0), [1, 2, 4, 8, 16, 32, 32]);
  perBlock = 10;
  for (let turn = 0; turn < 3; turn++) await range.use(question);
  assert.deepEqual(sizes.splice(0), [32, 5, 5]);
  perBlock = 1_000;
  for (let turn = 0; turn < 3; turn++) await range.use(question);
  assert.deepEqual(sizes.splice(0), [5, 1, 1]);
  perBlock = 1;
  for (let turn = 0; turn < 3; turn++) await range.use(question);
  assert.deepEqual(sizes, [1, 2, 4]);
});
