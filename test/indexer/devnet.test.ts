// The follower on the real embedded chain: first reading, new blocks and forks of every depth.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Rpc } from '#sdk/chain/rpc.ts';
import { blockAt, latestBlock, type RpcRequest } from '#sdk/chain/rpcRequests.ts';
import { markets } from '#sdk/domain/market.ts';
import { createFollower, type FollowEvent, type Follower as Following } from '#service/chain/follow.ts';
import { type ChainSource, createChainSource } from '#service/chain/source.ts';
import type { Database } from '#service/store/database.ts';
import { createForwardStore } from '#service/store/reading.ts';
import { onSqlite } from '../support/databases.ts';
import { loadRows, readFresh } from '../support/indexer/rows.ts';
import { type LiveMarket, startLiveMarket } from '../support/liveMarket.ts';

let market: LiveMarket;
let source: ChainSource;
const { create } = onSqlite();

before(async () => {
  market = await startLiveMarket();
  source = market.createSource().source;
  await market.play(40);
});
after(() => market.close());

type Follower = {
  readonly database: Database;
  readonly following: Following;
  readonly events: FollowEvent[];
};

async function createOne(given?: Database, from = source): Promise<Follower> {
  const database = given ?? (await create());
  const events: FollowEvent[] = [];
  const store = createForwardStore(database, () => 0);
  const onEvent = (event: FollowEvent) => events.push(event);
  return { database, events, following: createFollower({ source: from, store, patienceMs: 0, onEvent }) };
}

/** Every second question is answered by a node that lacks the newest blocks. */
function createTurns(missing: bigint) {
  const { rpc } = market.createSource();
  let asked = 0;
  async function askAll(requests: readonly RpcRequest<unknown>[]): Promise<unknown[]> {
    if (asked++ % 2 === 1) return rpc.askAll(requests);
    const newest = (await rpc.ask(latestBlock())).number - missing;
    return rpc.askAll(
      requests.map((request) => {
        const [block] = request.params;
        if (request.method !== 'eth_getBlockByNumber') return request;
        if (block === 'latest') return { ...blockAt(newest), parse: request.parse };
        return BigInt(block as string) > newest ? { ...request, params: ['0xffffffff', false] } : request;
      }),
    );
  }
  const turns = {
    ...rpc,
    askAll: askAll as Rpc['askAll'],
    ask: async <T>(request: RpcRequest<T>) => (await askAll([request]))[0] as T,
  };
  return { source: createChainSource(turns, market.deployment), asked: () => asked };
}

async function reachHead({ following }: Follower): Promise<void> {
  while (await following.step());
}

async function assertFresh(follower: Follower): Promise<void> {
  await reachHead(follower);
  assert.deepEqual(await loadRows(follower.database), await readFresh(source, await create()));
}

const kinds = ({ events }: Follower) => events.map(({ kind }) => kind);

test('history brings every log of the contracts, with its time, and the texts of every task', async () => {
  const follower = await createOne();
  await reachHead(follower);
  const rows = await loadRows(follower.database);
  const address = markets.flatMap((name) => {
    const { parameters: _, ...contracts } = market.deployment.markets[name];
    return Object.values(contracts);
  });
  const logs = await market.client.getLogs({ address, fromBlock: 0n });
  assert.deepEqual(
    rows?.events.map((row) => [row.blockNumber, row.logIndex, row.txHash]),
    logs.map((log) => [Number(log.blockNumber), log.logIndex, log.transactionHash]),
  );
  for (const row of rows?.events ?? []) {
    const block = await market.client.getBlock({ blockNumber: BigInt(row.blockNumber as number) });
    assert.equal(row.blockTime, Number(block.timestamp));
  }
  for (const row of rows?.tasks ?? []) assert.notEqual(JSON.parse(String(row.facts)).facts.uri, null);
});

for (const depth of [1, 12]) {
  test(`a fork of ${depth} blocks is undone and read again`, async () => {
    const follower = await createOne();
    await assertFresh(follower);
    const goBack = await market.remember();
    await market.play(depth);
    await reachHead(follower);
    await goBack();
    await market.play(depth + 1);
    await assertFresh(follower);
    assert.ok(kinds(follower).includes('reorg'));
    assert.equal(kinds(follower).filter((kind) => kind === 'whole').length, 1, 'all tasks are read once');
  });
}

test('a chain that stands still is read to its end where a lagging node answers first', async () => {
  const prepared = await createOne();
  await assertFresh(prepared);
  // The lagging node ends below the rows.
  await market.mineEmpty(2);
  const turns = createTurns(4n);
  const follower = await createOne(prepared.database, turns.source);
  const shown = async () => (await loadRows(follower.database))?.head?.headHash;
  for (let poll = 0; poll < 2; poll++) await follower.following.step();
  assert.equal(await shown(), (await source.readHead()).hash);
  assert.deepEqual(kinds(follower), ['moved']);

  const goBack = await market.remember();
  const { hash } = await source.readHead();
  await market.play(6);
  await reachHead(follower);
  await goBack();
  for (let poll = 0; poll < 4 && (await shown()) !== hash; poll++) await follower.following.step();
  assert.equal(await shown(), hash, 'a chain that went back is followed all the same');
  const before = turns.asked();
  await follower.following.step();
  assert.ok(turns.asked() - before <= 2, 'and no longer asked for what it had');
});
