// Receipts and payments on both databases: used once, held by one, bound to one purpose, kept by chain.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { migrate } from '#service/store/migrate.ts';
import { createPaymentStore } from '#service/store/payments.ts';
import { createReceiptStore } from '#service/store/receipts.ts';
import { onBothDatabases } from '../support/databases.ts';

const key = { payer: `0x${'a1'.repeat(20)}`, nonce: `0x${'b2'.repeat(32)}` } as const;
const payment = { purpose: 'claim v2:standard:1', signature: '0xc3', sinceBlock: 7 } as const;
const txHash = `0x${'d4'.repeat(32)}` as const;

onBothDatabases(({ create, place, open, dialect }) => {
  test('of fifty who use a receipt at once one succeeds', async () => {
    const at = await place();
    const first = open(at);
    // SQLite's second writer would wait in this very thread for the first.
    const stores = dialect === 'postgres' ? [first, open(at)] : [first, first];
    await migrate(first);
    const uses = await Promise.all(
      Array.from({ length: 50 }, (_, turn) =>
        createReceiptStore(stores[turn % 2] as typeof first, 'chain').spendReceipt('0xAB', 1),
      ),
    );
    assert.equal(uses.filter(Boolean).length, 1);
    assert.equal(await createReceiptStore(first, 'chain').spendReceipt('0xab', 2), false);
    assert.equal(await createReceiptStore(first, 'other chain').spendReceipt('0xab', 2), true);
  });

  test('receipts of long ago are forgotten, a thousand at a time, and no others', async () => {
    const database = await create();
    const [store, other] = [
      createReceiptStore(database, 'chain'),
      createReceiptStore(database, 'other chain'),
    ];
    await database.transaction(async (tx) => {
      const rows = Array.from({ length: 1_100 }, (_, at) => `('chain', '0x${at}', ${at})`).join();
      await tx.query(`INSERT INTO used_receipts (identity, nonce, used_at) VALUES ${rows}`);
    });
    await other.spendReceipt('0x1', 1);
    const count = async () => (await database.query('SELECT nonce FROM used_receipts')).length;
    await store.forgetReceipts(1_050);
    assert.equal(await count(), 101);
    await store.forgetReceipts(1_050);
    await store.forgetReceipts(1_050);
    assert.equal(await count(), 51);
    assert.equal(await store.spendReceipt('0x1050', 9_999), false);
    assert.equal(await other.spendReceipt('0x1', 9_999), false);
  });

  test('of twenty who take hold of a payment at once one holds it, until its time is over', async () => {
    const store = createPaymentStore(await create(), 'chain');
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
    const store = createPaymentStore(await create(), 'chain');
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

  test('an answer is kept with its payment, as often as its holder says it, and letting go loses nothing', async () => {
    const store = createPaymentStore(await create(), 'chain');
    await store.holdPayment(key, payment, { now: 100, until: 120, holder: 'one' });
    await store.saveSettled(key, txHash);
    assert.equal(await store.saveAnswered(key, 'one', '{"calls":[]}'), true);
    assert.equal(await store.saveAnswered(key, 'one', '{"calls":[]}'), true);
    await store.releasePayment(key, 'one');
    assert.equal(await store.holdPayment(key, payment, { now: 101, until: 121, holder: 'two' }), null);
    const kept = { ...payment, state: 'answered', txHash, answer: '{"calls":[]}' };
    assert.deepEqual(await store.loadPayment(key), kept);
  });

  test('a payment is held for its purpose and with its signature only', async () => {
    const store = createPaymentStore(await create(), 'chain');
    const time = { now: 100, until: 100, holder: 'one' };
    await store.holdPayment(key, payment, time);
    for (const other of [{ purpose: 'claim v2:standard:2' }, { signature: '0xc4' as const }])
      assert.equal(await store.holdPayment(key, { ...payment, ...other }, time), null);
    assert.notEqual(await store.holdPayment(key, payment, time), null);
  });

  test('a payment is settled, then answered, and then nobody’s any more', async () => {
    const database = await create();
    const store = createPaymentStore(database, 'chain');
    const time = { now: 100, until: 100, holder: 'one' };
    await store.holdPayment(key, payment, time);
    assert.equal(await store.saveAnswered(key, 'one', '{}'), false);
    assert.equal((await store.loadPayment(key))?.state, 'settling', 'nothing is answered unpaid');
    await store.saveSettled(key, txHash);
    assert.deepEqual(await store.holdPayment(key, payment, time), {
      ...payment,
      state: 'settled',
      txHash,
      answer: null,
    });
    assert.equal(await store.saveAnswered(key, 'one', '{}'), true);
    await store.saveSettled(key, `0x${'ff'.repeat(32)}`);
    assert.deepEqual(await store.loadPayment(key), { ...payment, state: 'answered', txHash, answer: '{}' });
    assert.equal(await store.holdPayment(key, payment, { ...time, now: 999 }), null);
    assert.equal(await createPaymentStore(database, 'other chain').loadPayment(key), null);
  });
});
