// `svc site`: serves the API over a market that is deployed already.
import { readConfig } from '#config.ts';
import { SvcError } from '#domain/errors.ts';
import { loadDeployedMarket } from './deployedMarket.ts';
import { watchSignals } from './signals.ts';
import { createSite } from './siteServer.ts';
import { buildWalletConnect, loadPages } from './webPages.ts';

const siteHelp = `Usage: svc site

Serves the HTTP API on SVC_SITE_PORT (8080) for the market in the file that SVC_DEPLOYMENT names, as read from
SVC_RPC_URL or CHAIN_RPC_URL. Rows are kept in SVC_DATA_DIR, or in PostgreSQL where DATABASE_URL is set.`;

export async function run(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(siteHelp);
    return 0;
  }
  if (args.length > 0)
    throw new SvcError('USAGE', { reason: 'svc site takes no arguments; see svc site --help.' });
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
  console.log(`The site listens on ${site.url}`);
  if (!stop.aborted) await new Promise((resolve) => stop.addEventListener('abort', resolve));
  await site.close();
  return 0;
}
