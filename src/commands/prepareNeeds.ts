// Joins what preparing an action reads to the chain that was found.
import { createPrepareChain } from '#tools/prepare/chainReads.ts';
import type { PrepareNeeds } from '#tools/prepare/needs.ts';
import type { Connection } from './connect.ts';

export function buildPrepareNeeds({ chainId, contracts, rpc }: Connection): PrepareNeeds {
  return { chainId, contracts, chain: createPrepareChain(rpc, contracts), readQuota: async () => null };
}
