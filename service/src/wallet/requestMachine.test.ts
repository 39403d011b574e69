// What moves a wallet request: the owner, the wallet's report, the chain and the clock. Ending a request allows the same
// calls to be sent again, so it must be certain.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallsOutcome } from '@svc/sdk/internal/send/callsOutcome';
import type { Hex } from 'viem';
import {
  createRequestMachine,
  lifetimeSeconds,
  type RequestChain,
  type RequestChange,
  type RequestState,
} from './requestMachine.ts';
import { parseReport } from './toolWallet.ts';

const calls = { kind: 'calls', calls: [{}, {}] } as unknown as RequestState['request'];
const signing = { kind: 'signature' } as RequestState['request'];
const hashOf = (digit: string): Hex => `0x${digit.repeat(64)}`;
const transactionHashes = [hashOf('a')];

function createMachine(outcome: CallsOutcome['kind'], made: Partial<RequestState> = {}) {
  const world = {
    now: 0,
    stored: {
      ...{ id: '1', status: 'pending', request: calls, transactionHashes: [] },
      ...{ signature: null, error: null, createdAt: 0, ...made },
    } as RequestState,
  };
  const chain: RequestChain = {
    readOutcome: async () => ({ kind: outcome, reason: 'reverted' }),
    readSignature: async (_from, _typedData, signature) => (outcome === 'done' ? signature : null),
  };
  const storage = {
    load: () => world.stored,
    change: (before: RequestState, change: RequestChange) => {
      if (before !== world.stored) return undefined;
      world.stored = { ...before, ...change };
      return world.stored;
    },
  };
  const machine = createRequestMachine({ storage, chain, now: () => world.now });
  return {
    world,
    ...machine,
    report: async (answer: Record<string, unknown>) => {
      const {
        status,
        transactionHashes: hashes,
        signature,
        error,
      } = await machine.applyReport(world.stored, parseReport(answer));
      return { status, hashes, signature, error };
    },
  };
}

test('a wallet that still waits for its owner is not taken for one that is done', async () => {
  const words = ['PENDING_CONFIRMATION', 'awaiting_signature', 'unsigned', 'Not Executed', 'incomplete'];
  for (const status of [...words, 'requires_confirmation', 'unconfirmed', 'in_progress', 'what?'])
    assert.deepEqual(await createMachine('waiting').report({ status }), {
      ...{ status: 'pending', hashes: [], signature: null, error: null },
    });
});

test('words that end a request are understood in many forms', async () => {
  for (const [status, meant] of [
    ['REJECTED_BY_USER', 'rejected'],
    ['cancelled', 'rejected'],
    ['timed_out', 'expired'],
    ['expired', 'expired'],
    ['Failed', 'failed'],
    ['Reverted', 'failed'],
    ['disapproved', 'rejected'],
    ['approved', 'submitted'],
    ['granted', 'submitted'],
    ['ok', 'submitted'],
    ['broadcasted', 'submitted'],
  ])
    assert.equal((await createMachine('waiting').report({ status })).status, meant);
});

test('a valid signature settles a request with any word but a refusal', async () => {
  const signature = `0x${'1b'.repeat(65)}`;
  const report = (answer: Record<string, unknown>) =>
    createMachine('done', { request: signing }).report(answer);
  const granting = ['succeeded', 'approved', 'signed', 'completed', 'ok', 'finalized', 'granted', 'pending'];
  for (const status of granting)
    assert.deepEqual(await report({ status, signature }), {
      ...{ status: 'settled', hashes: [], signature, error: null },
    });
  for (const status of ['rejected', 'expired', 'failed'])
    assert.deepEqual(await report({ status, signature }), {
      ...{ status, hashes: [], signature: null, error: null },
    });
  assert.equal((await report({ status: 'approved' })).status, 'submitted', 'the signature may follow');
  assert.equal((await report({ status: 'signed' })).status, 'failed', 'signed, but without a signature');
});

test('the chain has the last word, whatever the wallet reports', async () => {
  for (const status of ['failed', 'rejected', 'expired', 'pending', 'completed']) {
    const settled = await createMachine('done').report({ status, transactionHashes, error: 'x' });
    assert.deepEqual(settled, { status: 'settled', hashes: transactionHashes, signature: null, error: null });
  }
  for (const status of ['completed', 'succeeded', 'finalized']) {
    const waiting = await createMachine('waiting').report({
      status,
      result: { txHash: transactionHashes[0] },
    });
    assert.deepEqual([waiting.status, waiting.hashes], ['submitted', transactionHashes]);
    const failed = await createMachine('failed').report({ status, transactionHashes });
    assert.deepEqual([failed.status, failed.error], ['failed', 'reverted']);
  }
});

test('only the chain settles submitted calls, and the clock ends every open request after a day', async () => {
  const submitted = { status: 'submitted', transactionHashes } as const;
  const outcomes = { done: 'settled', failed: 'failed', waiting: 'submitted' } as const;
  for (const [outcome, status] of Object.entries(outcomes)) {
    const { check, world } = createMachine(outcome as CallsOutcome['kind'], submitted);
    assert.equal((await check(world.stored)).status, status);
  }
  for (const [made, status] of [
    [{}, 'expired'],
    [{ transactionHashes }, 'expired'],
    [{ status: 'submitted' }, 'expired'],
    [submitted, 'failed'],
    [{ status: 'settled' }, 'settled'],
  ] as const) {
    const { check, world } = createMachine('waiting', made);
    world.now = lifetimeSeconds;
    assert.equal((await check(world.stored)).status, world.stored.status);
    world.now++;
    assert.equal((await check(world.stored)).status, status);
  }
});

test('an owner decides once; the same decision again changes nothing', async () => {
  const { decide, world } = createMachine('waiting');
  await decide(world.stored, { status: 'sending', transactionHashes });
  await assert.rejects(decide(world.stored, { status: 'signed', signature: '0x' }), {
    code: 'WALLET_REQUEST_KIND',
  });
  const both = { status: 'submitted', transactionHashes: [hashOf('a'), hashOf('b')] } as const;
  const submitted = await decide(world.stored, { ...both, transactionHashes: [...both.transactionHashes] });
  assert.equal(
    await decide(submitted, { ...both, transactionHashes: [...both.transactionHashes] }),
    submitted,
  );
  await assert.rejects(decide(submitted, { status: 'rejected' }), { code: 'WALLET_REQUEST_DECIDED' });
});

test('who rejects the rest of a request tells the tool why, and what is done already', async () => {
  const { decide, world } = createMachine('waiting');
  const sending = await decide(world.stored, { status: 'sending', transactionHashes: [hashOf('a')] });
  const { status, error } = await decide(sending, { status: 'rejected', reason: 'Too much.' });
  assert.equal(status, 'rejected');
  assert.equal(error, 'The owner says: Too much. 1 of 2 calls were sent before and stay done.');
});

test('of two concurrent changes the first one counts for both', async () => {
  const { save, decide, world } = createMachine('waiting');
  const before = world.stored;
  const [first, second] = [
    await save(before, { status: 'rejected' }),
    await save(before, { status: 'failed' }),
  ];
  assert.deepEqual([first.status, second.status], ['rejected', 'rejected']);
  await assert.rejects(decide(before, { status: 'submitted', transactionHashes }), {
    code: 'WALLET_REQUEST_DECIDED',
  });
});
