// A follower that is interrupted at any of its calls and started again ends with the rows of a fresh read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SvcError } from '#sdk/domain/errors.ts';
import { createFollower } from '#service/chain/follow.ts';
import type { ChainSource } from '#service/chain/source.ts';
import type { Database } from '#service/store/database.ts';
import { createForwardStore, type ForwardStore } from '#service/store/reading.ts';
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

async function work(source: ChainSource, store: ForwardStore): Promise<void> {
  const follower = createFollower({ source, store, patienceMs: 0, onEvent: () => {} });
  while (await follower.step());
}

/** Answers how many calls were made up to the interruption, or in all. */
async function playInterrupted(database: Database, chain: FakeChain, how: Interruption): Promise<number> {
  const interrupter = createInterrupter(how);
  const source = interrupter.wrap(chain.source);
  const store = interrupter.wrap(createForwardStore(database, () => 0));
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

  test('tasks that cannot be read at one block are read at a newer one, and those of a lost block go', async () => {
    const database = await create();
    const chain = createFakeChain();
    chain.mine(Array.from({ length: 310 }, (_, at) => post(at)));
    let isBroken = true;
    const readTasks: ChainSource['readTasks'] = async (market, numbers, hash) => {
      // Of the third page; with this reason it is not tried again.
      if (isBroken && numbers.includes(301n)) throw new SvcError('CHAIN_CHANGED', {});
      return chain.source.readTasks(market, numbers, hash);
    };
    const store = createForwardStore(database, () => 0);
    const source = { ...chain.source, readTasks };
    const follower = createFollower({ source, store, patienceMs: 0, onEvent: () => {} });
    await follower.step();
    for (let attempt = 0; attempt < 3; attempt++)
      await assert.rejects(follower.step(), { code: 'CHAIN_CHANGED' });
    assert.equal(await loadRows(database), null);
    isBroken = false;
    chain.revert(1);
    chain.mine([post(1), claim(1)]);
    while (await follower.step());
    const rows = await loadRows(database);
    assert.equal(rows?.tasks.length, 1);
    assert.deepEqual(rows, await readFresh(chain.source, await create()));
  });
});
