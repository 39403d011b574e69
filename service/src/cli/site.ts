// `svc site`: serves the API over a market that is deployed already.

import { loadDeployedMarket } from '#app/deployedMarket.ts';
import { serveUntil } from '#app/serving.ts';
import { watchSignals } from '#app/signals.ts';
import { createSite } from '#app/siteServer.ts';
import { buildWalletConnect, loadPages } from '#app/webPages.ts';
import { readConfig } from '#config.ts';
import { parseOptions } from './options.ts';
import type { Usage } from './usage.ts';

export const usage = {
  command: 'site',
  synopsis: ['[--json]'],
  about:
    'Serves the HTTP API on SVC_SITE_PORT (8080) for the market in the file that SVC_DEPLOYMENT names, as read from SVC_RPC_URL or CHAIN_RPC_URL. Rows are kept in SVC_DATA_DIR, or in PostgreSQL where DATABASE_URL is set.',
  options: {},
  json: 'print {"siteUrl"} once it listens',
  examples: ['SVC_DEPLOYMENT=deployments/8453.json SVC_RPC_URL=https://rpc.example svc site'],
} as const satisfies Usage;

export async function run(args: readonly string[]): Promise<number> {
  const { json } = parseOptions(usage, args).values;
  const config = readConfig();
  const market = loadDeployedMarket(config);
  const stop = watchSignals();
  const site = await createSite({
    ...market,
    host: config.host,
    port: config.sitePort,
    protocolVersion: config.protocolVersion,
    terminal: process.stderr,
    chat: config.chat,
    trustedProxies: config.trustedProxies,
    pages: loadPages(buildWalletConnect(config.walletConnectProjectId, market.publicRpcUrl)),
    gatewayForPages: () => config.gatewayPublicUrl ?? null,
  });
  console.log(json ? JSON.stringify({ siteUrl: site.url }) : `The site listens on ${site.url}`);
  await serveUntil(stop, { ...site, drainSeconds: config.drainSeconds });
  return 0;
}
