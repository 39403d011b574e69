// Payments that never end keep no other from being looked up.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LedgerEntry } from '../store/paymentLedger.ts';
import { createReconciling } from './reconcile.ts';

const address = `0x${'a1'.repeat(20)}` as const;
const entryOf = (number: number): LedgerEntry => ({
  payer: address,
  nonce: `0x${number}`,
  purpose: 'a claim',
  signature: '0x',
  state: 'settling',
  txHash: null,
  answer: null,
  sinceBlock: 0,
  paidNonce: null,
  amount: '1',
  payTo: address,
  validBefore: Number.MAX_SAFE_INTEGER,
  paper: null,
  createdAt: number,
  refundHash: null,
});

test('of very many payments whose authorization never ends, each round looks up others', async () => {
  const open = Array.from({ length: 120 }, (_, number) => entryOf(number));
  const asked: string[] = [];
  const { reconcile } = createReconciling({
    ledger: { listOpen: async (_now, { limit }) => open.slice(0, limit), voidPayment: assert.fail },
    settlement: {
      findOwn: async ({ nonce }) => {
        asked.push(nonce);
        return null;
      },
    },
  });
  for (let round = 0; round < 3; round++) await reconcile(1_000, address);
  assert.equal(new Set(asked).size, open.length);
});
