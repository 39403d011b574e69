// Proves that reads of one turn share a query, and that a failure reaches exactly those who asked.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBatchLoader } from './batchLoader.ts';

function createRecorder(known: ReadonlyMap<number, string>) {
  const loads: (readonly number[])[] = [];
  const load = createBatchLoader<string>(async (numbers) => {
    loads.push(numbers);
    if (numbers.includes(13)) throw new Error('the database is away');
    return known;
  });
  return { loads, load };
}

test('numbers asked for in one turn are loaded together, and each caller gets its own', async () => {
  const { loads, load } = createRecorder(
    new Map([
      [1, 'one'],
      [2, 'two'],
    ]),
  );
  assert.deepEqual(await Promise.all([load(2), load(1), load(3), load(2)]), ['two', 'one', null, 'two']);
  assert.deepEqual(loads, [[2, 1, 3, 2]]);
  assert.equal(await load(1), 'one');
  assert.equal(loads.length, 2);
});

test('a load that fails rejects for every caller of its batch, and the next batch works', async () => {
  const { load } = createRecorder(new Map([[1, 'one']]));
  const ends = await Promise.allSettled([load(13), load(1)]);
  assert.deepEqual(
    ends.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.equal(await load(1), 'one');
});
