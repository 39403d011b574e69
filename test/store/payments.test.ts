// Receipts and payments on both databases: used once, held by one, bound to one purpose, kept by chain.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '#service/store/database.ts';
import { createPaymentLedger } from '#service/store/paymentLedger.ts';
import { createPaymentStore } from '#service/store/payments.ts';
import { createReceiptStore } from '#service/store/receipts.ts';
import { onBothDatabases } from '../support/databases.ts';

const key = { payer: `0x${'a1'.repeat(20)}`, nonce: `0x${'b2'.repeat(32)}` } as const;
const payTo = `0x${'e5'.repeat(20)}` as const;
const bound = { purpose: 'claim v2:standard:1', signature: '0xc3', sinceBlock: 7, payTo } as const;
const payment = { ...bound, amount: '10000', validBefore: 400, paper: '{}' } as const;
const txHash = `0x${'d4'.repeat(32)}` as const;

onBothDatabases(({ create, createPair }) => {
  test('of fifty who use a receipt at once one succeeds', async () => {
    const databases = await createPair();
    const [first] = databases;
    const stores = databases.map((database) => createReceiptStore(database));
    const uses = await Promise.all(
      Array.from({ length: 50 }, (_, turn) => stores[turn % 2]?.spendReceipt('0xAB', 1)),
    );
    assert.equal(uses.filter(Boolean).length, 1);
    assert.equal(await createReceiptStore(first).spendReceipt('0xab', 2), false);
  });

  test('receipts of long ago are forgotten, a thousand at a time, and no others', async () => {
    const database = await create();
    const store = createReceiptStore(database);
    await database.transaction(async (tx) => {
      const rows = Array.from({ length: 1_100 }, (_, at) => `('0x${at}', ${at})`).join();
      await tx.query(`INSERT INTO used_receipts (nonce, used_at) VALUES ${rows}`);
    });
    const count = async () => (await database.query('SELECT nonce FROM used_receipts')).length;
    await store.forgetReceipts(1_050);
    assert.equal(await count(), 100);
    await store.forgetReceipts(1_050);
    await store.forgetReceipts(1_050);
    assert.equal(await count(), 50);
    assert.equal(await store.spendReceipt('0x1050', 9_999), false);
  });

  test('of twenty who take hold of a payment at once one holds it, until its time is over', async () => {
    const store = createPaymentStore(await create());
    const take = (now: number, holder = 'other') =>
      store.holdPayment(key, payment, { now, until: now + 20, holder });
    const held = await Promise.all(Array.from({ length: 20 }, () => take(100)));
    assert.equal(held.filter((one) => one !== null).length, 1);
    assert.equal(await take(119), null);
    assert.equal((await take(120, 'last'))?.state, 'settling');
    await store.releasePayment(key, 'last');
    assert.equal((await take(121))?.sinceBlock, 7);
  });

  test('who held a payment for too long can neither answer for it nor let go of it', async () => {
    const store = createPaymentStore(await create());
    await store.holdPayment(key, payment, { now: 100, until: 120, holder: 'slow' });
    await store.saveSettled(key, txHash);
    await store.holdPayment(key, payment, { now: 120, until: 140, holder: 'quick' });
    assert.equal(await store.saveAnswered(key, 'slow', '{}'), false);
    await store.releasePayment(key, 'slow');
    assert.equal(await store.holdPayment(key, payment, { now: 121, until: 141, holder: 'third' }), null);
    assert.equal(await store.saveAnswered(key, 'quick', '{}'), true);
    assert.equal(await store.saveAnswered(key, 'slow', '{}'), false);
    await store.releasePayment(key, 'slow');
    assert.equal((await store.loadPayment(key))?.state, 'answered');
  });

  test('a payment is held for its purpose and with its signature only', async () => {
    const store = createPaymentStore(await create());
    const time = { now: 100, until: 100, holder: 'one' };
    await store.holdPayment(key, payment, time);
    for (const other of [{ purpose: 'claim v2:standard:2' }, { signature: '0xc4' as const }])
      assert.equal(await store.holdPayment(key, { ...payment, ...other }, time), null);
    assert.notEqual(await store.holdPayment(key, payment, time), null);
  });

  test('a payment is settled, then answered, and then nobody’s any more', async () => {
    const database = await create();
    const store = createPaymentStore(database);
    const time = { now: 100, until: 100, holder: 'one' };
    await store.holdPayment(key, payment, time);
    assert.equal(await store.saveAnswered(key, 'one', '{}'), false);
    assert.equal((await store.loadPayment(key))?.state, 'settling', 'nothing is answered unpaid');
    await store.saveSettled(key, txHash);
    const kept = { ...bound, paidNonce: null, txHash };
    assert.deepEqual(await store.holdPayment(key, payment, time), {
      ...kept,
      state: 'settled',
      answer: null,
    });
    for (const _ of [1, 2]) assert.equal(await store.saveAnswered(key, 'one', '{}'), true);
    await store.releasePayment(key, 'one');
    await store.saveSettled(key, `0x${'ff'.repeat(32)}`);
    assert.deepEqual(await store.loadPayment(key), { ...kept, state: 'answered', answer: '{}' });
    assert.equal(await store.holdPayment(key, payment, { ...time, now: 999 }), null);
  });

  const second = { ...key, nonce: `0x${'b3'.repeat(32)}` } as const;
  const paidOn = async (database: Database, amount: string = payment.amount) => {
    const store = createPaymentStore(database);
    await store.holdPayment(key, { ...payment, amount }, { now: 100, until: 120, holder: 'first' });
    await store.saveSettled(key, txHash);
    return { store, ledger: createPaymentLedger(database) };
  };
  const take = { purpose: 'claim v2:standard:2', signature: '0xc4' } as const;
  const soon = { now: 120, until: 140, holder: 'second' };

  test('unused money pays for one other thing: of thirty at once, of two gateways, one gets it', async () => {
    const databases = await createPair();
    const [first] = databases;
    const { store } = await paidOn(first);
    const moved = await Promise.all(
      Array.from({ length: 30 }, (_, turn) => {
        const nonce = `0x${String(turn).padStart(64, '0')}` as const;
        const ledger = createPaymentLedger(databases[turn % 2] as Database);
        const time = { ...soon, holder: `holder ${turn}` };
        return ledger.moveCredit({ ...key, nonce }, { ...payment, ...take }, time);
      }),
    );
    const [got, ...more] = moved.filter((one) => one !== null);
    const settled = { state: 'settled', txHash, answer: null, paidNonce: key.nonce };
    assert.deepEqual(got, { ...bound, ...take, ...settled });
    assert.deepEqual(more, []);
    // What brought the money is used up, also for its own purpose and for an older version.
    assert.equal(await store.saveAnswered(key, 'first', '{}'), false);
    assert.equal(await store.holdPayment(key, payment, { ...soon, now: 9_999 }), null);
    const [row] = await first.query<{ heldUntil: number }>(
      `SELECT held_until FROM payments WHERE state = 'moved'`,
    );
    assert.ok((row?.heldUntil ?? 0) > 2 ** 50);
  });

  test('unused money is of its payer, of its amount to the unit, and of nobody while a request holds it', async () => {
    for (const amount of ['1', '10000', String(2n ** 96n)]) {
      const { ledger } = await paidOn(await create(), amount);
      const move = (other: object, time = soon) =>
        ledger.moveCredit({ ...second, ...other }, { ...payment, ...take, amount, ...other }, time);
      assert.equal(await move({ payer: `0x${'a2'.repeat(20)}` }), null, 'another wallet');
      assert.equal(await move({ amount: String(BigInt(amount) + 1n) }), null, 'a dearer one');
      assert.equal(await move({ amount: String(BigInt(amount) - 1n) }), null, 'a cheaper one');
      assert.equal(await move({}, { ...soon, now: 119 }), null, 'held');
      assert.equal(await ledger.moveCredit(key, { ...payment, amount }, soon), null, 'itself');
      assert.equal((await move({}))?.txHash, txHash);
      assert.equal(await move({ nonce: `0x${'b4'.repeat(32)}` }), null, 'held again');
    }
  });

  test('money that was moved and not answered for moves on, with the authorization that brought it', async () => {
    const { store, ledger } = await paidOn(await create());
    const third = { ...key, nonce: `0x${'b4'.repeat(32)}` } as const;
    await ledger.moveCredit(second, { ...payment, ...take }, soon);
    await store.releasePayment(second, 'second');
    const again = await ledger.moveCredit(third, { ...payment, ...take }, { ...soon, holder: 'third' });
    assert.equal(again?.paidNonce, key.nonce);
    assert.equal(await store.saveAnswered(second, 'second', '{}'), false);
    assert.equal(await store.saveAnswered(third, 'third', '{}'), true);
    assert.deepEqual(await ledger.listOpen(9_999, { limit: 9 }), []);
  });

  test('money is refunded or used, never both', async () => {
    const from = `0x${'f6'.repeat(20)}` as const;
    for (const isRefundFirst of [true, false]) {
      const { store, ledger } = await paidOn(await create());
      assert.equal(await ledger.beginRefund(key, from, 119), null, 'held');
      const refund = () => ledger.beginRefund(key, from, 120);
      const use = () => ledger.moveCredit(second, { ...payment, ...take }, soon);
      const [refunded, used] = isRefundFirst
        ? [await refund(), await use()]
        : await use().then(async (first) => [await refund(), first]);
      assert.deepEqual([refunded !== null, used !== null], [isRefundFirst, !isRefundFirst]);
      // A slow request that still thinks it holds the payment neither answers nor gives it back.
      assert.equal(await store.saveAnswered(key, 'first', '{}'), false);
      await store.releasePayment(key, 'first');
      assert.equal(await store.holdPayment(key, payment, { ...soon, now: 9_999 }), null);
    }
    const { ledger } = await paidOn(await create());
    await ledger.beginRefund(key, from, 120);
    assert.equal(await ledger.beginRefund(key, `0x${'f7'.repeat(20)}`, 120), null, 'from another account');
    assert.equal(
      (await ledger.beginRefund(key, from, 120))?.amount,
      '10000',
      'goes on after an interruption',
    );
    await ledger.endRefund(key, txHash);
    assert.equal(await ledger.beginRefund(key, from, 120), null, 'done');
    assert.equal((await ledger.load(key))?.state, 'refunded');
  });
});
