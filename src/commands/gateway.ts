// `svc gateway`: serves the gateway over a market that is deployed already.
import { readConfig } from '#config.ts';
import { SvcError } from '#domain/errors.ts';
import { loadDeployedMarket } from './deployedMarket.ts';
import { createGateway, type Gateway } from './gatewayServer.ts';
import { readGatewaySettings } from './gatewaySettings.ts';
import { createReadSide } from './readSide.ts';
import { watchSignals } from './signals.ts';
import { createSiteApp } from './siteServer.ts';
import { buildWalletConnect, loadPages } from './webPages.ts';

const gatewayHelp = `Usage: svc gateway

Serves the gateway on SVC_GATEWAY_PORT (4020) for the market in the file that SVC_DEPLOYMENT names, as read from
SVC_RPC_URL or CHAIN_RPC_URL, with the routes of the site under /api. Rows are kept in SVC_DATA_DIR, or in PostgreSQL
where DATABASE_URL is set; beside a site on the same rows, one of the two follows the chain.`;

export async function run(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(gatewayHelp);
    return 0;
  }
  if (args.length > 0)
    throw new SvcError('USAGE', { reason: 'svc gateway takes no arguments; see svc gateway --help.' });
  const config = readConfig();
  const market = loadDeployedMarket(config);
  const settings = readGatewaySettings(config);
  const stop = watchSignals();
  const readSide = await createReadSide(market);
  try {
    const gateway: Gateway = await createGateway({
      readSide,
      site: createSiteApp(readSide, config, () => gateway.url),
      pages: loadPages(buildWalletConnect(config.walletConnectProjectId, market.publicRpcUrl)),
      rpcUrls: market.rpcUrls,
      ...settings,
      portsTried: 1,
    });
    console.log(`The gateway listens on ${gateway.url}`);
    if (!stop.aborted) await new Promise((resolve) => stop.addEventListener('abort', resolve));
    await gateway.close();
  } finally {
    await readSide.close();
  }
  return 0;
}
