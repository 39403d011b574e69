// Answers that are no lists of tasks: site config, Union overview, health, metrics, the earlier shape, and the Atom feed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { XMLParser } from 'fast-xml-parser';
import { usdOracleAbi } from '#contracts/generated/abi/usdOracle.ts';
import { markets } from '#sdk/domain/market.ts';
import { earlierOpenListSchema, earlierTaskReplySchema } from '#sdk/schemas/earlier.ts';
import { healthSchema, siteConfigSchema, unionOverviewSchema } from '#sdk/schemas/site.ts';
import { contractsOf } from '../support/marketReader.ts';
import { assertFits } from './fits.ts';
import { chainOf, site } from './site.ts';

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  isArray: (name) => ['entry', 'category'].includes(name),
});

for (const market of markets) {
  test(`the site config of ${market} names the contracts that were deployed`, async () => {
    const response = await site.get(`/api/site-config?market=${market}`);
    assert.equal(response.headers.get('cache-control'), 'public, max-age=300');
    const config = (await response.json()) as Record<string, unknown>;
    assertFits(siteConfigSchema, config, 'site-config');
    const { deployment } = site.devnet;
    const { parameters: _, ...own } = deployment.markets[market];
    const { tokToken, usdOracle, marketLens, usdc } = deployment;
    const expected = { ...own, tokToken, usdOracle, marketLens, usdc, taskScopeRegistry: own.taskRegistry };
    assert.deepEqual(config.contracts, expected);
    assert.equal(config.chainId, 8453);
    const plans = (config.postingPlans as Record<string, unknown>[]).map(({ id, dailyLimit, periodDays }) => [
      id,
      [dailyLimit, periodDays],
    ]);
    const sold = { free: [3, null], basic: [25, 30], premium: [200, 30], enterprise: [5_000, 30] };
    assert.deepEqual(plans, Object.entries(sold));
    assert.equal(config.rpcUrl, site.devnet.rpcUrl);
    assert.deepEqual(config.limits, {
      openListMax: 100,
      freeDailyPosts: 3,
      entryCollateralUsd: 25,
      recommendedCollateralUsd: 45,
      pauseThresholdUsd: 8,
      bondUsd: market === 'standard' ? 5 : 1,
      accessFeeTokWei: `1000${'0'.repeat(18)}`,
    });
    const { bondUsd: _new, ...limits } = config.limits as Record<string, unknown>;
    assertFits(siteConfigSchema, { ...config, limits }, 'site-config of an earlier release');
  });

  test(`the Union overview of ${market} is what the vault says`, async () => {
    const overview = await site.getJson(`/api/union/overview?market=${market}`);
    assertFits(unionOverviewSchema, overview, 'union');
    const { staking } = contractsOf(site.devnet.deployment, market);
    const [isActive, staked] = await chainOf().readContract({ ...staking, functionName: 'overview' });
    const totalStakedTok = String(staked);
    assert.partialDeepStrictEqual(overview, { stakingActive: isActive, totalStakedTok, market });
  });
}

test('health reports the block that answers show, and is never cached', async () => {
  const response = await site.get('/health');
  assert.equal(response.headers.get('cache-control'), 'no-store');
  const health = (await response.json()) as { status: string; block: number };
  assertFits(healthSchema, health, 'health');
  assert.equal(health.status, 'ok');
  const shown = Number((await site.get('/api/market/open')).headers.get('svc-block'));
  assert.ok(shown >= health.block);
});

test('metrics count requests by route and status, in the form that Prometheus reads', async () => {
  await site.get('/api/market/task?id=v2:standard:999999');
  const text = await (await site.get('/metrics')).text();
  assert.match(text, /^svc_requests_total\{route="\/api\/market\/task",status="404"\} \d+$/m);
  assert.match(text, /^svc_requests_total\{route="cached"\} \d+$/m);
  assert.match(text, /^svc_request_seconds_bucket\{le="\+Inf",route="\/api\/market\/task"\} \d+$/m);
  assert.doesNotMatch(text, /svc_request_seconds_bucket\{[^}]*route="(cached|\/api\/events)"/);
  assert.match(text, /^svc_rpc_requests_total\{endpoint="127\.0\.0\.1:\d+",method="eth_call"\} \d+$/m);
  assert.match(text, /^svc_database_connections\{state="idle"\} \d+$/m);
  assert.match(text, /^svc_build_info\{version="\d[\w.]*",build="source",node="v\d[\w.]*"\} 1$/m);
  assert.match(text, /^svc_block \d+$/m);
});

function toUsd(tokWei: string): Promise<bigint> {
  return chainOf().readContract({
    address: site.devnet.deployment.usdOracle,
    abi: usdOracleAbi,
    functionName: 'tokToUsd',
    args: [BigInt(tokWei)],
  });
}

test('the earlier shape has plain ids and the amounts that the oracle itself computes', async () => {
  const [earlier, present] = await Promise.all([
    site.getJson('/api/market/open?protocolVersion=v1'),
    site.getJson('/api/market/open'),
  ]);
  assertFits(earlierOpenListSchema, earlier, 'v1 open');
  assert.equal(earlier.count, present.count);
  for (const [index, task] of present.tasks.entries()) {
    const same = earlier.tasks[index];
    assert.equal(task.id, `v2:standard:${same.id}`);
    assert.equal(same.escrowAmount, String(await toUsd(task.fundedTokWei)));
    assert.equal(same.budgetUsdc, Number(await toUsd(task.totalAmountTokWei)) / 1e6);
  }
});

test('in the earlier shape a task is found by its plain number, under both names, and four contracts are named', async () => {
  for (const name of ['id', 'taskId']) {
    const reply = await site.getJson(`/api/market/task?${name}=3&protocolVersion=v1`);
    assertFits(earlierTaskReplySchema, reply, 'v1 task');
    assert.equal(reply.task.id, '3');
    assert.equal(reply.task.budgetUsdc, 100);
  }
  const { usdc, tokToken, markets: all } = site.devnet.deployment;
  const { taskRegistry: TaskRegistry, depositVault: AgentDepositVault } = all.standard;
  const { contracts } = await site.getJson('/api/site-config?protocolVersion=v1');
  assert.deepEqual(contracts, { usdc, tokToken, TaskRegistry, AgentDepositVault });
});

test('the feed lists the newest open tasks of one market or tag, in any case, and links to their pages', async () => {
  const read = async (query: string) =>
    parser.parse(await (await site.get(`/api/market/feed?${query}`)).text()).feed;
  const tag: string = (await read('')).entry[0].category[0]['@term'];
  for (const query of ['market=standard', 'market=micro', `tag=${encodeURIComponent(tag.toUpperCase())}`]) {
    const feed = await read(query);
    const listed = (await site.getJson(`/api/market/open?${query}&limit=50`)).tasks;
    assert.ok(listed.length > 0, query);
    assert.deepEqual(
      feed.entry.map(({ link }: { link: { '@href': string } }) => link['@href']),
      listed.map(({ id }: { id: string }) => `${site.url()}/market.html?task=${id}`),
    );
    const own = new URL(feed.link[0]['@href']);
    const { status, headers } = await site.get(own.pathname + own.search);
    assert.deepEqual([status, headers.get('content-type')], [200, 'application/atom+xml; charset=utf-8']);
  }
});
