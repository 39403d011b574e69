// What servers over a deployed market are configured with.

import { SvcError } from '@svc/sdk/domain';
import type { Config } from '#config.ts';
import { loadDeployment } from './deploymentFile.ts';
import { createLog } from './log.ts';
import type { ReadSideOptions } from './readSide.ts';
import { chooseRpcUrls, publicRpcUrl } from './rpcUrls.ts';

/** Throws where SVC_DEPLOYMENT names no deployment, or a file that is none. */
export function loadDeployedMarket(config: Config): ReadSideOptions {
  if (config.deploymentFile === undefined) throw new SvcError('DEPLOYMENT_NOT_NAMED', {});
  return {
    deployment: loadDeployment(config.deploymentFile),
    rpcUrls: chooseRpcUrls(config),
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
