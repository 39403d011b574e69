// What a wallet received and paid, and the same as CSV.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMoney, sumMonths, writePaymentsCsv } from './earnings.ts';

const wei = 10n ** 18n;
const tok = (amount: number) => `${amount}000000000000000000`;
const amount = (kind: string, tok: string) => ({ kind, amount: tok }) as never;

test('a poster paid what did not come back, a worker and an arbitrator received; an own bond that came back is neither', () => {
  const poster = [amount('funded', '1000'), amount('refunded', '300'), amount('accessFee', '10.5')];
  assert.deepEqual(readMoney(poster), {
    received: 0n,
    paid: 710_500000000000000000n,
    returned: 300n * wei,
  });
  const worker = [amount('earned', '600.5'), amount('disputeBond', '40'), amount('fromDispute', '40')];
  assert.deepEqual(readMoney(worker), { received: 600_500000000000000000n, paid: 0n, returned: 0n });
  const lost = [amount('disputeBond', '40'), amount('fromDispute', '15')];
  assert.deepEqual(readMoney(lost), { received: 0n, paid: 25n * wei, returned: 0n });
  assert.deepEqual(readMoney([amount('fromDispute', '25')]), { received: 25n * wei, paid: 0n, returned: 0n });
});

const month = {
  month: '2026-11',
  earnedTokWei: tok(600),
  refundedTokWei: tok(300),
  fromDisputeTokWei: tok(50),
  fundedTokWei: tok(1_000),
  accessFeeTokWei: tok(10),
  disputeBondTokWei: tok(40),
  netTokWei: `-${tok(100)}`,
  netUsd: -0.5,
};

test('months of both markets are added, newest first; what came back was not paid', () => {
  const months = sumMonths([
    { months: [month] },
    {
      months: [
        { ...month, netUsd: null },
        { ...month, month: '2026-12' },
      ],
    },
  ] as never);
  assert.deepEqual(months, [
    { month: '2026-12', received: 650n * wei, paid: 750n * wei, net: -100n * wei, netUsd: -0.5 },
    { month: '2026-11', received: 1_300n * wei, paid: 1_500n * wei, net: -200n * wei, netUsd: null },
  ]);
});

test('the CSV has one row for each payment, with exact amounts; what was paid is negative', () => {
  const payment = {
    taskId: 'v2:standard:1',
    time: 1_794_000_000,
    txHash: '0xab',
    amountTokWei: '600500000000000000000',
  };
  const csv = writePaymentsCsv([
    { ...payment, kind: 'earned', usd: 3 },
    { ...payment, kind: 'funded', usd: null },
  ] as never);
  assert.deepEqual(csv.split('\r\n'), [
    'time,task,kind,TOK,dollars of the day,transaction',
    '2026-11-06T21:20:00.000Z,v2:standard:1,earned,600.5,3.00,0xab',
    '2026-11-06T21:20:00.000Z,v2:standard:1,funded,-600.5,,0xab',
    '',
  ]);
});
