// Proves that rounds never overlap, survive failures, and end at once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { createRounds } from './rounds.ts';

test('a round that takes longer than the pause is waited for', async () => {
  const { promise: isThird, resolve: onThird } = Promise.withResolvers<void>();
  let rounds = 0;
  let underWay = 0;
  let most = 0;
  const upkeep = createRounds({
    pauseMs: 1,
    onError: assert.ifError,
    round: async () => {
      most = Math.max(most, ++underWay);
      await setTimeout(10);
      underWay--;
      if (++rounds === 3) onThird();
    },
  });
  await isThird;
  await upkeep.close();
  assert.equal(most, 1);
});

test('a failed round is reported, and the next one runs', async () => {
  const { promise: isTwice, resolve: onTwice } = Promise.withResolvers<void>();
  const told: unknown[] = [];
  const error = new Error('the database is away');
  const upkeep = createRounds({
    pauseMs: 1,
    onError: (problem) => {
      if (told.push(problem) === 2) onTwice();
    },
    round: () => Promise.reject(error),
  });
  await isTwice;
  await upkeep.close();
  assert.equal(told[0], error);
});

test('the end waits for no silent chain, and tells the round to ask no more', async () => {
  const { promise: isAsked, resolve: onAsked } = Promise.withResolvers<AbortSignal>();
  const round = (signal: AbortSignal) => {
    onAsked(signal);
    return new Promise<never>(() => undefined);
  };
  const upkeep = createRounds({ pauseMs: 1, onError: assert.ifError, round });
  const signal = await isAsked;
  await upkeep.close();
  assert.ok(signal.aborted);
});
