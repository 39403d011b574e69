// Answers that are not about tasks: site config, Union overview, health and metrics.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPublicClient, http } from 'viem';
import { stakingVaultAbi } from '#contracts/generated/abi/stakingVault.ts';
import { markets } from '#sdk/domain/market.ts';
import { healthSchema, siteConfigSchema, unionOverviewSchema } from '#sdk/schemas/site.ts';
import type { TestSite } from '../support/site.ts';
import { assertFits } from './fits.ts';

export function testSiteReads(siteOf: () => TestSite): void {
  for (const market of markets) {
    test(`the site config of ${market} names the contracts that were deployed`, async () => {
      const { devnet, get } = siteOf();
      const response = await get(`/api/site-config?market=${market}`);
      assert.equal(response.headers.get('cache-control'), 'public, max-age=300');
      const config = (await response.json()) as Record<string, unknown>;
      assertFits(siteConfigSchema, config, 'site-config');
      const { deployment } = devnet;
      const { parameters: _, ...own } = deployment.markets[market];
      const { tokToken, usdOracle, marketLens, usdc } = deployment;
      const expected = { ...own, tokToken, usdOracle, marketLens, usdc, taskScopeRegistry: own.taskRegistry };
      assert.deepEqual(config.contracts, expected);
      assert.equal(config.chainId, 8453);
      assert.equal(config.rpcUrl, devnet.rpcUrl);
      assert.deepEqual(config.limits, {
        openListMax: 100,
        freeDailyPosts: 3,
        entryCollateralUsd: 25,
        recommendedCollateralUsd: 45,
        pauseThresholdUsd: 8,
        accessFeeTokWei: `1000${'0'.repeat(18)}`,
      });
    });

    test(`the Union overview of ${market} is what the vault says`, async () => {
      const { devnet, getJson } = siteOf();
      const overview = await getJson(`/api/union/overview?market=${market}`);
      assertFits(unionOverviewSchema, overview, 'union');
      const client = createPublicClient({ transport: http(devnet.rpcUrl) });
      const [isActive, staked] = await client.readContract({
        address: devnet.deployment.markets[market].stakingVault,
        abi: stakingVaultAbi,
        functionName: 'overview',
      });
      assert.equal(overview.stakingActive, isActive);
      assert.equal(overview.totalStakedTok, String(staked));
      assert.equal(overview.market, market);
    });
  }

  test('the free plan is the first and has three posts a day', async () => {
    const { postingPlans } = await siteOf().getJson('/api/site-config');
    assert.deepEqual(
      postingPlans.map(({ id, dailyLimit, priceUsdc }: Record<string, unknown>) => [
        id,
        dailyLimit,
        priceUsdc,
      ]),
      [
        ['free', 3, 0],
        ['basic', 25, 20],
        ['premium', 200, 60],
        ['enterprise', 5000, 600],
      ],
    );
  });

  test('health reports the block that answers show, and is never cached', async () => {
    const response = await siteOf().get('/health');
    assert.equal(response.headers.get('cache-control'), 'no-store');
    const health = (await response.json()) as { status: string; block: number };
    assertFits(healthSchema, health, 'health');
    assert.equal(health.status, 'ok');
    const shown = Number((await siteOf().get('/api/market/open')).headers.get('svc-block'));
    assert.ok(shown >= health.block);
  });

  test('metrics count requests by route and status, in the form that Prometheus reads', async () => {
    const { get } = siteOf();
    await get('/api/market/task?id=v2:standard:999999');
    const text = await (await get('/metrics')).text();
    assert.match(text, /^svc_requests_total\{route="\/api\/market\/task",status="404"\} \d+$/m);
    assert.match(text, /^svc_requests_total\{route="cached"\} \d+$/m);
    assert.match(text, /^svc_request_seconds_bucket\{le="\+Inf",route="\/api\/market\/task"\} \d+$/m);
    assert.doesNotMatch(text, /svc_request_seconds_bucket\{[^}]*route="(cached|\/api\/events)"/);
    assert.match(text, /^svc_rpc_requests_total\{endpoint="127\.0\.0\.1:\d+",method="eth_call"\} \d+$/m);
    assert.match(text, /^svc_database_connections\{state="idle"\} \d+$/m);
    assert.match(text, /^svc_build_info\{version="\d[\w.]*",build="source",node="v\d[\w.]*"\} 1$/m);
    assert.match(text, /^svc_block \d+$/m);
    for (const line of text.trimEnd().split(/\n+/)) {
      assert.match(line, /^(# (HELP|TYPE) svc_[a-z_]+ .+|svc_[a-z_]+(\{[^}]+\})? \d+(\.\d+)?)$/);
    }
    const names = [...text.matchAll(/^(svc_[a-z_]+)/gm)].map(([, name]) => name as string);
    const types = new Map([...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => [name, type]));
    for (const name of names) {
      const family = name.replace(/_(bucket|sum|count)$/, '');
      assert.ok(types.get(name) ?? types.get(family) === 'histogram', name);
    }
  });
}
