// Proves that rounds never overlap, survive failures, and end at once, those that look after wallet requests as well.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { CallsOutcome } from '@svc/sdk/internal/chain/callsOutcome';
import { createRequestService } from '#requests/requestService.ts';
import type { StoredRequest } from '#store/requests.ts';
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

test('the end waits for no silent chain, and no further request is asked about', async () => {
  const due = ['one', 'two', 'three'].map((id) => ({
    id,
    status: 'submitted',
    request: { kind: 'calls' },
    transactionHashes: [],
  })) as unknown as StoredRequest[];
  const { promise: isAsked, resolve: onAsked } = Promise.withResolvers<void>();
  const { promise: answered, resolve: answer } = Promise.withResolvers<CallsOutcome>();
  let asked = 0;
  const { checkAll } = createRequestService({
    store: {
      forget: async () => undefined,
      loadTaken: async () => 0,
      free: async () => undefined,
      loadDue: async () => due,
      loadRequest: async () => undefined,
      saveRequest: async () => true,
      changeRequest: async (before) => before,
    },
    chain: {
      readOutcome: () => {
        asked++;
        onAsked();
        return answered;
      },
      readSignature: async () => null,
    },
    chainId: 8_453,
    now: () => 0,
    approvalUrl: (id) => id,
    secret: '',
  });
  const upkeep = createRounds({ pauseMs: 1, onError: assert.ifError, round: checkAll });
  await isAsked;
  await upkeep.close();
  answer({ kind: 'waiting' });
  await setImmediate();
  assert.equal(asked, 1);
});
