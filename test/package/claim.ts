// What a user of the SDK writes: reads the open tasks and prepares a claim of the first one.
import { createMarketClient } from '@svc/sdk';
import { createActions } from '@svc/sdk/actions';

export async function prepareClaim(baseUrl: string, rpcUrl: string, from: string) {
  const market = createMarketClient({ baseUrl });
  const { tasks } = await market.open({ market: 'micro' });
  return await createActions(market, { rpcUrl })
    .claimTask({ taskId: tasks[0]?.id ?? '', from })
    .prepare();
}
