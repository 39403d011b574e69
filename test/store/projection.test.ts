// What the follower writes: atomically, and never after another follower has overtaken it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SvcError } from '#sdk/domain/errors.ts';
import type { Task } from '#sdk/domain/task.ts';
import type { Head } from '#service/store/chainRow.ts';
import type { Database, Row, Transaction } from '#service/store/database.ts';
import { type BlockWrite, createProjectionStore } from '#service/store/projection.ts';
import { createForwardStore, type ForwardStore, type Reading } from '#service/store/reading.ts';
import { createTaskStore } from '#service/store/tasks.ts';
import { onBothDatabases } from '../support/databases.ts';
import { addressOf, buildTask, type FakeChain } from '../support/indexer/fakeChain.ts';
import { createFollowedChain, loadRows, readFresh, showTasks } from '../support/indexer/rows.ts';

/** A chain with a past that has been read, and then went on by a block. */
async function createStep(database: Database): Promise<{ chain: FakeChain; step: BlockWrite }> {
  const chain = createFollowedChain(database);
  chain.mine([{ kind: 'post', market: 'standard', poster: 1 }]);
  await chain.next([{ kind: 'post', market: 'micro', poster: 2 }]);
  const base = chain.head();
  chain.mine([
    { kind: 'claim', market: 'standard', task: 1 },
    { kind: 'deliver', market: 'standard', task: 1 },
    { kind: 'complete', market: 'standard', task: 1 },
  ]);
  const { number, hash, time } = chain.head();
  const events = chain.events().filter(({ blockNumber }) => blockNumber === number);
  const tasks = chain.tasks().filter(({ market }) => market === 'standard');
  const step = {
    base: base.hash,
    fork: base.number - 1n,
    events,
    tasks,
    gone: [{ market: 'micro' as const, number: 1n }],
    head: { number, hash, time },
    kept: [{ number, hash }],
    keepFrom: number - 1_024n,
  };
  return { chain, step };
}

/** The same database, whose transactions break at their n-th statement. */
function breakAt(database: Database, statement: number): Database {
  const { chain } = database;
  const transaction: Database['transaction'] = (work) =>
    chain.transaction((tx) => {
      let count = 0;
      const query: Transaction['query'] = (sql, params) => {
        if (++count === statement) throw new Error('broken');
        return tx.query(sql, params);
      };
      return work({ ...tx, query });
    });
  return { ...database, chain: { ...chain, transaction } };
}

/** Every table, so that nothing half-written stays unseen. */
async function dump(database: Database): Promise<Record<string, unknown[]>> {
  const tables = ['chain', 'tasks', 'events', 'moves', 'blocks', 'differences', 'changes', 'versions'];
  const entries = await Promise.all(
    tables.map(async (table) => {
      const rows = await database.query(`SELECT * FROM ${table}`);
      return [table, rows.map((row) => JSON.stringify(row)).sort()];
    }),
  );
  return Object.fromEntries(entries);
}

function isOvertaken(error: unknown): boolean {
  return error instanceof SvcError && error.code === 'FOLLOWER_OVERTAKEN';
}

