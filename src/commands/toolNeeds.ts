// Joins what the tools read: the site by its client, the chain by its RPC.
import type { Deployment } from '#chain/deployment.ts';
import { latestBlock } from '#chain/questions.ts';
import { readReputation } from '#chain/readReputation.ts';
import { createRpc } from '#chain/rpc.ts';
import type { MarketClient } from '#client/createMarketClient.ts';
import type { ToolNeeds } from '#tools/mcp/needs.ts';

export type ToolSources = {
  readonly market: MarketClient;
  readonly rpcUrls: readonly string[];
  readonly deployment: Deployment;
};

export function createToolNeeds({ market, rpcUrls, deployment }: ToolSources): {
  readonly needs: ToolNeeds;
  readonly close: () => void;
} {
  const { chainId, genesisHash, markets } = deployment;
  const rpc = createRpc({ urls: rpcUrls, chainId, genesisHash });
  return {
    needs: {
      market,
      readReputation: (of, agent) => readReputation(rpc, markets[of].reputationRegistry, agent),
      placeOf: (of) => ({ chainId, registry: markets[of].taskRegistry }),
      now: async () => (await rpc.ask(latestBlock())).time,
    },
    close: rpc.close,
  };
}
