// What servers over a deployed market are configured with.
import { readFileSync } from 'node:fs';
import { parseDeployment } from '#chain/deployment.ts';
import type { Config } from '#config.ts';
import { SvcError } from '#domain/errors.ts';
import { createLog } from './log.ts';
import { publicRpcUrl } from './publicRpc.ts';
import type { ReadSideOptions } from './readSide.ts';

/** Throws where SVC_DEPLOYMENT names no deployment. */
export function loadDeployedMarket(config: Config): ReadSideOptions {
  if (config.deploymentFile === undefined) throw new SvcError('DEPLOYMENT_NOT_NAMED', {});
  return {
    deployment: parseDeployment(readFileSync(config.deploymentFile, 'utf8')),
    rpcUrls: config.rpcUrls.length > 0 ? config.rpcUrls.map((url) => url.reveal()) : [publicRpcUrl],
    publicRpcUrl,
    chainName: 'Base',
    dataDir: config.dataDir,
    databaseUrl: config.databaseUrl?.reveal(),
    now: () => Math.floor(Date.now() / 1_000),
    confirmations: config.confirmations,
    recordPending: config.recordPending,
    log: createLog(config.logLevel ?? 'info'),
  };
}
