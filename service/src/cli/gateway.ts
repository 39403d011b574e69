// `svc gateway`: serves the gateway over a market that is deployed already.

import { loadDeployedMarket } from '#app/deployedMarket.ts';
import { createGateway, type Gateway } from '#app/gatewayServer.ts';
import { readGatewaySettings } from '#app/gatewaySettings.ts';
import { createReadSide } from '#app/readSide.ts';
import { serveUntil } from '#app/serving.ts';
import { watchSignals } from '#app/signals.ts';
import { createSiteApp } from '#app/siteServer.ts';
import { buildWalletConnect, loadPages } from '#app/webPages.ts';
import { readConfig } from '#config.ts';
import { parseOptions } from './options.ts';
import type { Usage } from './usage.ts';

export const usage = {
  command: 'gateway',
  synopsis: ['[--json]'],
  about:
    'Serves the gateway on SVC_GATEWAY_PORT (4020) for the market in the file that SVC_DEPLOYMENT names, as read from SVC_RPC_URL or CHAIN_RPC_URL, with the routes of the site under /api. Rows are kept in SVC_DATA_DIR, or in PostgreSQL where DATABASE_URL is set; beside a site on the same rows, one of the two follows the chain.',
  options: {},
  json: 'print {"gatewayUrl"} once it listens',
  examples: ['SVC_DEPLOYMENT=deployments/8453.json SVC_RPC_URL=https://rpc.example svc gateway'],
} as const satisfies Usage;

export async function run(args: readonly string[]): Promise<number> {
  const { json } = parseOptions(usage, args).values;
  const config = readConfig();
  const market = loadDeployedMarket(config);
  const settings = readGatewaySettings(config);
  const stop = watchSignals();
  const pages = loadPages(buildWalletConnect(config.walletConnectProjectId, market.publicRpcUrl));
  const readSide = await createReadSide(market);
  const open = async (): Promise<Gateway> =>
    createGateway({
      readSide,
      site: createSiteApp(readSide, config, () => gateway.url),
      pages,
      rpcUrls: market.rpcUrls,
      ...settings,
      portsTried: 1,
    });
  const gateway = await open().catch(async (error) => {
    await readSide.close();
    throw error;
  });
  console.log(json ? JSON.stringify({ gatewayUrl: gateway.url }) : `The gateway listens on ${gateway.url}`);
  await serveUntil(stop, {
    readSide,
    drainSeconds: config.drainSeconds,
    close: async () => {
      await gateway.close();
      await readSide.close();
    },
  });
  return 0;
}
