// The words of wallet tool servers: what ends a request lets the same be asked for again, so it has to be meant.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Proof } from './proof.ts';
import type { KeptRequest } from './requestBook.ts';
import { judge } from './verdict.ts';

const asked = { request: { kind: 'calls' }, createdAt: 0 } as unknown as KeptRequest;
const proofOf = (kind: 'waiting' | 'done'): Proof => ({
  ofCalls: async () => ({ kind }),
  ofSignature: async () => false,
});
const transactionHashes = [`0x${'a'.repeat(64)}`];

test('a wallet that still waits for its owner is not taken for one that is done', async () => {
  const words = ['PENDING_CONFIRMATION', 'awaiting_signature', 'unsigned', 'Not Executed', 'incomplete'];
  for (const status of [...words, 'requires_confirmation', 'unconfirmed', 'in_progress', 'what?'])
    assert.deepEqual(await judge(asked, { status }, proofOf('waiting')), { status: 'pending', error: null });
});

test('words that end a request are understood in many forms', async () => {
  for (const [status, meant] of [
    ['REJECTED_BY_USER', 'rejected'],
    ['cancelled', 'rejected'],
    ['timed_out', 'expired'],
    ['expired', 'expired'],
    ['Failed', 'failed'],
    ['Reverted', 'failed'],
    ['broadcasted', 'submitted'],
  ])
    assert.equal((await judge(asked, { status }, proofOf('waiting'))).status, meant);
});

test('the chain has the last word on what is done, whatever the wallet says', async () => {
  for (const status of ['failed', 'rejected', 'expired', 'pending', 'completed'])
    assert.deepEqual(await judge(asked, { status, transactionHashes }, proofOf('done')), {
      status: 'settled',
      transactionHashes,
      error: null,
    });
  const claimed = await judge(asked, { status: 'completed', transactionHashes }, proofOf('waiting'));
  assert.deepEqual(claimed, { status: 'submitted', transactionHashes });
});
