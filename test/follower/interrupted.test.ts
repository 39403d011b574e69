// A follower that is broken off at any of its calls, and started again, ends with the rows of a fresh read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAdvance } from '#projection/advance.ts';
import type { ChainSource, ProjectionStore } from '#projection/needs.ts';
import type { Database } from '#store/database.ts';
import { createProjectionStore } from '#store/projection.ts';
import { onBothDatabases } from '../support/databases.ts';
import { createFakeChain, type Deed, type FakeChain } from '../support/follower/fakeChain.ts';
import { createInterrupter, type Interruption, interrupted } from '../support/follower/interrupt.ts';
import { catchUp, loadRows, readFresh } from '../support/follower/rows.ts';

const post = (poster: number): Deed => ({ kind: 'post', market: 'standard', poster });
const claim = (task: number): Deed => ({ kind: 'claim', market: 'standard', task });
const deliver = (task: number): Deed => ({ kind: 'deliver', market: 'standard', task });

/** A past, a first read, some blocks, a fork, and a fork deeper than what is kept of this young chain. */
const acts: readonly ((chain: FakeChain) => void)[] = [
  (chain) => {
    for (const deeds of [[post(1), post(2)], [claim(1)], [], [post(3)], [deliver(1)]]) chain.mine(deeds);
  },
  (chain) => {
    for (const deeds of [[claim(2)], [{ ...post(1), market: 'micro' } as Deed], [deliver(2)]])
      chain.mine(deeds);
  },
  (chain) => {
    chain.revert(2);
    for (const deeds of [[post(4)], [claim(4)]]) chain.mine(deeds);
  },
  (chain) => {
    chain.revert(8);
    for (const deeds of [[post(5)], [claim(1)]]) chain.mine(deeds);
  },
];

async function work(source: ChainSource, store: ProjectionStore): Promise<void> {
  const advance = createAdvance({ source, store, onEvent: () => {} });
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
  // Every call on SQLite. On PostgreSQL, which is slower and whose transactions are proven elsewhere, every seventh.
  const stride = dialect === 'sqlite' ? 1 : 7;

  for (const when of ['before', 'after'] as const) {
    test(`it may be broken off ${when} any call`, async (context) => {
      const database = await create();
      const undisturbed = createFakeChain();
      for (const act of acts) act(undisturbed);
      const expected = await readFresh(undisturbed.source, await create());
      let at = 1;
      for (; ; at += stride) {
        const chain = createFakeChain({ maxRange: 3, provenBlocks: 2 });
        const calls = await playInterrupted(database, chain, { at, when });
        await catchUp(chain.source, database);
        const rows = await loadRows(database, chain.source.identity);
        assert.deepEqual(rows, expected, `broken off ${when} call ${at}`);
        if (calls < at) break;
      }
      context.diagnostic(`broken off at calls 1 to ${at - stride}`);
      assert.ok(at > 50);
    });
  }
});
