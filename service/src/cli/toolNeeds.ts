// Joins what the tools read: the site by its client, the chain by its RPC.
import { latestBlock, readReputation } from '@svc/sdk/chain';
import { SvcError } from '@svc/sdk/domain';
import { type Connection, connect } from '#app/connect.ts';
import { createRequestReader } from '#app/keptRequests.ts';
import { createSiteClient } from '#app/siteClient.ts';
import type { Config } from '#config.ts';
import type { ToolNeeds } from '#mcp/needs.ts';
import { createLocalWallet } from '#wallet/localWallet.ts';
import { buildPrepareNeeds } from './prepareNeeds.ts';

/**
 * Connects at the first question and not before: whoever starts the tools may start the market later, and until then
 * gets an answer in words instead of a server that is gone.
 */
export function createToolNeeds(config: Config): { readonly needs: ToolNeeds; readonly close: () => void } {
  let connecting: Promise<Connection> | null = null;
  const connected = () => {
    if (connecting !== null) return connecting;
    const forget = () => {
      if (connecting === attempt) connecting = null;
    };
    const attempt = connect(config).then(
      (connection) => watchChain(connection, forget),
      (error: unknown) => {
        forget();
        throw error;
      },
    );
    connecting = attempt;
    return attempt;
  };
  const requests = createRequestReader(config, connected, null);
  return {
    needs: {
      market: createSiteClient(config.siteUrl),
      readReputation: async (market, agent) => {
        const { rpc, contracts } = await connected();
        return readReputation(rpc, contracts[market].reputationRegistry, agent);
      },
      connectPrepare: async () => buildPrepareNeeds(await connected()),
      wallet: {
        submit: createLocalWallet(config.gatewayUrl).submit,
        readStatus: (requestId) =>
          requests.readStatus(requestId).catch((error: unknown) => {
            if (!(error instanceof SvcError) || error.code !== 'WALLET_REQUEST_ELSEWHERE') throw error;
            // The chain it was made for may have been started after this one was found.
            connecting = null;
            return requests.readStatus(requestId);
          }),
      },
      now: async () => (await (await connected()).rpc.ask(latestBlock())).time,
    },
    close: () => void connecting?.then(({ close }) => close()).catch(() => undefined),
  };
}

/**
 * A market that was started anew may be another chain in another place, so one that cannot be reached is looked for
 * again. It is not closed: others that wait for an answer are to hear in words that none comes.
 */
function watchChain({ rpc, ...connection }: Connection, onGone: () => void): Connection {
  const tell = (error: unknown): never => {
    if (error instanceof SvcError && error.code === 'CHAIN_UNREACHABLE') onGone();
    throw error;
  };
  return {
    ...connection,
    rpc: {
      ...rpc,
      ask: (question) => rpc.ask(question).catch(tell),
      askAll: (questions) => rpc.askAll(questions).catch(tell),
      callLatest: (call) => rpc.callLatest(call).catch(tell),
    },
  };
}
