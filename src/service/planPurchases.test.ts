// Proves that a paid plan is never missing while older events are still being read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Purchase } from '#domain/posting.ts';
import { createPlanPurchases } from './planPurchases.ts';

const payer = '0x00000000000000000000000000000000000000A1';
const paidAt = (block: number): Purchase => ({
  txHash: `0x${block}`,
  logIndex: 0,
  market: 'standard',
  payer,
  tier: 'basic',
  payWith: 'tok',
  blockNumber: BigInt(block),
  blockTime: block,
});
const chain = [paidAt(10), paidAt(500), paidAt(900)];

/** Rows that know the chain from `floor` on. */
function createRows() {
  const rows = { floor: 800, asked: [] as string[], isAway: false };
  const load = createPlanPurchases({
    loadPaid: async () => ({
      purchases: chain.filter(({ blockNumber }) => blockNumber >= rows.floor),
      startBlock: 1n,
      historyFloor: BigInt(rows.floor),
    }),
    readPurchases: async (_market, _payer, from, to) => {
      rows.asked.push(`${from}-${to}`);
      if (rows.isAway) throw new Error('away');
      return chain.filter(({ blockNumber }) => blockNumber >= from && blockNumber <= to);
    },
  });
  const blocks = async () =>
    (await load('standard', payer)).map(({ blockNumber }) => Number(blockNumber)).sort((a, b) => a - b);
  return { rows, blocks };
}

test('below the floor the chain is asked, once for each wallet, and nothing is told twice', async () => {
  const { rows, blocks } = createRows();
  for (const floor of [800, 400, 5]) {
    rows.floor = floor;
    assert.deepEqual(await blocks(), [10, 500, 900]);
  }
  assert.deepEqual(rows.asked, ['1-799']);
});

test('once rows know everything, nobody is asked', async () => {
  const { rows, blocks } = createRows();
  rows.floor = 1;
  assert.deepEqual(await blocks(), [10, 500, 900]);
  assert.deepEqual(rows.asked, []);
});

test('a new reading of the chain, which begins at its head again, is asked for again', async () => {
  const { rows, blocks } = createRows();
  rows.floor = 400;
  await blocks();
  rows.floor = 1_000;
  assert.deepEqual(await blocks(), [10, 500, 900]);
  assert.deepEqual(rows.asked, ['1-399', '1-999']);
});

test('a chain that cannot be asked is a failure, never a missing plan, and is asked again', async () => {
  const { rows, blocks } = createRows();
  rows.isAway = true;
  await assert.rejects(blocks(), /away/);
  rows.isAway = false;
  assert.deepEqual(await blocks(), [10, 500, 900]);
});
