// Joins what preparing an action reads to the chain and the site that were found.

import type { MarketAccess } from '@svc/sdk/actions';
import { createActionReads } from '@svc/sdk/actions';
import { createMarketClient } from '@svc/sdk/client';
import type { Connection } from '#app/connect.ts';

/** The quota is advice: it is not waited for longer than this. */
const quotaPatienceMs = 3_000;

export function buildPrepareNeeds({ chainId, contracts, rpc, siteUrl }: Connection): MarketAccess {
  const site = createMarketClient({ baseUrl: siteUrl });
  return {
    chainId,
    contracts,
    reads: createActionReads(rpc, contracts),
    readQuota: (market, wallet) =>
      site.postingQuota(wallet, { market, signal: AbortSignal.timeout(quotaPatienceMs) }).catch(() => null),
  };
}
