// An RPC that fails or lies in the ways of real ones: what is shown is always what the chain had at the block that is
// shown, and once the fault is over, or another endpoint is there, the follower is at the head again.
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { createRpc } from '#sdk/chain/rpc.ts';
import type { ChainEvent } from '#sdk/domain/event.ts';
import type { ChainSource } from '#service/chain/source.ts';
import { createChainSource } from '#service/chain/source.ts';
import { createPostingReads } from '#service/posting/readPosting.ts';
import type { Database } from '#service/store/database.ts';
import { onSqlite } from '../support/databases.ts';
import { type FaultyProxy, startFaultyProxy } from '../support/faultyProxy.ts';
import { assertShown, loadRows, type Rows, readFresh } from '../support/indexer/rows.ts';
import { type RunningFollower, startFollower } from '../support/indexer/running.ts';
import { type LiveMarket, startLiveMarket } from '../support/liveMarket.ts';
import { until } from '../support/until.ts';

const limit = { timeout: 180_000 };

let market: LiveMarket;
let truth: ChainSource;
let proxy: FaultyProxy;
const closing: (() => unknown)[] = [];
// What runs is stopped before its database is closed.
afterEach(async () => {
  proxy.setFault('none');
  for (const close of closing.splice(0).reverse()) await close();
});
const { create } = onSqlite();

before(async () => {
  market = await startLiveMarket();
  truth = market.createSource().source;
  proxy = await startFaultyProxy(market.devnet.rpcUrl);
  await market.play(30);
});
after(async () => {
  proxy.close();
  await market.close();
});

function start(database: Database, ...urls: string[]): RunningFollower {
  const { chainId, genesisHash } = market.deployment;
  const rpc = createRpc({ urls, chainId, genesisHash, timeoutMs: 1_000 });
  const source = createChainSource(rpc, market.deployment);
  const follower = startFollower({ source, database, pollMs: 50, lookEveryMs: 500 });
  closing.push(() => {
    rpc.close();
    return follower.stop();
  });
  return follower;
}

const assertTrue = (rows: Rows | null) => assertShown(rows, truth);

async function isAtHead(database: Database): Promise<boolean> {
  const rows = await loadRows(database);
  await assertTrue(rows);
  return rows?.head?.headHash === (await truth.readHead()).hash;
}

async function assertFresh(database: Database): Promise<void> {
  await until(() => isAtHead(database));
  const expected = await readFresh(truth, await create());
  // What was wrong is compared again soon.
  await until(async () => isDeepStrictEqual(await loadRows(database), expected)).catch(() => undefined);
  assert.deepEqual(await loadRows(database), expected);
}

/** What each other failure of an endpoint means is proven in rpc.test.ts. */
for (const fault of [
  ...(['silent', 'null results', 'other genesis', 'slow', 'flapping', 'batches refused', 'lagging'] as const),
  ...(['duplicated logs', 'shuffled logs', 'altered logs', 'partial batches'] as const),
  ...(['truncated logs', 'no logs'] as const),
]) {
  test(`${fault}: it follows all the same, and is never wrong`, limit, async () => {
    const database = await create();
    const follower = start(database, proxy.url);
    await until(() => isAtHead(database));
    const failedMore = (count = follower.countOf('failed')) => follower.countOf('failed') > count + 1;
    // Another chain shows only when the endpoint is asked again which one it is: after a failure.
    proxy.setFault('down');
    await until(() => failedMore(0));
    proxy.setFault(fault);
    const failures = follower.countOf('failed');
    for (let round = 0; round < 3; round++) {
      await market.play(2);
      // What logs alone say may be wrong for a moment, and is corrected.
      if (!/duplicated|shuffled|altered|partial/.test(fault)) await assertTrue(await loadRows(database));
    }
    const { number } = await truth.readHead();
    await until(
      async () =>
        failedMore(failures) ||
        // A node that lags shows an older block, but that one truly.
        BigInt((await loadRows(database))?.head?.headNumber as number) >= number - 4n,
    );
    proxy.setFault('none');
    await assertFresh(database);
  });
}

for (const fault of ['cut logs', 'impossible places', 'impossible tasks', 'impossible amounts'] as const) {
  test(`${fault}: the next endpoint is asked instead`, limit, async () => {
    const database = await create();
    proxy.setFault(fault);
    start(database, proxy.url, market.devnet.rpcUrl);
    await until(() => isAtHead(database), 30_000);
    await market.play(2);
    await assertFresh(database);
  });
}

test('cut logs of a receipt: the next endpoint is asked for it', limit, async () => {
  const { chainId, genesisHash, startBlock } = market.deployment;
  const { events } = await truth.readEvents(BigInt(startBlock), await truth.readHead());
  const { txHash } = events.at(-1) as ChainEvent;
  proxy.setFault('cut logs');
  const read = async (...urls: string[]) => {
    const rpc = createRpc({ urls, chainId, genesisHash, rounds: 1 });
    closing.push(rpc.close);
    return (await createPostingReads(rpc, market.deployment).readTransaction(txHash))?.events;
  };
  assert.deepEqual(
    await read(proxy.url, market.devnet.rpcUrl),
    events.filter((event) => event.txHash === txHash),
  );
  await assert.rejects(read(proxy.url), { code: 'CHAIN_UNREACHABLE' });
});

// The first is read in short steps, each block of which gives the lie away; of the second not one need do so, and the
// tasks themselves are compared.
for (const empty of [0, 1_100]) {
  test(
    `no logs of ${empty + 40} blocks: none of them is shown until an honest RPC returns them`,
    limit,
    async () => {
      const database = await create();
      const before = start(database, proxy.url);
      await until(() => isAtHead(database));
      await before.stop();
      await market.play(40);
      await market.mineEmpty(empty);
      proxy.setFault('no logs');
      const follower = start(database, proxy.url);
      await until(async () => {
        await assertTrue(await loadRows(database));
        return follower.countOf('failed') > 2;
      });
      assert.ok(!(await isAtHead(database)));
      proxy.setFault('none');
      await assertFresh(database);
    },
  );
}

test(
  'every second answer four blocks behind: no false fork, and the shown block never goes back',
  limit,
  async () => {
    const database = await create();
    proxy.setFault('every second answer four blocks behind');
    const follower = start(database, proxy.url);
    let highest = 0;
    const look = async () => {
      const rows = await loadRows(database);
      const shown = Number(rows?.head?.headNumber ?? 0);
      assert.ok(shown >= highest, `block ${shown} is shown after ${highest}`);
      highest = shown;
      return rows;
    };
    await until(async () => (await look()) !== null);
    for (let round = 0; round < 8; round++) {
      await market.play(3);
      await assertTrue(await look());
    }
    await until(async () => (await look()) !== null && isAtHead(database));
    assert.equal(follower.countOf('reorg'), 0);
    proxy.setFault('none');
    await assertFresh(database);
  },
);
