// Attacks the posting quota where money is: several processes on one database, processes that are killed right after
// they answered, and a chain that takes posts and payments back.
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import type { Hex } from 'viem';
import { taskRegistryAbi } from '#contracts/generated/abi/taskRegistry.ts';
import { hashCriteria } from '#sdk/domain/terms.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { buildAccountStep } from '#service/devnet/seed/accountSteps.ts';
import { buildTransaction, type DevTransaction } from '#service/devnet/transactions.ts';
import { createPostingReads } from '#service/posting/readPosting.ts';
import { onBothDatabases } from './support/databases.ts';
import { ask } from './support/devnet.ts';
import { type LiveMarket, startLiveMarket } from './support/liveMarket.ts';
import { getQuota, send, taskAmount, unseenHash } from './support/postingSite.ts';
import { type SiteProcess, startSiteProcess } from './support/siteProcess.ts';
import { until } from './support/until.ts';

const limit = { timeout: 300_000 };
const press = accountOf('press').address;

let market: LiveMarket;
before(async () => {
  market = await startLiveMarket();
});
after(() => market.close());

const sites: SiteProcess[] = [];
afterEach(async () => {
  await Promise.all(sites.splice(0).map((site) => site.kill()));
});

async function start(place: Parameters<typeof startSiteProcess>[1]): Promise<SiteProcess & { base: string }> {
  const site = startSiteProcess(market, place);
  sites.push(site);
  const base = await site.url;
  await until(async () => (await fetch(`${base}/health`)).ok);
  return { ...site, base };
}

async function mine({ from, to, data }: DevTransaction): Promise<Hex> {
  const hash = (await ask(market.client, 'eth_sendTransaction', {
    from,
    to,
    data,
    gas: '0x2dc6c0',
  })) as Hex;
  const { status } = await market.client.getTransactionReceipt({ hash });
  assert.equal(status, 'success');
  return hash;
}

const buyBasic = () =>
  mine(buildAccountStep(market.deployment, 'standard', 'press', ['buyPlan', 'basic', 'tok']));

async function postTask(): Promise<Hex> {
  const { timestamp } = await market.client.getBlock();
  const registry = { address: market.deployment.markets.standard.taskRegistry, abi: taskRegistryAbi };
  return mine(
    buildTransaction(press, registry, 'postTask', [
      {
        totalAmount: taskAmount,
        deadline: timestamp + 86_400n,
        reviewPeriod: 86_400,
        criteriaHash: hashCriteria('As agreed.'),
        milestones: [],
        uri: '',
        fundNow: 0n,
      },
    ]),
  );
}

const postOf = (address: string, seed: number) => ({
  address,
  taskId: `v2:standard:${70_000 + seed}`,
  txHash: unseenHash(seed),
  taskAmountTok: '1000',
});
const wallet = (seed: number) => `0x${seed.toString(16).padStart(40, 'c')}`;

