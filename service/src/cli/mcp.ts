// `svc mcp`: serves the svc_ tools to an agent, over stdio or over HTTP.

import { readPostedTask } from '@svc/sdk/actions';
import { latestBlock, readArbitrators, readFigures, readReputation } from '@svc/sdk/chain';
import { markets, SvcError } from '@svc/sdk/domain';
import { buildMarketAccess, type Connection, connect, createSiteClient } from '#app/connect.ts';
import { buildAttachment, readOutgoingFileBelow } from '#app/outgoingFile.ts';
import { readVersion } from '#app/packageFiles.ts';
import { createRequestReader } from '#app/walletRequests.ts';
import { type Config, readConfig, redact } from '#config.ts';
import { createToolServer } from '#mcp/server.ts';
import type { ToolContext } from '#mcp/tool.ts';
import { createToolMail } from '#mcp/toolMail.ts';
import { tools } from '#mcp/tools.ts';
import { createGatewaySessions } from '#wallet/gatewaySessions.ts';
import { createLocalWallet } from '#wallet/localWallet.ts';
import { parseOptions, type Usage } from './options.ts';
import { serveJson, serveOptions, serveTools } from './serveTools.ts';

export const usage = {
  command: 'mcp',
  synopsis: ['[--http] [--port <n>]'],
  about:
    'Serves the tools of the market to an agent (Model Context Protocol). Over stdio, as clients start it; with --http at http://SVC_HOST:SVC_MCP_PORT/mcp (port 4021), for clients on this machine.',
  options: serveOptions,
  json: serveJson,
  notes: [
    'The market is the one at SVC_SITE_URL (http://127.0.0.1:8080). It may start later than the tools.',
  ],
  examples: ['svc mcp', 'svc mcp --http --port 4021'],
} as const satisfies Usage;

export async function run(args: readonly string[]): Promise<number> {
  const { values: given } = parseOptions(usage, args);
  const config = readConfig();
  const { needs, close } = createToolNeeds(config);
  // On stdio only the protocol may be written to standard output.
  const onError = (what: string, error: unknown) =>
    console.error(redact(`${what}: ${error instanceof Error ? (error.stack ?? error.message) : error}`));
  const options = { version: readVersion(), tools, needs, onError };
  try {
    await serveTools(() => createToolServer(options), {
      ...given,
      host: config.host,
      port: given.port ?? config.mcpPort,
    });
  } finally {
    close();
  }
  return 0;
}

/** Connects at the first call, so that the tools can start before the market. Until then calls end in an error. */
export function createToolNeeds(config: Config): { readonly needs: ToolContext; readonly close: () => void } {
  let connecting: Promise<Connection> | null = null;
  const connected = () => {
    if (connecting !== null) return connecting;
    const disconnect = () => {
      if (connecting === attempt) connecting = null;
    };
    const attempt = connect(config).then(
      (connection) => watchChain(connection, disconnect),
      (error: unknown) => {
        disconnect();
        throw error;
      },
    );
    connecting = attempt;
    return attempt;
  };
  const requests = createRequestReader(config, connected, null);
  const now = async () => (await (await connected()).rpc.ask(latestBlock())).time;
  const localWallet = createLocalWallet(config.gatewayUrl);
  const sessions = createGatewaySessions({
    gatewayUrl: config.gatewayUrl,
    wallet: localWallet,
    readChainId: async () => (await connected()).chainId,
    now,
  });
  const wallet: ToolContext['wallet'] = {
    submit: localWallet.submit,
    readStatus: (requestId) =>
      requests.readStatus(requestId).catch((error: unknown) => {
        if (!(error instanceof SvcError) || error.code !== 'WALLET_REQUEST_ELSEWHERE') throw error;
        // Its chain may have started after this connection was made.
        connecting = null;
        return requests.readStatus(requestId);
      }),
  };
  return {
    needs: {
      market: createSiteClient(config.siteUrl),
      readReputation: async (market, agent) => {
        const { rpc, contracts } = await connected();
        return readReputation(rpc, contracts[market].reputationRegistry, agent);
      },
      readArbitrators: async (market) => {
        const { rpc, contracts } = await connected();
        const [arbitrators, { arbitratorMinBondTokWei: minBond }] = await Promise.all([
          readArbitrators(rpc, contracts[market]),
          readFigures(rpc, contracts[market]),
        ]);
        return { arbitrators, minBond };
      },
      connectPrepare: async () => buildMarketAccess(await connected()),
      wallet,
      ownerWallet: localWallet,
      readOwnAddress: async () => null,
      mail: createToolMail({
        gatewayUrl: config.gatewayUrl,
        readChainId: async () => (await connected()).chainId,
        signIn: sessions.signIn,
        wallet,
      }),
      findPostedTask: async (hashes) => {
        const { rpc, contracts } = await connected();
        for (const market of markets) {
          const found = await readPostedTask(rpc, market, contracts[market].taskRegistry, hashes);
          if (found !== null) return found;
        }
        return null;
      },
      now,
      files: {
        gatewayUrl: config.gatewayUrl,
        signIn: sessions.signIn,
        attach: async (path, isSealed) =>
          buildAttachment(readOutgoingFileBelow(process.cwd(), path), isSealed),
      },
    },
    close: () => {
      sessions.close();
      void connecting?.then(({ close }) => close()).catch(() => undefined);
    },
  };
}

/**
 * A market that was restarted may be on another chain at another address, so an unreachable chain is looked up again. The
 * connection is not closed: calls that still wait for it must get their error.
 */
function watchChain({ rpc, ...connection }: Connection, onUnreachable: () => void): Connection {
  const check = (error: unknown): never => {
    if (error instanceof SvcError && error.code === 'CHAIN_UNREACHABLE') onUnreachable();
    throw error;
  };
  return {
    ...connection,
    rpc: {
      ...rpc,
      ask: (question) => rpc.ask(question).catch(check),
      askAll: (questions) => rpc.askAll(questions).catch(check),
      callLatest: (call) => rpc.callLatest(call).catch(check),
    },
  };
}
