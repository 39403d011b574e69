// A follower that is interrupted at any of its calls and started again ends with the rows of a fresh read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SvcError } from '#sdk/domain/errors.ts';
import { createAdvance } from '#service/indexer/advance.ts';
import type { ChainSource } from '#service/indexer/source.ts';
import type { Database } from '#service/store/database.ts';
import type { ProjectionStore } from '#service/store/projection.ts';
import { createProjectionStore } from '#service/store/projection.ts';
import { onBothDatabases } from '../support/databases.ts';
import { type ChainStep, createFakeChain, type FakeChain } from '../support/indexer/fakeChain.ts';
import { catchUp, loadRows, readFresh } from '../support/indexer/rows.ts';
import { createInterrupter, type Interruption, interrupted } from '../support/interrupter.ts';

const post = (poster: number): ChainStep => ({ kind: 'post', market: 'standard', poster });
const claim = (task: number): ChainStep => ({ kind: 'claim', market: 'standard', task });
const deliver = (task: number): ChainStep => ({ kind: 'deliver', market: 'standard', task });

/** A past, a first read, some blocks, a fork, and a fork deeper than what is kept of this young chain. */
const acts: readonly ((chain: FakeChain) => void)[] = [
  (chain) => {
    for (const steps of [[post(1), post(2)], [claim(1)], [], [post(3)], [deliver(1)]]) chain.mine(steps);
  },
  (chain) => {
    for (const steps of [[claim(2)], [{ ...post(1), market: 'micro' } as ChainStep], [deliver(2)]])
      chain.mine(steps);
  },
  (chain) => {
    chain.revert(2);
    for (const steps of [[post(4)], [claim(4)]]) chain.mine(steps);
  },
  (chain) => {
    chain.revert(8);
    for (const steps of [[post(5)], [claim(1)]]) chain.mine(steps);
  },
];

async function work(source: ChainSource, store: ProjectionStore): Promise<void> {
  const advance = createAdvance({ source, store, patienceMs: 0, onEvent: () => {} });
  while (await advance.head());
  while ((await advance.background()) === 'more');
}

/** Answers how many calls were made up to the interruption, or in all. */
async function playInterrupted(database: Database, chain: FakeChain, how: Interruption): Promise<number> {
  const interrupter = createInterrupter(how);
  const source = interrupter.wrap(chain.source);
  const store = interrupter.wrap(createProjectionStore(database, () => 0));
  for (const act of acts) {
    act(chain);
    await work(source, store).catch((error) => assert.equal(error, interrupted));
  }
  return interrupter.calls();
}

onBothDatabases(({ create, dialect }) => {
  // Some calls on SQLite, and few on PostgreSQL, whose transactions are proven elsewhere. SVC_LONG_TESTS=1 takes every call.
  const stride = process.env.SVC_LONG_TESTS ? 1 : dialect === 'sqlite' ? 7 : 31;

  for (const when of ['before', 'after'] as const) {
    test(`it may be interrupted ${when} any call`, async (context) => {
      const database = await create();
      const undisturbed = createFakeChain();
      for (const act of acts) act(undisturbed);
      const expected = await readFresh(undisturbed.source, await create());
      let at = 1;
      for (; ; at += stride) {
        const chain = createFakeChain({ maxRange: 3, provenBlocks: 2 });
        const calls = await playInterrupted(database, chain, { at, when });
        await catchUp(chain.source, database);
        const rows = await loadRows(database);
        assert.deepEqual(rows, expected, `broken off ${when} call ${at}`);
        if (calls < at) break;
      }
      context.diagnostic(`broken off at calls 1 to ${at - stride}`);
      assert.ok(at > 50);
    });
  }

  test('a reading that fails over and over leaves no more than one of them behind', async () => {
    const database = await create();
    const chain = createFakeChain();
    chain.mine(Array.from({ length: 310 }, (_, at) => post(at)));
    let isBroken = true;
    const readTasks: ChainSource['readTasks'] = async (market, numbers, hash) => {
      // Of the third page; with this reason it is not tried again.
      if (isBroken && numbers.includes(301n)) throw new SvcError('CHAIN_CHANGED', {});
      return chain.source.readTasks(market, numbers, hash);
    };
    const store = createProjectionStore(database, () => 0);
    const advance = createAdvance({
      source: { ...chain.source, readTasks },
      store,
      patienceMs: 0,
      onEvent: () => {},
    });
    const countRows = async () => (await database.query('SELECT number FROM tasks')).length;

    // First where nothing is shown yet, then beside what is: of what the chain takes back here no hash is kept.
    for (const shown of [0, 310]) {
      isBroken = true;
      for (let attempt = 0; attempt < 4; attempt++) {
        await assert.rejects(advance.head(), { code: 'CHAIN_CHANGED' });
        const rows = await countRows();
        assert.ok(rows > shown && rows <= shown + 300, `${rows} after ${attempt + 1} attempts`);
      }
      isBroken = false;
      while (await advance.head());
      assert.equal(await countRows(), shown + 310);
      chain.revert(1);
      chain.mine(Array.from({ length: 310 }, (_, at) => post(at + 1)));
    }
    while (await advance.head());
    while ((await advance.background()) === 'more');
    assert.equal(await countRows(), 310);
  });

  test('a fork below all events that are known, after a history with a gap had to begin again, is read all over again', async () => {
    const [database, chain] = [await create(), createFakeChain()];
    for (let poster = 1; poster <= 6; poster++) chain.mine([post(poster)]);
    let isLying = true;
    const readEvents: ChainSource['readEvents'] = async (...asked) => {
      const { events, ...range } = await chain.source.readEvents(...asked);
      return { ...range, events: events.filter(({ taskNumber }) => !isLying || taskNumber !== 4n) };
    };
    const kinds: string[] = [];
    const advance = createAdvance({
      source: { ...chain.source, readEvents },
      store: createProjectionStore(database, () => 0),
      patienceMs: 0,
      pastMs: 0,
      onEvent: ({ kind }) => kinds.push(kind),
    });
    const follow = async () => {
      while (await advance.head());
      while ((await advance.background()) === 'more');
    };
    await assert.rejects(follow(), { code: 'CHAIN_LOGS_MISSING' });
    isLying = false;
    // Hashes of blocks below the head are still kept, but no event is known there.
    chain.revert(1);
    for (const steps of [[post(7)], [claim(6)]]) chain.mine(steps);
    await follow();
    assert.ok(kinds.includes('lost'));
    const rows = await loadRows(database);
    assert.deepEqual(rows, await readFresh(chain.source, await create()));
  });
});