onBothDatabases(({ place }) => {
  test('two processes on one database behave as one under 350 requests at once', limit, async () => {
    const at = await place();
    const pair = await Promise.all([start(at), start(at)]);
    const urlOf = (turn: number) => pair[turn % 2]?.base as string;

    const records = await Promise.all(
      Array.from({ length: 200 }, (_, seed) =>
        send(urlOf(seed), '/api/posting/record', postOf(wallet(1), seed)),
      ),
    );
    const statuses = Map.groupBy(records, ({ status }) => status);
    assert.deepEqual([...statuses.keys()].sort(), [200, 429]);
    assert.equal(statuses.get(200)?.length, 3);
    for (const { body } of statuses.get(429) ?? [])
      assert.deepEqual([body.quota.used, body.quota.limit], [3, 3]);

    const same = await Promise.all(
      Array.from({ length: 100 }, (_, turn) =>
        send(urlOf(turn), '/api/posting/record', postOf(wallet(2), 1)),
      ),
    );
    assert.ok(same.every(({ status, body }) => status === 200 && body.used === 1));

    const txHash = await buyBasic();
    const upgrades = await Promise.all(
      Array.from({ length: 50 }, (_, turn) =>
        send(urlOf(turn), '/api/posting/upgrade', { address: press, tier: 'basic', txHash, payWith: 'tok' }),
      ),
    );
    assert.ok(upgrades.every(({ status, body }) => status === 200 && body.limit === 25));
    assert.equal(upgrades.filter(({ body }) => body.upgraded).length, 1);
    assert.equal(new Set(upgrades.map(({ body }) => body.tierExpiresAt)).size, 1);
    const thief = await send(urlOf(1), '/api/posting/upgrade', { address: wallet(3), tier: 'basic', txHash });
    assert.equal(thief.status, 409);
    for (const turn of [0, 1]) assert.equal((await getQuota(urlOf(turn), wallet(1))).pending, 3);
  });

  test('what was answered survives the kill that follows at once', limit, async () => {
    const at = await place();
    const txHash = await buyBasic();
    for (let seed = 1; seed <= 3; seed++) {
      const site = await start(at);
      // Many at once, so that some are under way when the process dies.
      const answers = Array.from({ length: 20 }, (_, turn) =>
        send(site.base, '/api/posting/record', postOf(wallet(40), seed * 100 + turn)).catch(() => null),
      );
      const { status } = await send(site.base, '/api/posting/record', postOf(wallet(10 + seed), seed));
      assert.equal(status, 200);
      if (seed === 1) {
        const bought = { address: press, tier: 'basic', txHash };
        assert.equal((await send(site.base, '/api/posting/upgrade', bought)).body.upgraded, true);
      }
      await site.kill();
      await Promise.all(answers);
    }
    const site = await start(at);
    for (let seed = 1; seed <= 3; seed++)
      assert.equal((await getQuota(site.base, wallet(10 + seed))).pending, 1);
    assert.ok((await getQuota(site.base, wallet(40))).pending <= 3);
    const again = await send(site.base, '/api/posting/upgrade', { address: press, tier: 'basic', txHash });
    assert.deepEqual([again.status, again.body.upgraded, again.body.tier], [200, false, 'basic']);
  });

  test('a fork gives a post back, and takes a plan back with a line in the log', limit, async () => {
    await market.mineEmpty(3);
    const goBack = await market.remember();
    const site = await start(await place());
    const before = await getQuota(site.base, press);
    await postTask();
    const txHash = await buyBasic();
    const upgraded = await send(site.base, '/api/posting/upgrade', { address: press, tier: 'basic', txHash });
    assert.equal(upgraded.body.upgraded, true);
    await until(async () => (await getQuota(site.base, press)).used === before.used + 1);

    await goBack();
    await market.mineEmpty(4);
    await until(async () => {
      const { used, tierExpiresAt } = await getQuota(site.base, press);
      return used === before.used && tierExpiresAt === before.tierExpiresAt;
    });
    await until(() =>
      site.log.some(
        ({ msg, txHash: gone }) =>
          gone === txHash && msg === 'a fork removed a payment; its plan is taken back',
      ),
    );
    const gone = await send(site.base, '/api/posting/upgrade', { address: press, tier: 'basic', txHash });
    assert.equal(gone.status, 422, 'the chain does not have it any more');
  });
});

test('plan payments are read from the chain while the rows do not have them yet', async () => {
  const txHash = await buyBasic();
  const { rpc } = market.createSource();
  const { readPurchases } = createPostingReads(rpc, market.deployment);
  const head = await market.client.getBlockNumber();
  const paid = await readPurchases(0n, head);
  const { timestamp } = await market.client.getBlock();
  assert.deepEqual(paid.at(-1), {
    txHash,
    logIndex: 0,
    market: 'standard',
    payer: press,
    tier: 'basic',
    payWith: 'tok',
    dailyLimit: 25,
    periodDays: 30,
    blockNumber: head,
    blockTime: Number(timestamp),
  });
  assert.deepEqual(await readPurchases(0n, head - 1n), paid.slice(0, -1));
});
