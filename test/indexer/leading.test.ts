// Several followers on one database: one leads, another takes over, and nobody writes who has been overtaken.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { SvcError } from '#sdk/domain/errors.ts';
import type { ChainSource } from '#service/chain/source.ts';
import type { Database } from '#service/store/database.ts';
import { onBothDatabases } from '../support/databases.ts';
import { createFakeChain, type FakeChain } from '../support/indexer/fakeChain.ts';
import { loadRows } from '../support/indexer/rows.ts';
import { type RunningFollower, type RunningOptions, startFollower } from '../support/indexer/running.ts';
import { until } from '../support/until.ts';

const running: RunningFollower[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((follower) => follower.stop()));
});

function start(options: RunningOptions): RunningFollower {
  const follower = startFollower(options);
  running.push(follower);
  return follower;
}

const post = { kind: 'post', market: 'standard', poster: 1 } as const;

async function isCaughtUp(database: Database, chain: FakeChain): Promise<boolean> {
  const rows = await loadRows(database);
  return rows?.head?.headHash === chain.head().hash && rows.events.length === chain.events().length;
}

/** Until a new block is in the rows. */
async function follow(database: Database, chain: FakeChain): Promise<void> {
  chain.mine([post]);
  await until(() => isCaughtUp(database, chain));
}

onBothDatabases(({ create }) => {
  test('of two followers one leads and the other takes over when the first stops', async () => {
    const database = await create();
    const chain = createFakeChain();
    chain.mine([post]);
    const first = start({ source: chain.source, database, leaseMs: 30_000 });
    await until(() => isCaughtUp(database, chain));
    const second = start({ source: chain.source, database });
    await follow(database, chain);
    assert.deepEqual([first.countOf('leading'), second.countOf('leading')], [1, 0]);
    await first.stop();
    await follow(database, chain);
    assert.equal(second.countOf('leading'), 1);
  });

  test('a first reading that takes much longer than the lease lasts is not taken away', async () => {
    const database = await create();
    const chain = createFakeChain();
    chain.mine(Array.from({ length: 320 }, () => post));
    const leaseMs = 1_500;
    const readEnd = async () =>
      (await database.query<{ expiresAt: number }>('SELECT expires_at FROM leases'))[0]?.expiresAt ?? 0;
    let firstEnd = 0;
    const readTasks: ChainSource['readTasks'] = async (...params) => {
      firstEnd ||= await readEnd();
      // Until the first lease is over for longer than it lasted.
      await until(async () => (await readEnd()) > firstEnd + leaseMs);
      return chain.source.readTasks(...params);
    };
    const slow = start({ source: { ...chain.source, readTasks }, database, leaseMs });
    await until(() => slow.countOf('leading') === 1);
    const other = start({ source: chain.source, database, leaseMs });
    await until(() => isCaughtUp(database, chain));
    assert.deepEqual([slow.countOf('leading'), other.countOf('leading')], [1, 0]);
  });

  test('a leader whose lease was taken steps back, and its write under way is refused', async () => {
    const database = await create();
    const chain = createFakeChain();
    chain.mine([post]);
    let isHeldUp = false;
    let goOn = () => {};
    const held = start({
      source: chain.source,
      database,
      // It does not check its lease meanwhile: it learns of the loss only from the refused write.
      leaseMs: 60_000,
      wrapStore: (store) => ({
        ...store,
        saveBlocks: async (step) => {
          if (isHeldUp) await new Promise<void>((resolve) => (goOn = resolve));
          return store.saveBlocks(step);
        },
      }),
    });
    await until(() => isCaughtUp(database, chain));
    isHeldUp = true;
    chain.mine([post]);
    const before = goOn;
    await until(() => goOn !== before);
    // As if this process had been asleep for longer than its lease lasts.
    await database.write(`UPDATE leases SET holder = 'nobody', expires_at = 0`);
    const next = start({ source: chain.source, database });
    await until(() => next.countOf('leading') === 1);
    await until(() => isCaughtUp(database, chain));
    isHeldUp = false;
    goOn();
    await until(() => held.countOf('standby') === 1);
    const refused = held.events.filter(({ kind }) => kind === 'failed');
    for (const event of refused) {
      assert.ok(event.kind === 'failed' && event.error instanceof SvcError);
      assert.equal(event.error.code, 'FOLLOWER_OVERTAKEN');
    }
    await follow(database, chain);
  });
});
