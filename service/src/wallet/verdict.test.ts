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
    ['disapproved', 'rejected'],
    ['approved', 'submitted'],
    ['granted', 'submitted'],
    ['ok', 'submitted'],
    ['broadcasted', 'submitted'],
  ])
    assert.equal((await judge(asked, { status }, proofOf('waiting'))).status, meant);
});

test('a signature that proves good is one, whatever word comes with it but a refusal', async () => {
  const signing = { ...asked, request: { kind: 'signature' } } as unknown as KeptRequest;
  const proof: Proof = { ...proofOf('waiting'), ofSignature: async () => true };
  const signature = `0x${'1b'.repeat(65)}`;
  for (const status of [
    'succeeded',
    'approved',
    'signed',
    'completed',
    'ok',
    'finalized',
    'granted',
    'pending',
  ])
    assert.deepEqual(await judge(signing, { status, signature }, proof), { status: 'settled', signature });
  for (const status of ['rejected', 'expired', 'failed'])
    assert.deepEqual(await judge(signing, { status, signature }, proof), { status, error: null });
  const approved = await judge(signing, { status: 'approved' }, proof);
  assert.deepEqual(approved, { status: 'submitted', error: null }, 'it may still come');
});

test('the chain has the last word on what is done, whatever the wallet says', async () => {
  for (const status of ['failed', 'rejected', 'expired', 'pending', 'completed'])
    assert.deepEqual(await judge(asked, { status, transactionHashes }, proofOf('done')), {
      status: 'settled',
      transactionHashes,
      error: null,
    });
  for (const status of ['completed', 'succeeded', 'finalized'])
    assert.deepEqual(await judge(asked, { status, transactionHashes }, proofOf('waiting')), {
      status: 'submitted',
      transactionHashes,
    });
});
