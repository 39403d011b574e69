// Lists, details and changes as readers get them from the rows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChainEvent } from '#sdk/domain/event.ts';
import type { Task } from '#sdk/domain/task.ts';
import { createHealth, emptyWeek } from '#service/market/marketHealth.ts';
import { createActivityStore } from '#service/store/activity.ts';
import { loadShown } from '#service/store/chainRow.ts';
import { createChangeStore } from '#service/store/changes.ts';
import type { Database } from '#service/store/database.ts';
import { buildEventRow } from '#service/store/eventRows.ts';
import { insertRows } from '#service/store/rows.ts';
import { toStatement } from '#service/store/sql.ts';
import type { StoredTask } from '#service/store/taskRow.ts';
import { createTaskStore } from '#service/store/tasks.ts';
import { onBothDatabases } from '../support/databases.ts';
import { addressOf, buildTask } from '../support/indexer/fakeChain.ts';
import { createFollowedChain, showTasks } from '../support/indexer/rows.ts';

const head = { number: 9n, hash: `0x${'09'.repeat(32)}`, time: 1_009 } as const;

const show = (database: Database, tasks: readonly Task[]) =>
  showTasks(database, tasks, { head, startBlock: 3n, seenAt: 77 });

const standard = (number: number, changes: Partial<Task> = {}): Task => ({
  ...buildTask('standard', BigInt(number), 1, 1_000),
  ...changes,
});

const numbersOf = (tasks: readonly StoredTask[]) => tasks.map(({ task }) => Number(task.number));

/** An event as the follower stores it; one in each block. */
function eventAt(block: number, name: string, args: ChainEvent['args'], branch = 'a'): ChainEvent {
  return {
    market: 'standard',
    contract: name === 'Released' ? 'escrowVault' : 'taskRegistry',
    name,
    args,
    taskNumber: 1n,
    blockNumber: BigInt(block),
    blockHash: `0x${branch}${block}`,
    blockTime: monday + block * 60,
    txHash: '0x01',
    logIndex: 0,
    address: addressOf(1),
  };
}

const monday = Date.UTC(2026, 0, 5) / 1_000;

async function saveEventRows(database: Database, events: readonly ChainEvent[]) {
  const rows = events.map((event) => buildEventRow(event));
  await database.chain.transaction((tx) => insertRows(tx, 'events', rows));
}

