// Proves what a receipt is bound to, and when a used one may be forgotten: never while any clock could take it for fresh.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zeroAddress } from '@svc/sdk/domain';
import type { Hex } from 'viem';
import { createReceiptService, type ReceiptSubject, receiptSeconds } from './receipts.ts';

const other = `0x${'22'.repeat(20)}` as const;
const subject: ReceiptSubject = {
  payer: zeroAddress,
  action: 'claim',
  taskId: 'v2:standard:1',
  registry: zeroAddress,
};
const [oldKey, newKey] = [`0x${'13'.repeat(32)}`, `0x${'14'.repeat(32)}`] as const;

function createReceipts(needs: Partial<Parameters<typeof createReceiptService>[0]> = {}) {
  return createReceiptService({
    key: oldKey,
    chainId: 1,
    now: () => 1_000_000,
    loadReceiptSecret: async () => 'secret',
    spendReceipt: async () => true,
    forgetReceipts: async () => undefined,
    ...needs,
  });
}

const changes: readonly Partial<ReceiptSubject>[] = [
  { payer: other },
  { action: 'leave' },
  { taskId: 'v2:standard:2' },
  { registry: other },
];

for (const change of changes) {
  test(`a receipt is of no use for another ${Object.keys(change)}, asked for or written into it`, async () => {
    const receipts = createReceipts();
    const { receipt, header } = await receipts.issue(subject);
    assert.deepEqual(await receipts.verify(header.value, subject), receipt);
    const asked = { ...subject, ...change };
    assert.equal(await receipts.verify(header.value, asked), null);
    const rewritten = Buffer.from(JSON.stringify({ ...receipt, ...change })).toString('base64url');
    for (const about of [subject, asked]) assert.equal(await receipts.verify(rewritten, about), null);
  });
}

test('while gateways change their key, each takes the receipts of both, and afterwards of the new one only', async () => {
  const [old, fresh] = [
    await createReceipts().issue(subject),
    await createReceipts({ key: newKey }).issue(subject),
  ];
  const takes = async (key: Hex, otherKey?: Hex) => {
    const gateway = createReceipts({ key, otherKey });
    return Promise.all(
      [old, fresh].map(async ({ header }) => (await gateway.verify(header.value, subject)) !== null),
    );
  };
  assert.deepEqual(await takes(oldKey), [true, false]);
  assert.deepEqual(await takes(oldKey, newKey), [true, true]);
  assert.deepEqual(await takes(newKey, oldKey), [true, true]);
  assert.deepEqual(await takes(newKey), [false, true]);
});

test('a used receipt is forgotten only long after its time, and so never works again', async () => {
  let now = 1_000_000;
  const used = new Map<string, number>();
  const receipts = createReceipts({
    now: () => now,
    spendReceipt: async (nonce, at) => !used.has(nonce) && Boolean(used.set(nonce, at)),
    forgetReceipts: async (before) => {
      for (const [nonce, at] of used) if (at < before) used.delete(nonce);
    },
  });
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
