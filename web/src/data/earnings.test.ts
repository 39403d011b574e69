// What a wallet received and paid, and the same as CSV.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mapMoney, writeLedgerCsv } from './earnings.ts';

const tok = (amount: number) => `${amount}000000000000000000`;
const entry = {
  id: 'v2:standard:1',
  role: 'worker',
  state: 'RESOLVED',
  totalAmountTokWei: tok(1_000),
  fundedTokWei: tok(1_000),
  lockedTokWei: '0',
  releasedTokWei: '600500000000000000000',
  refundedTokWei: tok(300),
  feesTokWei: tok(99),
  deadline: 1_794_000_000,
} as const;
const posted = { ...entry, id: 'v2:standard:2', role: 'poster', lockedTokWei: tok(5) } as const;

test('a worker received what was released to it; a poster paid that and the fee, and got the rest back', () => {
  const money = mapMoney([{ entries: [entry] }, { entries: [posted] }] as never);
  assert.deepEqual(money.get(entry.id), { received: 600_500000000000000000n, paid: 0n, returned: 0n });
  assert.deepEqual(money.get(posted.id), {
    received: 0n,
    paid: 699_500000000000000000n,
    returned: 300_000000000000000000n,
  });
});

test('the CSV has one row for each task, with exact amounts in TOK', () => {
  const [head, ...rows] = writeLedgerCsv({ entries: [entry, posted] }).split('\r\n');
  assert.equal(head, 'task,role,state,received TOK,paid TOK,returned TOK,in escrow TOK,deadline');
  assert.deepEqual(rows, [
    'v2:standard:1,worker,RESOLVED,600.5,0,0,0,2026-11-06T21:20:00.000Z',
    'v2:standard:2,poster,RESOLVED,0,699.5,300,5,2026-11-06T21:20:00.000Z',
    '',
  ]);
});
