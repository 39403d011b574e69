// `svc site`: serves the API over a market that is deployed already.
import { readFileSync } from 'node:fs';
import { parseDeployment } from '#chain/deployment.ts';
import { readConfig } from '#config.ts';
import { SvcError } from '#domain/errors.ts';
import { createLog } from './log.ts';
import { publicRpcUrl } from './publicRpc.ts';
import { watchSignals } from './signals.ts';
import { createSite } from './siteServer.ts';

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
  if (config.deploymentFile === undefined) throw new SvcError('DEPLOYMENT_NOT_NAMED', {});
  const stop = watchSignals();
  const site = await createSite({
    deployment: parseDeployment(readFileSync(config.deploymentFile, 'utf8')),
    rpcUrls: config.rpcUrls.length > 0 ? config.rpcUrls.map((url) => url.reveal()) : [publicRpcUrl],
    publicRpcUrl,
    chainName: 'Base',
    dataDir: config.dataDir,
    databaseUrl: config.databaseUrl?.reveal(),
    host: config.host,
    port: config.sitePort,
    now: () => Math.floor(Date.now() / 1_000),
    protocolVersion: config.protocolVersion,
    chat: config.chat,
    trustedProxies: config.trustedProxies,
    log: createLog(config.logLevel ?? 'info'),
  });
  console.log(`The site listens on ${site.url}`);
  if (!stop.aborted) await new Promise((resolve) => stop.addEventListener('abort', resolve));
  await site.close();
  return 0;
}
