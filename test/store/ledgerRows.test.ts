// A wallet's ledger as readers get it from the rows: its tasks, page by page, and sums over all of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Address, addressKey } from '#sdk/domain/address.ts';
import type { Market } from '#sdk/domain/market.ts';
import type { Task } from '#sdk/domain/task.ts';
import { buildLedger } from '#service/market/ledger.ts';
import type { Head } from '#service/store/chainRow.ts';
import { createLedgerStore } from '#service/store/ledgerRows.ts';
import { createProjectionStore } from '#service/store/projection.ts';
import { insertRows } from '#service/store/rows.ts';
import { createTaskStore } from '#service/store/tasks.ts';
import { hashOf } from '../support/conversations.ts';
import { countRows } from '../support/countRows.ts';
import { onBothDatabases } from '../support/databases.ts';
import { addressOf, buildTask } from '../support/indexer/fakeChain.ts';
import { createFollowedChain, showTasks } from '../support/indexer/rows.ts';

const ledgerStates = [
  'POSTED',
  'CLAIMED',
  'ACTIVE',
  'DELIVERED',
  'DISPUTED',
  'COMPLETED',
  'RESOLVED',
] as const;

onBothDatabases(({ create }) => {
  test('a ledger has all tasks of a wallet, also those it was paid for and lost again', async () => {
    const database = await create();
    const chain = createFollowedChain(database);
    chain.mine([
      { kind: 'post', market: 'standard', poster: 1 },
      { kind: 'post', market: 'standard', poster: 2 },
      { kind: 'claim', market: 'standard', task: 1 },
      { kind: 'deliver', market: 'standard', task: 1 },
      { kind: 'complete', market: 'standard', task: 1 },
    ]);
    await chain.follow();
    const [first] = chain.tasks() as [Task, Task];
    const ledgerOf = (market: Market, wallet: Address) =>
      createTaskStore(database).loadLedger(market, wallet, { limit: 100 });
    const worker = first.worker ?? addressOf(0);
    const rowsOf = async (wallet: Address) => (await ledgerOf('standard', wallet)).rows;
    assert.deepEqual(await rowsOf(worker), [{ task: first, paid: first.totalAmount }]);
    assert.deepEqual(await rowsOf(addressOf(1)), [{ task: first, paid: 0n }]);
    assert.deepEqual(await ledgerOf('micro', worker), { sums: [], rows: [] });

    const next: Head = { number: chain.head().number + 1n, hash: '0x0a', time: 9_000 };
    await createProjectionStore(database, () => 0).saveBlocks({
      base: chain.head().hash,
      fork: null,
      events: [],
      tasks: [{ ...first, worker: addressOf(50), round: 1 }],
      gone: [],
      head: next,
      kept: [next],
      keepFrom: 0n,
    });
    const [entry] = await rowsOf(worker);
    assert.deepEqual([entry?.task.worker, entry?.paid], [addressOf(50), first.totalAmount]);
    const { asWorker } = await buildLedger(createTaskStore(database), {
      ...{ market: 'standard', address: worker, limit: 1, registryAddress: addressOf(0) },
    });
    const paid = String(first.totalAmount);
    assert.deepEqual(
      [asWorker.taskCount, asWorker.fundedTokWei, asWorker.releasedTokWei, asWorker.lockedTokWei],
      [1, paid, paid, '0'],
    );
  });

  test('the sums of a ledger are those of its entries to the wei, on however many pages these are', async () => {
    const database = await create();
    const wallet = addressOf(1);
    const amounts = [0n, 7n, 10n ** 13n - 1n, 10n ** 13n, 12_345_678_901_234_567_890_123n, 10n ** 27n + 1n];
    const amountAt = (at: number) => amounts[at % amounts.length] ?? 0n;
    const tasks = Array.from({ length: 60 }, (_, at) => ({
      ...buildTask('standard', BigInt(at + 1), 1, 1_000),
      ...{ poster: addressOf(1 + (at % 3)), worker: at % 4 === 0 ? null : addressOf(1 + (at % 4)) },
      ...{ state: ledgerStates[at % ledgerStates.length] ?? 'POSTED', round: at % 5 === 0 ? 2 : 0 },
      ...{ funded: 4n * amountAt(at), released: amountAt(at), refunded: amountAt(at) },
      ...{ fees: at % 7 === 0 ? 1n : 0n, totalAmount: 4n * amountAt(at) },
    }));
    const head = { number: 9n, hash: hashOf(9), time: 1_009 };
    await showTasks(database, tasks, { head, startBlock: 3n, seenAt: 77 });
    const moves = tasks.filter(({ round, worker }) => round > 0 || worker === wallet);
    await database.chain.transaction((tx) =>
      insertRows(
        tx,
        'moves',
        moves.map(({ number }, at) => ({
          ...{ blockNumber: 5, logIndex: at, blockTime: 1, market: 'standard' },
          ...{ taskNumber: Number(number), account: addressKey(wallet), kind: 'earned', units: 3, rest: at },
        })),
      ),
    );
    const read = (cursor?: string) =>
      buildLedger(createTaskStore(database), {
        ...{ market: 'standard', address: wallet, limit: 7, registryAddress: addressOf(0), cursor },
      });
    const ledger = await read();
    const entries = [...ledger.entries];
    for (let { nextCursor } = ledger; nextCursor !== null; ) {
      const page = await read(nextCursor);
      assert.deepEqual(
        { ...page, entries: [], count: 0, nextCursor: '' },
        { ...ledger, entries: [], count: 0, nextCursor: '' },
      );
      entries.push(...page.entries);
      nextCursor = page.nextCursor;
    }
    const numbers = entries.map(({ id }) => Number(id.split(':')[2]));
    assert.deepEqual(
      numbers,
      [...new Set(numbers)].sort((left, right) => right - left),
    );
    for (const role of ['poster', 'worker'] as const) {
      const own = entries.filter((entry) => entry.role === role);
      const side = role === 'poster' ? ledger.asPoster : ledger.asWorker;
      assert.equal(side.taskCount, own.length);
      for (const field of ['funded', 'locked', 'released', 'refunded', 'fees'] as const)
        assert.equal(
          side[`${field}TokWei`],
          String(own.reduce((sum, one) => sum + BigInt(one[`${field}TokWei`]), 0n)),
          `${role} ${field}`,
        );
    }
    assert.ok(ledger.asPoster.taskCount > 7 && ledger.asWorker.taskCount > 7);
    assert.equal(ledger.completed, entries.filter(({ state }) => state === 'COMPLETED').length);

    // However few rows a statement may look at, the sums are these.
    for (const atOnce of [1, 3, 20]) {
      const counted = countRows(database);
      const inParts = await buildLedger(
        { loadLedger: createLedgerStore(database, atOnce) },
        { market: 'standard', address: wallet, limit: 7, registryAddress: addressOf(0) },
      );
      assert.deepEqual(inParts, ledger);
      const ofSums = counted.statements.filter((text) => text.includes('SUM(')).length;
      assert.ok(ofSums >= ledger.taskCount / atOnce, `${ofSums} statements for ${ledger.taskCount} tasks`);
    }
  });
});
