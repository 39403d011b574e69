// Proves when a used receipt may be forgotten: never while any clock in reason could take it for a fresh one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zeroAddress } from '#domain/address.ts';
import { createReceiptService, receiptSeconds } from './receipts.ts';

test('a used receipt is forgotten only long after its time, and so never works again', async () => {
  let now = 1_000_000;
  const used = new Map<string, number>();
  const receipts = createReceiptService({
    key: `0x${'13'.repeat(32)}`,
    chainId: 1,
    now: () => now,
    spendReceipt: async (nonce, at) => !used.has(nonce) && Boolean(used.set(nonce, at)),
    forgetReceipts: async (before) => {
      for (const [nonce, at] of used) if (at < before) used.delete(nonce);
    },
  });
  const subject = { payer: zeroAddress, action: 'claim', taskId: '1', registry: zeroAddress } as const;
  const { receipt } = await receipts.issue(subject);
  assert.equal(await receipts.redeem(receipt), true);

  // Another gateway's clock, or this one for a while, is days ahead.
  await receipts.forget(now + receiptSeconds + 6 * 86_400);
  assert.equal(await receipts.redeem(receipt), false);
  now += 8 * 86_400;
  await receipts.forget(now);
  assert.equal(used.size, 0);
  assert.equal(await receipts.redeem(receipt), false, 'its own time is over');
});
