// Proves that a paid plan is never missing while older events are still being read, and that one reading of them serves
// everybody who asks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@svc/sdk/domain';
import { SvcError } from '@svc/sdk/domain';
import { dayOf, type Purchase } from '@svc/sdk/internal/domain/posting';
import { createPlanPurchases } from './planPurchases.ts';

const walletOf = (seed: number): Address => `0x${seed.toString(16).toUpperCase().padStart(40, '0')}`;
const payer = walletOf(0xa1);
const paidAt = (block: number, changes: Partial<Purchase> = {}): Purchase => ({
  txHash: `0x${block}`,
  logIndex: 0,
  market: 'standard',
  payer,
  tier: 'basic',
  payWith: 'tok',
  dailyLimit: 25,
  periodDays: 30,
  blockNumber: BigInt(block),
  blockTime: block,
  ...changes,
});
const chain = [
  paidAt(10),
  paidAt(20, { market: 'micro' }),
  paidAt(30, { payer: walletOf(0xa2) }),
  paidAt(500),
  paidAt(900),
];

const counts = { confirmed: 0, pending: 0, arriving: 0, nextDropAt: null };

/** Rows that cover the chain from `floor` on, and a chain that returns the logs of 300 blocks at once. */
function createRows(patienceMs = 60_000) {
  const rows = {
    floor: 800,
    generation: 1,
    used: [] as Purchase[],
    asked: [] as string[],
    answer: async (): Promise<void> => undefined,
  };
  const load = createPlanPurchases({
    loadPaid: async ({ market, address }) => ({
      counts,
      purchases: [...chain.filter(({ blockNumber }) => blockNumber >= rows.floor), ...rows.used].filter(
        (one) => one.market === market && one.payer === address,
      ),
      generation: rows.generation,
      startBlock: 1n,
      historyFloor: BigInt(rows.floor),
    }),
    readPurchases: async (from, to) => {
      rows.asked.push(`${from}-${to}`);
      await rows.answer();
      return chain.filter(({ blockNumber }) => blockNumber >= from && blockNumber <= to);
    },
    useRange: (question) => question(300),
    patienceMs,
  });
  const blocks = async (wallet = payer, market: 'standard' | 'micro' = 'standard') =>
    (await load({ market, address: wallet, caller: '10.0.0.1' }, { now: 0, day: dayOf(0) })).purchases
      .map(({ blockNumber }) => Number(blockNumber))
      .sort((a, b) => a - b);
  return { rows, blocks };
}

test('below the floor the chain is read, no block twice, and no payment is returned twice', async () => {
  const { rows, blocks } = createRows();
  for (const floor of [800, 400, 5]) {
    rows.floor = floor;
    assert.deepEqual(await blocks(), [10, 500, 900]);
  }
  assert.deepEqual(rows.asked, ['1-300', '301-600', '601-799']);
});

test('one reading serves every wallet on both markets, however many ask at once', async () => {
  const { rows, blocks } = createRows();
  const strangers = Array.from({ length: 200 }, (_, seed) => blocks(walletOf(0xb000 + seed)));
  assert.deepEqual(await blocks(), [10, 500, 900]);
  assert.deepEqual(await blocks(payer, 'micro'), [20]);
  assert.deepEqual(await blocks(walletOf(0xa2)), [30]);
  for (const found of await Promise.all(strangers)) assert.deepEqual(found, []);
  assert.deepEqual(rows.asked, ['1-300', '301-600', '601-799']);
});

test('a caller that waited too long gets NOT_READY, and a read under way is not repeated', async () => {
  const { rows, blocks } = createRows(10);
  const waiting: (() => void)[] = [];
  rows.answer = () => new Promise((resolve) => waiting.push(resolve));
  for (const _ of [1, 2, 3]) await assert.rejects(blocks(), { code: 'NOT_READY' });
  assert.deepEqual(rows.asked, ['1-300']);
  waiting.pop()?.();
  await assert.rejects(blocks(), { code: 'NOT_READY' });
  assert.deepEqual(rows.asked, ['1-300', '301-600'], 'it goes on from where it was');
  rows.floor = 450;
  rows.answer = async () => undefined;
  waiting.pop()?.();
  assert.deepEqual(await blocks(), [10, 500, 900], 'the rows have met it half-way');
  assert.deepEqual(rows.asked, ['1-300', '301-600']);
});

test('a new reading of the chain, which a deep fork may have changed, is asked for again', async () => {
  const { rows, blocks } = createRows();
  rows.floor = 300;
  await blocks();
  rows.generation = 2;
  rows.floor = 600;
  assert.deepEqual(await blocks(), [10, 500, 900]);
  assert.deepEqual(rows.asked, ['1-299', '1-300', '301-599']);
});

test('a used payment counts once, also if the chain shows more of its transaction or another block', async () => {
  const { rows, blocks } = createRows();
  rows.used = [paidAt(500), paidAt(400, { txHash: '0x10' }), paidAt(2_000, { txHash: '0x10' })];
  assert.deepEqual(await blocks(), [10, 500, 900]);
  rows.used = [paidAt(2_000)];
  assert.deepEqual(await blocks(), [10, 500, 900, 2_000], 'above the head it counts before it has a row');
});

test('a chain that cannot be asked is a failure, never a missing plan, and is asked again', async () => {
  const { rows, blocks } = createRows();
  const failures = [
    [new SvcError('CHAIN_UNREACHABLE', { reason: 'away' }), 'CHAIN_UNREACHABLE'],
    [new SvcError('CHAIN_REFUSED', { reason: 'not one block' }), 'CHAIN_UNREACHABLE'],
    [new SvcError('CHAIN_CHANGED', {}), 'CHAIN_CHANGED'],
  ] as const;
  for (const [error, code] of failures) {
    rows.answer = () => Promise.reject(error);
    await assert.rejects(blocks(), { code });
  }
  rows.answer = async () => undefined;
  assert.deepEqual(await blocks(), [10, 500, 900]);
});
