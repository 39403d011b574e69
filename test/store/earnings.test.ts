// What a wallet received and paid: exact sums by month, prices of the day asked for once. With forks they go like all rows: test/indexer/random.test.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChainEvent } from '#sdk/domain/event.ts';
import { createEarnings } from '#service/market/earnings.ts';
import type { Database } from '#service/store/database.ts';
import { saveEvents } from '#service/store/eventRows.ts';
import { createMoveStore } from '#service/store/moves.ts';
import { createPriceStore } from '#service/store/prices.ts';
import { onBothDatabases } from '../support/databases.ts';
import { addressOf } from '../support/indexer/fakeChain.ts';
import { createFollowedChain } from '../support/indexer/rows.ts';

const wallet = addressOf(7);
const most = 2n ** 96n - 1n;
const november = Date.UTC(2026, 10, 3) / 1_000;
const now = Date.UTC(2026, 10, 20) / 1_000;

type Event = Pick<ChainEvent, 'contract' | 'name' | 'args'> & Partial<ChainEvent>;

async function prepare(database: Database) {
  const chain = createFollowedChain(database);
  await chain.next();
  const asked: string[] = [];
  const prices = { value: 500_000n as bigint | null };
  const read = createEarnings({
    moves: createMoveStore(database),
    prices: createPriceStore(database),
    readPriceAt: async (hash) => {
      asked.push(hash);
      return prices.value === null ? Promise.reject(new Error('no archive')) : { priceE8: prices.value };
    },
    now: () => now,
  });
  return {
    asked,
    prices,
    read: (limit = 50, cursor?: string) => read({ market: 'standard', address: wallet, limit, cursor }),
    save: (...events: Event[]) => save(database, events),
  };
}

/** As the indexer saves them, in blocks of their own. */
async function save(database: Database, events: readonly Event[]): Promise<void> {
  const whole = events.map((event, at): ChainEvent => {
    const blockNumber = 1_000n + BigInt(at);
    const hash = `0x${String(blockNumber).padStart(64, '0')}` as const;
    const place = { blockNumber, logIndex: 0, blockHash: hash, txHash: hash, blockTime: november + at };
    return { market: 'standard', taskNumber: 1n, address: addressOf(1), ...place, ...event };
  });
  await database.chain.transaction((tx) => saveEvents(tx, whole));
}

const released = (amount: bigint, more: Partial<ChainEvent> = {}): Event => ({
  contract: 'escrowVault',
  name: 'Released',
  args: { to: wallet, amount: String(amount) },
  ...more,
});

onBothDatabases(({ create, once }) => {
  test('the largest and the smallest amounts are added exactly, and what went out is taken off', async () => {
    const { read, save } = await prepare(await create());
    const paid = (contract: ChainEvent['contract'], name: string, amount: bigint, more = {}): Event => ({
      contract,
      name,
      args: { payer: wallet, amount: String(amount), ...more },
    });
    await save(
      released(most),
      released(most),
      released(1n),
      paid('escrowVault', 'Funded', 3n),
      paid('paymentGateway', 'AccessFeePaid', 10n ** 13n, { withCredits: false }),
      paid('paymentGateway', 'AccessFeePaid', 5n, { withCredits: true }),
      paid('disputeCourt', 'DisputeBond', 10n ** 13n - 1n),
      { contract: 'escrowVault', name: 'Released', args: { to: addressOf(8), amount: '77' } },
    );
    const { months, payments } = await read();
    const [month] = months;
    assert.deepEqual(
      { ...month, netUsd: undefined },
      {
        month: '2026-11',
        earnedTokWei: String(2n * most + 1n),
        refundedTokWei: '0',
        fromDisputeTokWei: '0',
        fundedTokWei: '3',
        accessFeeTokWei: String(10n ** 13n),
        disputeBondTokWei: String(10n ** 13n - 1n),
        netTokWei: String(2n * most + 1n - 3n - 2n * 10n ** 13n + 1n),
        netUsd: undefined,
      },
    );
    assert.equal(payments.length, 6, 'a fee in credits and the money of others are not listed');
    assert.equal(payments.at(-1)?.amountTokWei, String(most));
  });

  test('the fee for a ruling is income of its arbitrator, of the bonds or of the milestone', async () => {
    const { read, save } = await prepare(await create());
    await save(
      { contract: 'disputeCourt', name: 'DisputeBondPaid', args: { to: wallet, amount: '25' } },
      { contract: 'escrowVault', name: 'FeePaid', args: { to: wallet, amount: '7' }, taskNumber: 2n },
      { contract: 'escrowVault', name: 'FeePaid', args: { to: addressOf(9), amount: '70' } },
    );
    const { months, payments } = await read();
    assert.partialDeepStrictEqual(months, [{ fromDisputeTokWei: '32', netTokWei: '32' }]);
    assert.deepEqual(
      payments.map(({ taskId, kind, amountTokWei }) => [taskId, kind, amountTokWei]),
      [
        ['v2:standard:2', 'fromDispute', '7'],
        ['v2:standard:1', 'fromDispute', '25'],
      ],
    );
  });

  once('a day is priced once for all, and a node without memory is not asked again at once', async () => {
    const { read, save, asked, prices } = await prepare(await create());
    const day = 86_400;
    await save(
      released(2_000n * 10n ** 18n),
      released(10n ** 18n, { blockTime: november + 60 }),
      released(10n ** 18n, { blockTime: november + day }),
    );
    const [month] = (await read()).months;
    assert.equal(month?.netUsd, 10.01);
    assert.equal(asked.length, 2);
    const { payments } = await read();
    const dollars = payments.map(({ usd }) => usd);
    assert.deepEqual(dollars, [0, 0, 10]);
    assert.equal(asked.length, 2, 'known prices are not asked for again');
    prices.value = null;
    await save(released(5n, { blockTime: november + 5 * day, blockNumber: 2_000n }));
    for (const _ of [1, 2]) assert.equal((await read()).months[0]?.netUsd, null);
    assert.equal(asked.length, 3);
  });

  test('pages list every payment once with its dollars, newest first; months before the last twelve are left out', async () => {
    const { read, save } = await prepare(await create());
    const yearAgo = Date.UTC(2025, 10, 30) / 1_000;
    await save(
      released(10n ** 20n, { blockTime: yearAgo }),
      ...Array.from({ length: 6 }, (_, at) => released(BigInt(at + 2))),
    );
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await read(3, cursor);
      seen.push(...page.payments.map(({ amountTokWei, usd }) => `${amountTokWei} ${usd}`));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined && seen.length < 20);
    assert.deepEqual(seen, ['7 0', '6 0', '5 0', '4 0', '3 0', '2 0', `${10n ** 20n} 0.5`]);
    assert.deepEqual(
      (await read()).months.map(({ month }) => month),
      ['2026-11'],
    );
  });
});
