// `svc gateway`: serves the gateway over a market that is deployed already.

import { createGateway, type Gateway, readGatewayOptions } from '../app/createGateway.ts';
import { createSiteApp } from '../app/createSite.ts';
import { openMarket, readMarketOptions } from '../app/openMarket.ts';
import { serveUntil, untilStarted, watchSignals } from '../app/serve.ts';
import { loadPages } from '../app/webPages.ts';
import { defineRun, type Usage } from './options.ts';

export const usage = {
  command: 'gateway',
  synopsis: ['[--json]'],
  about:
    'Serves the gateway on SVC_GATEWAY_PORT (4020) for the market in the file that SVC_DEPLOYMENT names, as read from SVC_RPC_URL or CHAIN_RPC_URL, with the routes of the site under /api. Rows are kept in SVC_DATA_DIR, or in PostgreSQL where DATABASE_URL is set; beside a site on the same rows, one of the two follows the chain.',
  options: {},
  json: 'print {"gatewayUrl"} once it listens',
  examples: ['SVC_DEPLOYMENT=deployments/8453.json SVC_RPC_URL=https://rpc.example svc gateway'],
} as const satisfies Usage;

export const run = defineRun(usage, async ({ values: { json } }, config) => {
  const options = readMarketOptions(config, 'gateway');
  const gatewayOptions = readGatewayOptions(config);
  const stop = watchSignals();
  const chain = { ...options.publicChain, id: options.deployment.chainId };
  const pages = loadPages(config.walletConnectProjectId, chain);
  const market = await untilStarted(stop, openMarket(options));
  const open = async (): Promise<Gateway> =>
    createGateway({
      ...gatewayOptions,
      market,
      site: createSiteApp(market, config, () => gateway.url),
      pages,
      rpcUrls: options.rpcUrls,
      portsTried: 1,
    });
  const gateway = await untilStarted(stop, open()).catch(async (error) => {
    await market.close();
    throw error;
  });
  console.log(json ? JSON.stringify({ gatewayUrl: gateway.url }) : `The gateway listens on ${gateway.url}`);
  await serveUntil(stop, {
    drain: market.drain,
    drainSeconds: config.drainSeconds,
    close: async () => {
      await gateway.close();
      await market.close();
    },
  });
});
