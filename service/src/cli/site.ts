// `svc site`: serves the API over a market that is deployed already.

import { createSite } from '../app/createSite.ts';
import { readMarketOptions } from '../app/openMarket.ts';
import { serveUntil, untilStarted, watchSignals } from '../app/serve.ts';
import { loadPages } from '../app/webPages.ts';
import { defineRun, type Usage } from './options.ts';

export const usage = {
  command: 'site',
  synopsis: ['[--json]'],
  about:
    'Serves the HTTP API on SVC_SITE_PORT (8080) for the market in the file that SVC_DEPLOYMENT names, as read from SVC_RPC_URL or CHAIN_RPC_URL. Rows are kept in SVC_DATA_DIR, or in PostgreSQL where DATABASE_URL is set.',
  options: {},
  json: 'print {"siteUrl"} once it listens',
  examples: ['SVC_DEPLOYMENT=deployments/8453.json SVC_RPC_URL=https://rpc.example svc site'],
} as const satisfies Usage;

export const run = defineRun(usage, async ({ values: { json } }, config) => {
  const market = readMarketOptions(config);
  const stop = watchSignals();
  const starting = createSite({
    ...config,
    ...market,
    port: config.sitePort,
    terminal: process.stderr,
    pages: loadPages(config.walletConnectProjectId, { ...market.publicChain, id: market.deployment.chainId }),
    gatewayForPages: () => config.gatewayPublicUrl ?? null,
  });
  const site = await untilStarted(stop, starting);
  console.log(json ? JSON.stringify({ siteUrl: site.url }) : `The site listens on ${site.url}`);
  await serveUntil(stop, {
    drain: site.market.drain,
    drainSeconds: config.drainSeconds,
    close: site.close,
  });
});
