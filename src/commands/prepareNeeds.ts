// Joins what preparing an action reads to the chain and the site that were found.
import { createMarketClient } from '#client/createMarketClient.ts';
import { createPrepareChain } from '#tools/prepare/chainReads.ts';
import type { PrepareNeeds } from '#tools/prepare/needs.ts';
import type { Connection } from './connect.ts';

/** The quota is advice: it is not waited for longer than this. */
const quotaPatienceMs = 3_000;

export function buildPrepareNeeds({ chainId, contracts, rpc, siteUrl }: Connection): PrepareNeeds {
  const site = createMarketClient({ baseUrl: siteUrl });
  return {
    chainId,
    contracts,
    chain: createPrepareChain(rpc, contracts),
    readQuota: (market, wallet) =>
      site.postingQuota(wallet, { market, signal: AbortSignal.timeout(quotaPatienceMs) }).catch(() => null),
  };
}
