// The races of the posting quota, settled by the database: attacked with many at once, from several connections.

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { inspect } from 'node:util';
import type { Hex } from 'viem';
import type { Address } from '#sdk/domain/address.ts';
import type { ChainEvent } from '#sdk/domain/event.ts';
import { dayOf, encodeTier, type PostingCounts, type Purchase } from '#sdk/domain/posting.ts';
import type { Task } from '#sdk/domain/task.ts';
import { createPosting } from '#service/posting/postingQuota.ts';
import type { Database } from '#service/store/database.ts';
import { openDatabaseClock } from '#service/store/databaseClock.ts';
import { type AskedWallet, createPendingPostStore, type Moment } from '#service/store/pendingPosts.ts';
import { createPlanPaymentStore } from '#service/store/planPayments.ts';
import { createProjectionStore } from '#service/store/projection.ts';
import { onBothDatabases } from '../support/databases.ts';
import { buildTask } from '../support/indexer/fakeChain.ts';
import { showTasks } from '../support/indexer/rows.ts';

const now = Date.parse('2028-02-29T12:00:00Z') / 1_000;
const moment = { now, day: dayOf(now) };
const poster: Address = '0x00000000000000000000000000000000000000A1';
const wallet = { market: 'standard', address: poster, caller: '10.0.0.1' } as const;
const hashOf = (seed: number): Hex => `0x${seed.toString(16).padStart(64, '0')}`;
const postOf = (seed: number) => ({ ...wallet, number: BigInt(seed), txHash: hashOf(seed) });
const room = { ...moment, limit: 3, expiresAt: now + 300, isProven: true };
const unproven = { ...room, isProven: false };

const task = (number: number, createdAt: number, changes: Partial<Task> = {}): Task => ({
  ...buildTask('standard', BigInt(number), 1, createdAt),
  poster,
  createdAt,
  ...changes,
});

async function show(database: Database, tasks: readonly Task[], headNumber = 100n): Promise<void> {
  const head = { number: headNumber, hash: hashOf(Number(headNumber)), time: now };
  return showTasks(database, tasks, { head, startBlock: 1n, seenAt: now });
}

const countsOf = async (database: Database, ...asked: [AskedWallet, Moment]): Promise<PostingCounts> =>
  (await createPlanPaymentStore(database).loadPaid(...asked)).counts;

const purchase = (seed: number, blockNumber: bigint): Purchase => ({
  txHash: hashOf(seed),
  logIndex: 0,
  market: 'standard',
  payer: poster,
  tier: 'basic',
  payWith: 'tok',
  dailyLimit: 25,
  periodDays: 30,
  blockNumber,
  blockTime: now,
});

/** Used, and all that its transaction pays. */
const whole = (payment: Purchase) => [[payment], [payment]] as const;

const purchaseEvent = (seed: number, blockNumber: bigint): ChainEvent => ({
  market: 'standard',
  contract: 'paymentGateway',
  name: 'PlanPurchased',
  args: {
    payer: poster,
    tier: `0x${Buffer.from('basic').toString('hex').padEnd(64, '0')}`,
    payWith: 0,
    dailyLimit: 25,
    periodDays: 30,
  },
  taskNumber: null,
  blockNumber,
  blockHash: hashOf(Number(blockNumber)),
  blockTime: now,
  txHash: hashOf(seed),
  logIndex: 0,
  address: poster,
});

