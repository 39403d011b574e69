// Followers of the changes: each change is handled at least once and in order, whatever forks, ends or is missing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createChangeStore } from '#service/store/changes.ts';
import {
  type ChangePage,
  type Consumer,
  consumePage,
  createConsumer,
  createCursorStore,
} from '#service/store/consume.ts';
import type { Database } from '#service/store/database.ts';
import { beginEpoch } from '#service/store/epoch.ts';
import { createLease } from '#service/store/lease.ts';
import { onBothDatabases } from '../support/databases.ts';
import { createFollowedChain } from '../support/indexer/rows.ts';
import { createInterrupter, interrupted } from '../support/interrupter.ts';

const post = { kind: 'post', market: 'standard', poster: 1 } as const;
const claim = { kind: 'claim', market: 'standard', task: 1 } as const;
const never = new AbortController().signal;

/** A follower that writes down what it is given: `1 POSTED`, or `reset`. */
function createFollower(database: Database, more: Partial<Consumer> = {}) {
  const seen: string[] = [];
  const needs = { cursors: createCursorStore(database), changes: createChangeStore(database) };
  const note = ({ reset, changes }: ChangePage) => {
    if (reset !== null) seen.push('reset');
    for (const { number, state } of changes) seen.push(`${number} ${state}`);
  };
  const consumer: Consumer = {
    name: 'test',
    handle: async (page, move) => {
      note(page);
      await move(page.upTo);
    },
    ...more,
  };
  return {
    needs,
    consumer,
    seen,
    note,
    read: async () => {
      while (await consumePage(needs, consumer));
      return seen.splice(0);
    },
  };
}