onBothDatabases(({ create, once }) => {
  type Write = (store: ForwardStore, step: BlockWrite, reading: Reading) => Promise<unknown>;
  const writes: Record<string, Write> = {
    'a step with a fork': (store, step) => store.saveBlocks(step),
    'the end of what is shown': (store, _, reading) => store.returnToReading(reading),
  };
  const range = { fork: null, kept: [], keepFrom: 0n, target: 9n };
  /** While the chain is read again. */
  const returned: Record<string, Write> = {
    'a range of blocks': (store, { events, head }, reading) =>
      store.saveRange({ reading, events, end: head, ...range }),
    'a page of tasks': (store, { tasks }, reading) =>
      store.saveFirstTasks(reading, tasks, 1, () => undefined),
    'the end of a reading': (store, { head }, reading) =>
      store.finishReading(reading, head, { standard: 1n, micro: 0n }),
  };

  for (const [what, write] of Object.entries({ ...writes, ...returned })) {
    test(`${what} that breaks at any statement leaves everything as it was`, async () => {
      const database = await create();
      const { step } = await createStep(database);
      const begun = createForwardStore(database, () => 0);
      const shown = (await begun.loadReading()) as Reading;
      if (what in returned) await begun.returnToReading(shown);
      const reading = { ...shown, isWhole: !(what in returned) };
      const before = await dump(database);
      let statement = 1;
      for (; ; statement++) {
        const store = createForwardStore(breakAt(database, statement), () => 0);
        const error = await write(store, step, reading).then(
          () => null,
          (thrown: Error) => thrown,
        );
        if (error === null) break;
        assert.equal(error.message, 'broken');
        assert.deepEqual(await dump(database), before, `broken at statement ${statement}`);
      }
      assert.ok(statement > 2, 'it takes more than one statement');
      assert.notDeepEqual(await dump(database), before);
    });
  }

  test('steps of two processes at the same moment: exactly one is written', async () => {
    const database = await create();
    const { step } = await createStep(database);
    const stores = Array.from({ length: 6 }, () => createProjectionStore(database, () => 0));
    const results = await Promise.allSettled(stores.map((store) => store.saveBlocks(step)));
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
    for (const result of results) if (result.status === 'rejected') assert.ok(isOvertaken(result.reason));
  });

  test('a process that reads again what another has shown meanwhile changes nothing', async () => {
    const database = await create();
    const { step, chain } = await createStep(database);
    const store = createForwardStore(database, () => 0);
    const reading = (await store.loadReading()) as Reading;
    await store.returnToReading(reading);
    assert.equal(await store.loadShown(), null);
    await assert.rejects(store.saveBlocks(step), isOvertaken, 'nothing is shown');
    assert.equal((await store.loadCatchUp())?.share, 0);
    await store.saveFirstTasks(reading, chain.tasks(), 0.5, () => undefined);
    assert.equal((await store.loadCatchUp())?.share, 0.1);
    await store.finishReading(reading, step.head, { standard: 1n, micro: 1n });
    assert.equal(await store.loadCatchUp(), null);
    await assert.rejects(
      store.saveFirstTasks(reading, chain.tasks(), 1, () => undefined),
      isOvertaken,
    );
    await assert.rejects(store.saveRange({ reading, events: [], end: step.head, ...range }), isOvertaken);
    await assert.rejects(store.finishReading(reading, step.head, { standard: 0n, micro: 0n }), isOvertaken);
  });

  test('reading again records as changes only the tasks that differ', async () => {
    const database = await create();
    const { step, chain } = await createStep(database);
    const store = createForwardStore(database, () => 0);
    const [{ last = 0 } = {}] = await database.query<{ last: number }>(
      'SELECT MAX(seq) AS last FROM changes',
    );
    const shown = (await store.loadReading()) as Reading;
    await store.returnToReading(shown);
    await store.saveRange({ reading: shown, events: step.events, end: step.head, ...range });
    const reading = { ...shown, end: step.head };
    // The order of their fields says nothing.
    const read = chain.tasks().map((task) => Object.fromEntries(Object.entries(task).reverse()) as Task);
    await store.saveFirstTasks(reading, read, 1, () => undefined);
    await store.finishReading(reading, step.head, { standard: 1n, micro: 1n });
    const told = await database.query(
      "SELECT market, task_number, state FROM changes WHERE seq > $1 AND state <> 'RESET'",
      [last ?? 0],
    );
    const listed = told.map((row) => ({ ...row }));
    assert.deepEqual(listed, [{ market: 'standard', taskNumber: 1, state: 'COMPLETED' }]);
  });

  once('a task is written with the facts of its stored events, in whatever order they came', async () => {
    const database = await create();
    const chain = createFollowedChain(database);
    chain.mine([{ kind: 'post', market: 'standard', poster: 1 }]);
    await chain.next([{ kind: 'claim', market: 'standard', task: 1 }]);
    await chain.next([{ kind: 'deliver', market: 'standard', task: 1 }]);
    const { facts } = (await createTaskStore(database).loadTask('standard', 1n)) ?? {};
    assert.deepEqual(
      [facts?.uri, facts?.claimedAt, facts?.deliveredAt],
      ['https://tasks.example/standard/1/1002', 1004, 1006],
    );
  });

  test('a task with very many events costs a step no more than its new ones, and is read again in pages', async () => {
    const database = await create();
    const chain = createFollowedChain(database);
    const redeliver = { kind: 'redeliver', market: 'standard', task: 1 } as const;
    chain.mine([{ kind: 'post', market: 'standard', poster: 1 }]);
    chain.mine([
      { ...redeliver, kind: 'claim' },
      { ...redeliver, kind: 'deliver' },
      ...Array(600).fill(redeliver),
    ]);
    await chain.follow();
    chain.mine([redeliver]);
    const head = chain.head();
    let read = 0;
    const { chain: part } = database;
    const transaction: Database['transaction'] = (work) =>
      part.transaction((tx) => {
        const query: Transaction['query'] = async <T extends Row>(
          ...asked: Parameters<Transaction['query']>
        ) => {
          const rows = await tx.query<T>(...asked);
          read += rows.length;
          return rows;
        };
        return work({ ...tx, query });
      });
    const counting: Database = { ...database, chain: { ...part, transaction } };
    await createProjectionStore(counting, () => 0).saveBlocks({
      base: head.parentHash,
      fork: null,
      events: chain.events().filter(({ blockNumber }) => blockNumber === head.number),
      tasks: chain.tasks(),
      gone: [],
      head: { number: head.number, hash: head.hash, time: head.time },
      kept: [],
      keepFrom: 0n,
    });
    assert.ok(read < 20, `${read} rows`);
    const shown = async () => (await loadRows(database))?.tasks;
    assert.deepEqual(await shown(), (await readFresh(chain.source, await create()))?.tasks);
    await chain.fork();
    assert.deepEqual(await shown(), (await readFresh(chain.source, await create()))?.tasks);
  });

  once('only so many block hashes are kept', async () => {
    const database = await create();
    const { step } = await createStep(database);
    const store = createForwardStore(database, () => 0);
    const head: Head = { number: 5_000n, hash: `0x${'cc'.repeat(32)}`, time: 9_000 };
    const kept = [head, { number: 3_975n, hash: '0x01' }] as const;
    await store.saveBlocks({ ...step, fork: null, head, kept, keepFrom: 3_976n });
    assert.deepEqual(await store.loadHashes(), [{ number: 5_000n, hash: head.hash }]);
  });

  once('live tasks are paged by number, without those at their end', async () => {
    const database = await create();
    const store = createProjectionStore(database, () => 0);
    const states = ['POSTED', 'COMPLETED', 'DISPUTED', 'CANCELLED', 'CLAIMED', 'RESOLVED'] as const;
    const tasks = states.map(
      (state, at): Task => ({ ...buildTask('micro', BigInt(at + 1), 1, 1_000), state, worker: addressOf(3) }),
    );
    const head = { number: 1n, hash: '0x01', time: 1 } as const;
    await showTasks(database, tasks, { head, startBlock: 0n, seenAt: 0 });
    assert.deepEqual(await store.loadLive('micro', 0n, 2), [tasks[0], tasks[2]]);
    assert.deepEqual(await store.loadLive('micro', 3n, 9), [tasks[4]]);
    assert.deepEqual(await store.loadLive('standard', 0n, 9), []);
  });
});