onBothDatabases(({ create, once }) => {
  once('market health counts each event once, and again after a deep fork', async () => {
    const database = await create();
    await show(database, [standard(1)]);
    const play = (from: number, to: number, branch?: string) =>
      Array.from({ length: to - from }, (_, index) => from + index).map((block) => {
        if (block % 4 === 0) return eventAt(block, 'TaskPosted', {}, branch);
        if (block % 4 === 1) return eventAt(block, 'ProofSubmitted', {}, branch);
        if (block % 4 === 2) return eventAt(block, 'MilestoneAccepted', {}, branch);
        return eventAt(block, 'Released', { amount: '1000000000000000000' }, branch);
      });
    await saveEventRows(database, play(0, 2_400));
    await saveEventRows(database, [
      eventAt(2_400, 'TaskState', { state: 6 }),
      eventAt(2_401, 'DisputeOpened', {}),
    ]);
    const moveHead = (block: number) => database.chain.write('UPDATE chain SET head_number = $1', [block]);
    await moveHead(2_401);

    const store = createActivityStore(database);
    let kept: string | null = null;
    let rowsRead = 0;
    const counting = {
      ...store,
      loadPart: async (...args: Parameters<typeof store.loadPart>) => {
        const part = await store.loadPart(...args);
        rowsRead += part.events.length;
        return part;
      },
    };
    const read = async () => {
      rowsRead = 0;
      const health = createHealth({
        store: counting,
        tasks: createTaskStore(database),
        loadKept: async () => kept,
        saveKept: async (text) => {
          kept = text;
        },
        now: () => monday + 8 * 86_400,
      });
      return (await health()).standard;
    };
    const { weeks, open, totals } = await read();
    assert.deepEqual(totals, { escrowTokWei: `${-600n * 10n ** 18n}`, paidTokWei: `${600n * 10n ** 18n}` });
    assert.deepEqual(weeks, [
      {
        start: monday,
        posted: 600,
        claimed: 0,
        completed: 1,
        resolved: 0,
        cancelled: 0,
        disputes: 1,
        deliveries: 600,
        accepted: 600,
        waitedSeconds: 600 * 60,
        paidTokWei: `${600n * 10n ** 18n}`,
      },
      { ...emptyWeek, start: monday + 7 * 86_400 },
    ]);
    assert.deepEqual([open.isAll, open.tasks], [true, 0]);
    assert.equal(rowsRead, 2_402);
    assert.deepEqual((await read()).weeks, weeks);
    assert.equal(rowsRead, 1_024, 'a later process reads only what a fork may still replace');

    await database.chain.write('DELETE FROM events WHERE block_number >= 1000');
    await saveEventRows(database, play(1_000, 1_100, 'b'));
    await moveHead(1_100);
    assert.equal((await read()).weeks[0]?.posted, 275);
    assert.equal(rowsRead, 1_100, 'what was kept belongs to another branch');
  });

  test('the open list has claimable tasks only, newest first, in pages without gap or repeat', async () => {
    const database = await create();
    await show(database, [
      standard(1),
      standard(2, { state: 'CLAIMED', worker: addressOf(9) }),
      standard(3, { scope: 'private', poster: addressOf(0xabc) }),
      standard(4, { deadline: 2_000 }),
      standard(5, { deadline: 1_999 }),
      standard(6),
      buildTask('micro', 1n, 1, 1_000),
    ]);
    const { loadPage, loadTask } = createTaskStore(database);
    const page = { list: 'open', market: 'standard', now: 2_000 } as const;
    assert.deepEqual(numbersOf(await loadPage({ ...page, limit: 10 })), [6, 4, 1]);
    assert.deepEqual(numbersOf(await loadPage({ ...page, limit: 2 })), [6, 4]);
    assert.deepEqual(numbersOf(await loadPage({ ...page, limit: 2, before: 4n })), [1]);
    assert.deepEqual(numbersOf(await loadPage({ ...page, limit: 10, now: 2_001 })), [6, 1]);
    assert.deepEqual(numbersOf(await loadPage({ ...page, market: 'micro', limit: 10 })), [1]);
    const own = { list: 'poster', market: 'standard', limit: 10 } as const;
    const shouted = addressOf(0xabc).toUpperCase().replace('0X', '0x') as `0x${string}`;
    assert.deepEqual(numbersOf(await loadPage({ ...own, address: shouted })), [3]);
    assert.deepEqual(numbersOf(await loadPage({ ...own, address: addressOf(1), before: 4n })), [2, 1]);
    assert.deepEqual(numbersOf(await loadPage({ ...own, list: 'worker', address: addressOf(9) })), [2]);
    assert.equal((await loadTask('standard', 3n))?.task.scope, 'private');
    assert.equal(
      await loadTask('standard', 10n ** 20n - 1n),
      null,
      'a number that no registry will ever reach',
    );
  });

  test('the next deadline is the first one of an open task that has not passed', async () => {
    const database = await create();
    await show(database, [
      standard(1, { deadline: 3_000 }),
      standard(2, { deadline: 2_000 }),
      standard(3, { deadline: 1_500, scope: 'private' }),
      standard(4, { deadline: 1_500, state: 'ACTIVE', worker: addressOf(9) }),
    ]);
    const { loadNextDeadline } = createTaskStore(database);
    assert.equal(await loadNextDeadline('standard', 1_000), 2_000);
    assert.equal(await loadNextDeadline('standard', 2_000), 2_000);
    assert.equal(await loadNextDeadline('standard', 2_001), 3_000);
    assert.equal(await loadNextDeadline('standard', 3_001), null);
    assert.equal(await loadNextDeadline('micro', 0), null);
  });

  test('where the follower stands is known to those who serve the same chain, and to nobody else', async () => {
    const database = await create();
    await show(database, [standard(1)]);
    assert.deepEqual(await loadShown(database), {
      head,
      seenAt: 77,
      startBlock: 3n,
    });
  });

  test('a change also concerns those whom the task concerned until then', async () => {
    const database = await create();
    const chain = createFollowedChain(database);
    const [market, worker] = ['standard', addressOf(70)] as const;
    const lastWallets = async () => {
      const found = await createChangeStore(database).loadChangesAfter(0, 100);
      return found.findLast((change) => change.kind === 'task')?.wallets;
    };
    const both = [addressOf(1), worker];
    await chain.next([{ kind: 'post', market, poster: 1 }]);
    await chain.next([{ kind: 'claim', market, task: 1, worker }]);
    await chain.next([{ kind: 'relist', market, task: 1 }]);
    assert.deepEqual(await lastWallets(), both, 'the worker has left');
    await chain.next([{ kind: 'claim', market, task: 1, worker }]);
    chain.revert(1);
    await chain.next();
    assert.deepEqual(await lastWallets(), both, 'a fork has undone the claim');
  });

  test('changes are numbered upwards for ever, through forks and new readings', async () => {
    const database = await create();
    const seen: number[] = [];
    const noteNew = async () => {
      const [row] = await database.query<{ first: number | null; last: number | null }>(
        'SELECT MIN(seq) AS first, MAX(seq) AS last FROM changes WHERE seq > $1',
        [seen.at(-1) ?? 0],
      );
      if (row?.first != null && row.last != null) seen.push(row.first, row.last);
    };
    for (let reading = 0; reading < 3; reading++) {
      const chain = createFollowedChain(database);
      await chain.next();
      for (let round = 0; round < 3; round++) {
        await chain.next([{ kind: 'post', market: 'standard', poster: 1 }]);
        await noteNew();
        chain.revert(1);
        await chain.next([{ kind: 'post', market: 'standard', poster: 2 }]);
        await noteNew();
      }
    }
    assert.ok(seen.length >= 18);
    assert.deepEqual(
      seen,
      seen.toSorted((left, right) => left - right),
    );
  });

  test('changes are read on from any point, and a task’s events oldest first', async () => {
    const database = await create();
    const chain = createFollowedChain(database);
    await chain.next([{ kind: 'post', market: 'standard', poster: 1 }]);
    const changes = createChangeStore(database);
    const [reset] = await changes.loadChangesAfter(0, 10);
    assert.equal(reset?.kind, 'reset', 'a first read tells only that lists must be read again');
    await chain.next([{ kind: 'claim', market: 'standard', task: 1 }]);
    await chain.next([{ kind: 'post', market: 'micro', poster: 3, isPrivate: true }]);
    const all = (await changes.loadChangesAfter(0, 10)).filter((change) => change.kind === 'task');
    assert.deepEqual(
      all.map(({ market, number, state, scope, blockNumber }) => [market, number, state, scope, blockNumber]),
      [
        ['standard', 1n, 'ACTIVE', 'open', 2n],
        ['micro', 1n, 'POSTED', 'private', 3n],
      ],
    );
    const [first, second] = all as [(typeof all)[0], (typeof all)[0]];
    assert.deepEqual(await changes.loadChangesAfter(first.seq, 10), [second]);
    assert.deepEqual(await changes.loadChangesAfter(0, 1), [reset]);
    assert.deepEqual(await changes.loadChangeRange(), { first: reset?.seq, last: second.seq });
    const task = { market: 'standard', number: 1n } as const;
    const page = { after: null, limit: 10 };
    assert.deepEqual(
      (await changes.loadTaskEvents(task, page)).map(({ name }) => name),
      ['TaskPosted', 'Funded', 'TaskClaimed', 'TaskState'],
    );
  });

  test('every list is found by an index, whatever the number of tasks', async () => {
    const database = await create();
    const many = Array.from({ length: 1_000 }, (_, at) => standard(at + 1, { state: 'COMPLETED' }));
    await show(database, [...many, standard(1_001)]);
    if (database.dialect === 'postgres') await database.write('ANALYZE');
    const texts: string[] = [];
    const explained: Database = {
      ...database,
      query: async (statement, given = []) => {
        const { text, params } = toStatement(statement, given);
        const explain = database.dialect === 'postgres' ? 'EXPLAIN' : 'EXPLAIN QUERY PLAN';
        const plan = await database.query(`${explain} ${text}`, params);
        texts.push(plan.map((row) => String(row.detail ?? row['QUERY PLAN'])).join('\n'));
        return database.query(text, params);
      },
    };
    const tasks = createTaskStore(explained);
    const page = { market: 'standard', limit: 100, address: addressOf(77), now: 0 } as const;
    for (const list of ['open', 'poster', 'worker'] as const) await tasks.loadPage({ ...page, list });
    await tasks.loadTask('standard', 5n);
    await tasks.loadNextDeadline('standard', 0);
    await tasks.loadLedger('standard', addressOf(77), { limit: 100 });
    assert.equal(texts.length, 11);
    // `own` is a page.
    for (const text of texts)
      assert.doesNotMatch(text, /SCAN tasks(?! USING)|Seq Scan on tasks|TEMP B-TREE.*\n.*SCAN (?!own)/);
  });
});
