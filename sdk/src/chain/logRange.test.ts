// Proves the adaptive range: smaller after a refusal, larger after a success, limited by the work of an answer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SvcError } from '#domain/errors.ts';
import { createRange } from './logRange.ts';

const refused = () => new SvcError('CHAIN_REFUSED', { reason: 'too many blocks' });

/** Records the requested sizes. */
function recordSizes(answer: (size: number) => void | Promise<void>) {
  const sizes: number[] = [];
  const request = async (size: number) => {
    sizes.push(size);
    await answer(size);
    return size;
  };
  return { sizes, request };
}

test('each success doubles the range up to the largest', async () => {
  const range = createRange({ first: 3, largest: 10 });
  const { sizes, request } = recordSizes(() => undefined);
  for (let round = 0; round < 4; round++) await range.use(request);
  assert.deepEqual(sizes, [3, 6, 10, 10]);
});

test('the refusal of a single block is thrown', async () => {
  const range = createRange({ first: 2, largest: 10 });
  const { sizes, request } = recordSizes(() => {
    throw refused();
  });
  await assert.rejects(range.use(request), { code: 'CHAIN_REFUSED' });
  assert.deepEqual(sizes, [2, 1]);
});

test('an answer that does not come in time is thrown at once and halves the next range', async () => {
  const range = createRange({ first: 8, largest: 10 });
  const { sizes, request } = recordSizes((size) => {
    if (size > 4)
      throw new SvcError(
        'CHAIN_UNREACHABLE',
        { reason: '' },
        Object.assign(new Error(), { isTimeout: true }),
      );
  });
  await assert.rejects(range.use(request), { code: 'CHAIN_UNREACHABLE' });
  await range.use(request);
  assert.deepEqual(sizes, [8, 4]);
});

test('any other failure, for example a rate limit, leaves the range as it is', async () => {
  const range = createRange({ first: 8, largest: 8 });
  let failures = 1;
  const { sizes, request } = recordSizes(() => {
    if (failures-- > 0) throw new SvcError('CHAIN_UNREACHABLE', { reason: '429' }, new Error('429'));
  });
  await assert.rejects(range.use(request), { code: 'CHAIN_UNREACHABLE' });
  await range.use(request);
  assert.deepEqual(sizes, [8, 8]);
});

test('the limit of a provider is found by a search and not exceeded again', async () => {
  const range = createRange({ first: 2_000, largest: 10_000 });
  const { sizes, request } = recordSizes((size) => {
    if (size > 500) throw refused();
  });
  for (let round = 0; round < 50; round++) await range.use(request);
  const exceeding = sizes.filter((size) => size > 500);
  assert.deepEqual(exceeding, [2_000, 1_000, 750, 625, 562]);
  assert.ok((sizes.at(-1) as number) >= 450);
});

test('a range shrinks when its answers cause too much work, and grows again when they cause less', async () => {
  let perBlock = 1;
  const of = (size: number) => size * perBlock;
  const range = createRange({ first: 1, largest: 1_000, work: { of, most: 50 } });
  const { sizes, request } = recordSizes(() => undefined);
  for (let round = 0; round < 7; round++) await range.use(request);
  assert.deepEqual(sizes.splice(0), [1, 2, 4, 8, 16, 32, 32]);
  perBlock = 10;
  for (let round = 0; round < 3; round++) await range.use(request);
  assert.deepEqual(sizes.splice(0), [32, 5, 5]);
  perBlock = 1_000;
  for (let round = 0; round < 3; round++) await range.use(request);
  assert.deepEqual(sizes.splice(0), [5, 1, 1]);
  perBlock = 1;
  for (let round = 0; round < 3; round++) await range.use(request);
  assert.deepEqual(sizes, [1, 2, 4]);
});
