// Proves the adaptive range: smaller after a refusal, larger after a success, limited by the work of an answer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SvcError } from '@svc/sdk/domain';
import { createRange } from './logRange.ts';

const refused = () => new SvcError('CHAIN_REFUSED', { reason: 'too many blocks' });
const timeout = Object.assign(new Error(), { isTimeout: true });
const away = (cause?: Error) => new SvcError('CHAIN_UNREACHABLE', { reason: '' }, cause);

type Fail = (size: number, asked: number) => Error | false;

/** Uses a range so many times; answers the sizes that it asked for, and how each use ended. */
async function play(first: number, largest: number, rounds: number, fail: Fail) {
  const range = createRange({ first, largest });
  const [sizes, ends]: [number[], string[]] = [[], []];
  const request = async (size: number) => {
    const error = fail(size, sizes.push(size));
    if (error) throw error;
    return 'answered';
  };
  for (let round = 0; round < rounds; round++) ends.push(await range.use(request).catch(({ code }) => code));
  return { sizes, ends };
}

const isLate: Fail = (size) => size > 4 && away(timeout);
const never: Fail = () => false;
const isBusy: Fail = (_, asked) => asked === 1 && away();
for (const [what, first, largest, fail, sizes, ends] of [
  ['each success doubles the range up to the largest', 3, 10, never, [3, 6, 10], Array(3).fill('answered')],
  ['the refusal of a single block is thrown', 2, 10, refused, [2, 1], ['CHAIN_REFUSED']],
  [
    'a late answer is thrown and halves the next range',
    8,
    10,
    isLate,
    [8, 4],
    ['CHAIN_UNREACHABLE', 'answered'],
  ],
  ['any other failure leaves the range as it is', 8, 8, isBusy, [8, 8], ['CHAIN_UNREACHABLE', 'answered']],
] as const)
  test(what, async () => {
    assert.deepEqual(await play(first, largest, ends.length, fail), { sizes, ends });
  });

test('the limit of a provider is found by a search and not exceeded again', async () => {
  const { sizes } = await play(2_000, 10_000, 50, (size) => size > 500 && refused());
  const exceeding = sizes.filter((size) => size > 500);
  assert.deepEqual(exceeding, [2_000, 1_000, 750, 625, 562]);
  assert.ok((sizes.at(-1) as number) >= 450);
});

test('where everything was refused for a while, the range is soon as large as before', async () => {
  for (const refusals of [3, 7, 20]) {
    const isRefused: Fail = (_, asked) => asked > 3 && asked <= 3 + refusals && refused();
    const { sizes } = await play(500, 2_000, 60, isRefused);
    const after = sizes.slice(3 + refusals, 3 + refusals + 30);
    assert.ok(after.includes(2_000), after.join());
  }
});

test('a range shrinks when its answers cause too much work, and grows again when they cause less', async () => {
  let perBlock = 1;
  const work = { of: (size: number) => size * perBlock, most: 50 };
  const range = createRange({ first: 1, largest: 1_000, work });
  for (const [cost, sizes] of [
    [1, [1, 2, 4, 8, 16, 32, 32]],
    [10, [32, 5, 5]],
    [1_000, [5, 1, 1]],
    [1, [1, 2, 4]],
  ] as const) {
    perBlock = cost;
    for (const size of sizes) assert.equal(await range.use(async (asked) => asked), size);
  }
});