onBothDatabases(({ create, createPair }) => {
  test('each change is handled in order, once, and from then on what is new', async () => {
    const database = await create();
    const chain = createFollowedChain(database);
    await chain.next([post]);
    const { read } = createFollower(database);
    assert.deepEqual(await read(), ['reset'], 'the first state');
    assert.deepEqual(await read(), []);
    await chain.next([claim]);
    await chain.next([post]);
    assert.deepEqual(await read(), ['1 ACTIVE', '2 POSTED']);
    const late = createFollower(database, { name: 'late', begin: 'newest' });
    assert.deepEqual(await late.read(), []);
    await chain.next([post]);
    assert.deepEqual(await late.read(), ['3 POSTED']);
  });

  test('a fork that changes tasks brings them again, and one that removes tasks a reset before them', async () => {
    const database = await create();
    const chain = createFollowedChain(database);
    await chain.next([post]);
    await chain.next([claim]);
    const { read } = createFollower(database);
    await read();
    chain.revert(1);
    await chain.next();
    assert.deepEqual(await read(), ['1 POSTED']);
    await chain.next([post]);
    chain.revert(1);
    await chain.next([claim]);
    assert.deepEqual(
      await read(),
      ['2 POSTED', 'reset', '1 ACTIVE'],
      'a reset is not mixed with what came before',
    );
  });

  test('pages are small, and a reset is always at the beginning of one', async () => {
    const database = await create();
    const chain = createFollowedChain(database);
    for (let times = 0; times < 5; times++) await chain.next([post]);
    chain.revert(2);
    await chain.next([post]);
    const pages: ChangePage[] = [];
    const { read } = createFollower(database, {
      pageSize: 2,
      handle: async (page, move) => {
        pages.push(page);
        await move(page.upTo);
      },
    });
    await read();
    const { last } = (await createChangeStore(database).loadChangeRange()) ?? {};
    assert.equal(pages.at(-1)?.upTo, last);
    assert.ok(pages.every(({ changes }) => changes.length <= 2));
    assert.ok(pages.filter(({ reset }) => reset !== null).length >= 2);
  });

  test('changes that are no longer kept are a reset, and so are numbers that a restore took away', async () => {
    const database = await create();
    const chain = createFollowedChain(database);
    await chain.next([post]);
    const { read } = createFollower(database);
    await read();
    for (let times = 0; times < 3; times++) await chain.next([post]);
    await database.chain.write('DELETE FROM changes WHERE seq < (SELECT MAX(seq) FROM changes)');
    assert.deepEqual(await read(), ['reset', '4 POSTED']);
    await database.write('UPDATE cursors SET position = position + 5');
    assert.deepEqual(await read(), ['reset']);
    assert.deepEqual(await read(), []);
    await beginEpoch(database, 1_800_000_000);
    await chain.next([post]);
    assert.deepEqual(await read(), ['reset', '5 POSTED']);
  });

  test('of two processes at one page one moves, and what the other would have written is not there', async () => {
    const [one, two] = await createPair();
    await createFollowedChain(one).next([post]);
    const saves: string[] = [];
    const both = Promise.withResolvers<void>();
    let arrived = 0;
    const outcomes: boolean[] = [];
    const follow = (database: Database, name: string) =>
      consumePage(createFollower(database).needs, {
        name: 'test',
        handle: async ({ upTo }, move) => {
          if (++arrived === 2) both.resolve();
          await both.promise;
          outcomes.push(await move(upTo, async () => void saves.push(name)));
        },
      });
    await Promise.all([follow(one, 'one'), follow(two, 'two')]);
    assert.deepEqual(outcomes.sort(), [false, true]);
    assert.equal(saves.length, 1);
  });

  test('whenever a process ends, nothing is left out, and what is written with the position is written once', async () => {
    for (const when of ['before', 'after'] as const)
      for (let at = 1, isOver = false; !isOver; at++) {
        const database = await create();
        const chain = createFollowedChain(database);
        await chain.next();
        const first = createFollower(database);
        await first.read();
        await chain.next([post]);
        const { needs, read, note, seen } = createFollower(database);
        const handle: Consumer['handle'] = async (page, move) => {
          note(page);
          await move(page.upTo, async (tx) => {
            await tx.query(`INSERT INTO receipts_of_test (upto) VALUES (${page.upTo})`);
          });
        };
        await database.write('CREATE TABLE receipts_of_test (upto BIGINT)');
        const { wrap, calls } = createInterrupter({ at, when });
        const ended = await consumePage(
          { cursors: wrap(needs.cursors), changes: wrap(needs.changes) },
          { name: 'test', handle },
        ).then(
          () => null,
          (error: unknown) => error,
        );
        assert.ok(ended === null || ended === interrupted, String(ended));
        isOver = calls() < at;
        await consumePage(needs, { name: 'test', handle });
        assert.ok(seen.includes('1 POSTED'));
        assert.equal((await database.query('SELECT * FROM receipts_of_test')).length, 1);
        await chain.next([claim]);
        seen.length = 0;
        assert.deepEqual(await read(), ['1 ACTIVE']);
      }
  });

  test('one process at a time works, and without news none takes the lease', async () => {
    const [one, two] = await createPair();
    const chain = createFollowedChain(one);
    await chain.next();
    await chain.next([post]);
    const leaseOf = (database: Database, holder: string) =>
      createLease(database, { name: 'test', holder, milliseconds: 60_000 });
    const [first, second] = [createFollower(one), createFollower(two)];
    const consumers = [
      createConsumer({ ...first.needs, ...first.consumer, lease: leaseOf(one, 'first') }),
      createConsumer({ ...second.needs, ...second.consumer, lease: leaseOf(two, 'second') }),
    ] as const;
    await consumers[0].round(never);
    await chain.next([claim]);
    await consumers[1].round(never);
    assert.deepEqual([first.seen, second.seen], [['reset', '1 POSTED'], []]);
    await consumers[0].close();
    await consumers[1].round(never);
    assert.deepEqual(second.seen, ['1 ACTIVE']);
    await consumers[1].close();
    await consumers[0].round(never);
    assert.deepEqual(await one.query('SELECT name FROM leases'), []);
  });
});