onBothDatabases(({ create, createPair, once }) => {
  async function begin() {
    const database = await create();
    await show(database, []);
    return { database, store: createPendingPostStore(database) };
  }

  async function openTwice() {
    const pair = await createPair();
    await show(pair[0], []);
    return pair;
  }

  test('two replicas with wrong clocks count the same day: both take the time of the database', async () => {
    const databases = await openTwice();
    const counted: PostingCounts[] = [];
    for (const [at, daysOff] of [-2, 3].entries()) {
      mock.timers.enable({ apis: ['Date'], now: Date.now() + daysOff * 86_400_000 });
      const database = databases[at] as Database;
      const clock = await openDatabaseClock(database);
      await clock.adjust();
      const time = clock.now();
      mock.timers.reset();
      assert.ok(Math.abs(time - Date.now() / 1_000) < 3_600, `${daysOff} days off gives ${time}`);
      const post = { ...room, now: time, day: dayOf(time), limit: 2, expiresAt: time + 300 };
      counted.push((await createPendingPostStore(database).savePending(postOf(at + 1), post)).counts);
    }
    assert.deepEqual(
      counted.map(({ pending }) => pending),
      [1, 2],
      'the second replica sees the post of the first one',
    );
  });

  test('200 new posts at once over two connections never pass the limit', async () => {
    const databases = await openTwice();
    const stores = databases.map((database) => createPendingPostStore(database));
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, seed) => stores[seed % 2]?.savePending(postOf(seed + 1), room)),
    );
    assert.equal(answers.filter((answer) => answer?.isSaved).length, 3);
    for (const answer of answers) assert.ok((answer?.counts.pending ?? 9) <= 3);
    assert.equal((await countsOf(databases[0], wallet, moment)).pending, 3);
  });

  test('the same post 100 times at once over two connections counts once', async () => {
    const stores = (await openTwice()).map((database) => createPendingPostStore(database));
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, turn) => stores[turn % 2]?.savePending(postOf(7), room)),
    );
    assert.ok(answers.every((answer) => answer?.isSaved && answer.counts.pending === 1));
  });

  test('one payment used 50 times at once over two connections is used once', async () => {
    const stores = (await openTwice()).map((database) => createPlanPaymentStore(database));
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, turn) => stores[turn % 2]?.use(...whole(purchase(1, 101n)))),
    );
    assert.equal(answers.filter(Boolean).length, 1);
    assert.equal((await stores[1]?.loadPaid(wallet, moment))?.purchases.length, 1);
  });

  test('a payment that a fork puts elsewhere is used once, also while two replicas see it in two places', async () => {
    const stores = (await openTwice()).map((database) => createPlanPaymentStore(database));
    const places = [purchase(1, 101n), { ...purchase(1, 102n), logIndex: 7 }];
    const useAt = (turn: number, place: number) =>
      stores[turn % 2]?.use(...whole(places[place] as Purchase)) as Promise<boolean>;
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, turn) => useAt(turn, Math.floor(turn / 2) % 2)),
    );
    assert.equal(answers.filter(Boolean).length, 1);
    for (const [turn, place] of [0, 1, 0, 1].entries()) {
      assert.equal(await useAt(turn, place), false, 'it is the same payment');
      const paid = await stores[1 - (turn % 2)]?.loadPaid(wallet, moment);
      assert.deepEqual(paid?.purchases, [places[place]], 'it counts once, from where it was seen last');
    }
  });

  test('of a transaction with several payments each is used once, however a fork moves them', async () => {
    const database = await create();
    await show(database, []);
    const store = createPlanPaymentStore(database);
    const paidFrom = (logIndex: number): Purchase[] =>
      ['premium', 'basic', 'basic', 'enterprise'].map((tier, at) => ({
        ...purchase(1, 101n + BigInt(logIndex)),
        tier,
        logIndex: logIndex + at,
      }));
    const use = (tier: string, logIndex: number) => {
      const all = paidFrom(logIndex);
      return store.use(
        all.filter((one) => one.tier === tier),
        all,
      );
    };
    const counted = async () =>
      (await store.loadPaid(wallet, moment)).purchases
        .toSorted((one, two) => one.logIndex - two.logIndex)
        .map(({ tier, logIndex }) => `${tier} ${logIndex}`);
    assert.equal(await use('basic', 0), true);
    assert.deepEqual(await counted(), ['basic 1', 'basic 2']);
    // Where one of the others is now, one of them was.
    assert.equal(await use('premium', 1), true);
    assert.deepEqual(await counted(), ['premium 1', 'basic 2', 'basic 3']);
    assert.equal(await use('basic', 2), false);
    assert.equal(await use('premium', 0), false);
    assert.equal(await use('enterprise', 0), true);
    assert.deepEqual(await counted(), ['premium 0', 'basic 1', 'basic 2', 'enterprise 3']);
  });

  test('the last free post is given once, also to requests on both sides of midnight over two connections', async () => {
    const databases = await openTwice();
    const stores = databases.map((database) => createPendingPostStore(database));
    const { end } = moment.day;
    await show(databases[0], [task(801, end - 2), task(802, end - 1)]);
    const at = (time: number) => ({ now: time, day: dayOf(time), limit: 3, expiresAt: time + 300 });
    const answers = await Promise.all(
      Array.from({ length: 80 }, async (_, seed) => {
        const time = seed % 4 < 2 ? end - 1 : end;
        const answer = await stores[seed % 2]?.savePending(postOf(seed + 1), { ...room, ...at(time) });
        return { ...answer, isNextDay: time === end };
      }),
    );
    const saved = answers.filter(({ isSaved }) => isSaved);
    assert.ok(saved.filter(({ isNextDay }) => !isNextDay).length <= 1, 'two were posted on the first day');
    assert.equal(saved.length, 3, 'what waits counts on both days');
    for (const database of databases) assert.equal((await countsOf(database, wallet, at(end))).pending, 3);
  });

  test('a post counts exactly once in every check of another replica while it is recorded, seen and indexed', async () => {
    const [here, there] = await openTwice();
    const store = createPendingPostStore(here);
    const payments = createPlanPaymentStore(there);
    const numbers = Array.from({ length: 12 }, (_, at) => at + 1);
    const posterOf = (number: number): Address => `0x${number.toString(16).toUpperCase().padStart(40, '0')}`;
    const recorded = new Set<number>();
    let isOver = false;
    const check = async (number: number) => {
      let checks = 0;
      while (!isOver || checks === 0) {
        const least = recorded.has(number) ? 1 : 0;
        const { counts } = await payments.loadPaid({ ...wallet, address: posterOf(number) }, moment);
        const used = counts.confirmed + counts.pending + counts.arriving;
        assert.ok(used >= least && used <= 1, `${used} of wallet ${number}, recorded: ${least === 1}`);
        checks++;
        // SQLite answers within this thread.
        await setImmediate();
      }
    };
    const checking = Promise.all(numbers.flatMap((number) => [check(number), check(number)]));
    const work = async () => {
      await Promise.all(
        numbers.map(async (number) => {
          await store.savePending({ ...postOf(number), address: posterOf(number) }, room);
          recorded.add(number);
        }),
      );
      await Promise.all(numbers.map((number) => store.markSeen(hashOf(number), 101n)));
      const tasks = numbers.map((number) => task(number, now, { poster: posterOf(number) }));
      await show(here, tasks, 101n);
      await store.sweepPending(now);
    };
    await Promise.all([checking, work().finally(() => (isOver = true))]);
  });

  test('many who ask at once each get the answer for their wallet, market, caller and moment', async () => {
    const databases = await openTwice();
    const [database] = databases;
    const { end } = moment.day;
    const posters = Array.from({ length: 5 }, (_, at): Address => `0x${String(at + 1).padStart(40, '0')}`);
    await show(
      database,
      posters
        .flatMap((poster, at) => [task(11 + at, end - 1, { poster }), task(21 + at, end, { poster })])
        .slice(2),
    );
    const store = createPendingPostStore(database);
    const payments = databases.map((one) => createPlanPaymentStore(one));
    for (const [at, address] of posters.entries()) {
      const post = { ...postOf(at + 1), address, market: at % 2 === 0 ? 'standard' : 'micro' } as const;
      await store.savePending({ ...post, caller: `10.0.0.${at}` }, { ...room, isProven: at % 3 === 0 });
      for (let paid = 0; paid < at; paid++)
        await payments[0]?.use(
          ...whole({ ...purchase(100 * at + paid, 101n), payer: address, market: post.market }),
        );
    }
    const asked = posters.flatMap((address) =>
      (['standard', 'micro'] as const).flatMap((market) =>
        ['10.0.0.1', '10.0.0.2'].flatMap((caller) =>
          [now, end - 1, end, now + 301].map((time) => ({
            wallet: { address, market, caller },
            moment: { now: time, day: dayOf(time) },
          })),
        ),
      ),
    );
    const one: unknown[] = [];
    for (const { wallet, moment } of asked) one.push(await payments[1]?.loadPaid(wallet, moment));
    assert.ok(new Set(one.map((answer) => inspect(answer, { depth: 5 }))).size >= 8, 'they differ');
    const many = asked.map(({ wallet, moment }, at) => payments[at % 2]?.loadPaid(wallet, moment));
    assert.deepEqual(await Promise.all(many), one);
  });

  test('wallets and markets do not share their room', async () => {
    const { store } = await begin();
    for (let seed = 1; seed <= 3; seed++) await store.savePending(postOf(seed), room);
    assert.equal((await store.savePending(postOf(4), room)).isSaved, false);
    assert.equal((await store.savePending({ ...postOf(4), market: 'micro' }, room)).isSaved, true);
    const other: Address = '0x00000000000000000000000000000000000000A2';
    assert.equal((await store.savePending({ ...postOf(4), address: other }, room)).isSaved, true);
  });

  test('posts that nothing proves count for the caller that recorded them, and for nobody else', async () => {
    const { database, store } = await begin();
    const [owner, attacker] = [wallet, { ...wallet, caller: '10.6.6.6' }];
    const usedBy = async (of: typeof owner | typeof attacker) =>
      (await countsOf(database, of, moment)).pending;
    for (let seed = 1; seed <= 3; seed++) await store.savePending({ ...postOf(seed), ...attacker }, unproven);
    assert.deepEqual([await usedBy(attacker), await usedBy(owner)], [3, 0]);
    assert.equal((await store.savePending({ ...postOf(4), ...attacker }, unproven)).isSaved, false);
    // The attacker was first with the hash of the owner's own post.
    assert.equal((await store.savePending(postOf(3), unproven)).isSaved, true);
    assert.equal(await usedBy(owner), 1);
    // The mempool shows it: it counts once, and for everyone.
    await store.savePending(postOf(3), room);
    assert.deepEqual([await usedBy(attacker), await usedBy(owner)], [3, 1]);
    assert.equal(await usedBy({ ...wallet, caller: '10.7.7.7' } as never), 1);
    await store.markSeen(hashOf(1), 90n);
    assert.equal(await usedBy(attacker), 2, 'it was another transaction');
    await store.sweepPending(now + 300);
    assert.deepEqual(await database.query('SELECT * FROM unproven_posts'), []);
  });

  once('a caller records so many posts that nothing proves, for all wallets together', async () => {
    const { store } = await begin();
    const record = (seed: number, options = unproven) =>
      store.savePending({ ...postOf(seed), address: `0x${seed.toString(16).padStart(40, '0')}` }, options);
    for (let seed = 1; seed <= 100; seed++) assert.equal((await record(seed)).isSaved, true);
    const { isSaved, callerFreeAt } = await record(101);
    assert.deepEqual([isSaved, callerFreeAt], [false, now + 300]);
    assert.equal((await record(1)).isSaved, true, 'what is known is not refused');
    assert.equal((await record(101, room)).isSaved, true, 'a proven one is not bounded by its caller');
    assert.equal((await record(102, { ...unproven, now: now + 300, expiresAt: now + 600 })).isSaved, true);
  });

  once('posts of the leap day count from its first second to its last, and not those around it', async () => {
    const database = await create();
    const { start, end } = moment.day;
    await show(database, [
      task(1, start - 1),
      task(2, start),
      task(3, end - 1),
      task(4, end),
      task(5, start, { poster: '0x00000000000000000000000000000000000000A2' }),
    ]);
    assert.equal((await countsOf(database, wallet, moment)).confirmed, 2);
    assert.equal((await countsOf(database, wallet, { now: end, day: dayOf(end) })).confirmed, 1);
  });

  test('a pending post counts until the second it is dropped, and then gives its room to another', async () => {
    const { database, store } = await begin();
    for (let seed = 1; seed <= 3; seed++) await store.savePending(postOf(seed), room);
    const at = (time: number) => countsOf(database, wallet, { now: time, day: dayOf(time) });
    assert.equal((await at(now + 299)).pending, 3);
    assert.equal((await at(now + 299)).nextDropAt, now + 300);
    assert.equal((await at(now + 300)).pending, 0);
    const later = { ...room, now: now + 300, expiresAt: now + 600 };
    assert.equal((await store.savePending(postOf(4), later)).isSaved, true);
    assert.equal((await store.savePending(postOf(1), later)).counts.pending, 2, 'told again it is new');
  });

  test('a post is counted once on its way from pending over arriving to confirmed', async () => {
    const { database, store } = await begin();
    const counts = async () => {
      const { confirmed, pending, arriving } = await countsOf(database, wallet, moment);
      return [confirmed, pending, arriving];
    };
    await store.savePending(postOf(9), room);
    assert.deepEqual(await counts(), [0, 1, 0]);
    await store.markSeen(hashOf(9), 101n);
    assert.deepEqual(await counts(), [0, 0, 1]);
    await show(database, [task(9, now)], 101n);
    assert.deepEqual(await counts(), [1, 0, 0]);
    await store.sweepPending(now);
    assert.deepEqual(await database.query('SELECT * FROM pending_posts'), []);
    await store.savePending(postOf(10), room);
    await store.markSeen(hashOf(10), 102n);
    await show(database, [task(9, now)], 102n);
    assert.deepEqual(await counts(), [1, 0, 0], 'what was seen and is none of the wallet’s no longer counts');
  });

  test('a transaction of the mempool posts one task, whatever numbers are told of it', async () => {
    const { database, store } = await begin();
    const tell = (number: bigint, caller: string) =>
      store.savePending({ ...postOf(7), number, caller }, room);
    for (const number of [900n, 901n, 902n]) assert.ok((await tell(number, '10.6.6.6')).isSaved);
    const { isSaved, counts } = await tell(7n, wallet.caller);
    assert.deepEqual([isSaved, counts.pending], [true, 1]);
    await show(database, [task(7, now)], 101n);
    const { confirmed, pending } = await countsOf(database, wallet, moment);
    assert.deepEqual([confirmed, pending], [1, 0]);
  });

  once('a post of the last second, which rows do not show yet, counts on its own day only', async () => {
    const { database, store } = await begin();
    const { loadPaid } = createPlanPaymentStore(database);
    const { end } = moment.day;
    const args = { poster, totalAmount: '1' };
    const posted = {
      ...purchaseEvent(9, 101n),
      name: 'TaskPosted',
      args,
      taskNumber: 9n,
      blockTime: end - 1,
    };
    let time = end - 1;
    const posting = createPosting({
      plans: async () => [],
      loadPurchases: loadPaid,
      quotas: store,
      readTransaction: async () => ({
        isSuccess: true,
        blockNumber: 101n,
        confirmations: 1,
        events: [{ ...posted, contract: 'taskRegistry' }],
      }),
      readPendingPoster: async () => null,
      takesUnseen: true,
      now: () => time,
    });
    const record = async () => (await posting.record({ ...postOf(9), amountTokWei: 1n })).used;
    assert.equal(await record(), 1);
    time = end;
    assert.equal((await posting.getQuota(wallet)).used, 0);
    assert.equal(await record(), 0);
  });

  test('a post that the chain shows counts until the rows do, also where it had waited too long before', async () => {
    const { database, store } = await begin();
    await store.savePending(postOf(9), room);
    await store.saveArriving(postOf(9), 101n, now + 600);
    const at = async (time: number) =>
      (await countsOf(database, wallet, { now: time, day: dayOf(time) })).arriving;
    assert.deepEqual([await at(now + 300), await at(now + 599), await at(now + 600)], [1, 1, 0]);
    await show(database, [task(9, now)], 101n);
    assert.equal(await at(now + 300), 0);
  });

  test('rows have the last word on a payment that they could show: a fork takes it away, another block keeps it', async () => {
    const database = await create();
    await show(database, []);
    const projection = createProjectionStore(database, () => now);
    const payments = createPlanPaymentStore(database);
    const paid = async () =>
      (await payments.loadPaid(wallet, moment)).purchases.map(({ blockNumber }) => Number(blockNumber));
    const step = { tasks: [], gone: [], kept: [], keepFrom: 0n };
    const headAt = (number: number, branch = 0) => ({
      number: BigInt(number),
      hash: hashOf(number + branch),
      time: now,
    });
    await payments.use(...whole(purchase(1, 101n)));
    assert.deepEqual(await paid(), [101], 'above the head it stands by itself');
    await projection.saveBlocks({
      ...step,
      base: hashOf(100),
      fork: null,
      events: [purchaseEvent(1, 101n)],
      head: headAt(101),
    });
    assert.deepEqual(await paid(), [101], 'once rows show it, it counts once');
    await projection.saveBlocks({ ...step, base: hashOf(101), fork: 100n, events: [], head: headAt(102, 1) });
    assert.deepEqual(await paid(), [], 'a fork without it');
    await projection.saveBlocks({
      ...step,
      base: hashOf(103),
      fork: null,
      events: [purchaseEvent(1, 103n)],
      head: headAt(103, 1),
    });
    assert.deepEqual(await paid(), [103], 'mined again in another block');
    assert.equal(await payments.use(...whole(purchase(1, 103n))), false, 'used already, wherever it is');
    assert.deepEqual(await paid(), [103]);
  });

  test('a payment for a plan whose id is no text does not stop the indexer, and is told from others', async () => {
    const database = await create();
    await show(database, []);
    const ids = ['610062', 'fffe', 'fffd'].map((digits): Hex => `0x${digits.padEnd(64, '0')}`);
    await createProjectionStore(database, () => now).saveBlocks({
      ...{ tasks: [], gone: [], kept: [], keepFrom: 0n, fork: null },
      base: hashOf(100),
      events: ids.map((tier, at) => {
        const event = purchaseEvent(at, 101n);
        return { ...event, logIndex: at, args: { ...event.args, tier } };
      }),
      head: { number: 101n, hash: hashOf(101), time: now },
    });
    const { purchases } = await createPlanPaymentStore(database).loadPaid(wallet, moment);
    assert.deepEqual(
      purchases.map(({ tier }) => encodeTier(tier)),
      ids,
    );
  });
});
