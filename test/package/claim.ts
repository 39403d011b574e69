// What a user of the SDK writes: reads the open tasks and prepares a claim of the first one.
import { createMarketClient } from '@svc/sdk';

export async function prepareClaim(baseUrl: string, rpcUrl: string, from: string) {
  const market = createMarketClient({ baseUrl, rpcUrl });
  const { tasks } = await market.open({ market: 'micro' });
  return await market.actions.claimTask({ taskId: tasks[0]?.id ?? '', from }).prepare();
}
