// What a user of the SDK writes: reads the open tasks and prepares a claim of the first one.
import { createMarketClient } from '@svc/sdk';
import { createActionReads, createClientAsker, prepareAction } from '@svc/sdk/actions';
import type { MarketContracts } from '@svc/sdk/chain';
import { createClient, http } from 'viem';

export async function prepareClaim(baseUrl: string, rpcUrl: string, from: string) {
  const market = createMarketClient({ baseUrl });
  const { tasks } = await market.open({ market: 'micro' });
  const { chainId, contracts: found } = await market.siteConfig({ market: 'micro' });
  const contracts = { standard: found as MarketContracts, micro: found as MarketContracts };
  const reads = createActionReads(createClientAsker(createClient({ transport: http(rpcUrl) })), contracts);
  const access = { chainId, contracts, reads, readQuota: async () => null };
  return await prepareAction('claim-task', { taskId: tasks[0]?.id, from }, async () => access);
}
