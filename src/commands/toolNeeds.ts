// Joins what the tools read: the site by its client, the chain by its RPC.
import { latestBlock } from '#chain/questions.ts';
import { readReputation } from '#chain/readReputation.ts';
import { createMarketClient } from '#client/createMarketClient.ts';
import type { Config } from '#config.ts';
import type { ToolNeeds } from '#tools/mcp/needs.ts';
import { createLocalWallet } from '#tools/wallet/localWallet.ts';
import { type Connection, connect } from './connect.ts';
import { createRequestReader } from './keptRequests.ts';
import { buildPrepareNeeds } from './prepareNeeds.ts';

/**
 * Connects at the first question and not before: whoever starts the tools may start the market later, and until then
 * gets an answer in words instead of a server that is gone.
 */
export function createToolNeeds(config: Config): { readonly needs: ToolNeeds; readonly close: () => void } {
  let connecting: Promise<Connection> | null = null;
  const connected = () => {
    connecting ??= connect(config).catch((error: unknown) => {
      connecting = null;
      throw error;
    });
    return connecting;
  };
  return {
    needs: {
      market: createMarketClient({ baseUrl: config.siteUrl }),
      readReputation: async (market, agent) => {
        const { rpc, contracts } = await connected();
        return readReputation(rpc, contracts[market].reputationRegistry, agent);
      },
      connectPrepare: async () => buildPrepareNeeds(await connected()),
      wallet: {
        hand: createLocalWallet(config.gatewayUrl).hand,
        readStatus: createRequestReader(config, connected, null).readStatus,
      },
      now: async () => (await (await connected()).rpc.ask(latestBlock())).time,
    },
    close: () => void connecting?.then(({ close }) => close()).catch(() => undefined),
  };
}
