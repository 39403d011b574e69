import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGather } from './gather.ts';

function createRecorder(known: ReadonlyMap<number, string>) {
  const loads: (readonly number[])[] = [];
  const gather = createGather<string>(async (numbers) => {
    loads.push(numbers);
    if (numbers.includes(13)) throw new Error('the database is away');
    return known;
  });
  const ask = (number: number) => new Promise<string | null>((resolve) => gather(number, resolve));
  return { loads, ask };
}

test('what is asked for in one turn is loaded together, and each gets its own', async () => {
  const { loads, ask } = createRecorder(
    new Map([
      [1, 'one'],
      [2, 'two'],
    ]),
  );
  assert.deepEqual(await Promise.all([ask(2), ask(1), ask(3), ask(2)]), ['two', 'one', null, 'two']);
  assert.deepEqual(loads, [[2, 1, 3, 2]]);
  assert.equal(await ask(1), 'one');
  assert.equal(loads.length, 2);
});

test('a load that fails gives nobody an answer, and does not stand in the way of the next', async () => {
  const { ask } = createRecorder(new Map([[1, 'one']]));
  assert.deepEqual(await Promise.all([ask(13), ask(1)]), [null, null]);
  assert.equal(await ask(1), 'one');
});
