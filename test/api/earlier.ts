// The earlier shape, v1: plain numbers, USDC at the oracle's price, one market.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPublicClient, http } from 'viem';
import { usdOracleAbi } from '#contracts/generated/abi/usdOracle.ts';
import {
  earlierOpenListSchema,
  earlierPosterListSchema,
  earlierSiteConfigSchema,
  earlierTaskReplySchema,
} from '#sdk/schemas/earlier.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import type { TestSite } from '../support/site.ts';
import { assertFits } from './fits.ts';

export function testEarlierShape(siteOf: () => TestSite): void {
  function toUsd(tokWei: string): Promise<bigint> {
    const { devnet } = siteOf();
    return createPublicClient({ transport: http(devnet.rpcUrl) }).readContract({
      address: devnet.deployment.usdOracle,
      abi: usdOracleAbi,
      functionName: 'tokToUsd',
      args: [BigInt(tokWei)],
    });
  }

  test('the open list has plain ids and the amounts that the oracle itself computes', async () => {
    const { getJson } = siteOf();
    const [earlier, present] = await Promise.all([
      getJson('/api/market/open?protocolVersion=v1'),
      getJson('/api/market/open'),
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

  test('a task is found by its plain number, under both names of the parameter', async () => {
    const { getJson } = siteOf();
    for (const name of ['id', 'taskId']) {
      const reply = await getJson(`/api/market/task?${name}=3&protocolVersion=v1`);
      assertFits(earlierTaskReplySchema, reply, 'v1 task');
      assert.equal(reply.task.id, '3');
      assert.equal(reply.task.budgetUsdc, 100);
    }
  });

  test('a poster’s list carries worker and digest where there are some', async () => {
    const { getJson } = siteOf();
    const address = accountOf('press').address;
    const list = await getJson(`/api/poster/tasks?address=${address}&protocolVersion=v1`);
    assertFits(earlierPosterListSchema, list, 'v1 poster');
    assert.ok(list.tasks.some(({ worker }: { worker?: string }) => worker !== undefined));
    assert.ok(list.tasks.some(({ worker }: { worker?: string }) => worker === undefined));
  });

  test('the site config names the four contracts of the earlier shape', async () => {
    const { devnet, getJson } = siteOf();
    const config = await getJson('/api/site-config?protocolVersion=v1');
    assertFits(earlierSiteConfigSchema, config, 'v1 site-config');
    assert.deepEqual(config.contracts, {
      usdc: devnet.deployment.usdc,
      tokToken: devnet.deployment.tokToken,
      TaskRegistry: devnet.deployment.markets.standard.taskRegistry,
      AgentDepositVault: devnet.deployment.markets.standard.depositVault,
    });
  });
}
