// `svc site` in a separate process, on a chain that the test controls.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatDeployment } from '#sdk/chain/deployment.ts';
import type { DatabasePlace } from './databasePlace.ts';
import type { LiveMarket } from './liveMarket.ts';
import { type ServerProcess, startServerProcess } from './serverProcess.ts';

export type SiteProcess = ServerProcess;

export function startSiteProcess(market: LiveMarket, place: DatabasePlace): SiteProcess {
  const file = join(place.SVC_DATA_DIR, 'deployment.json');
  writeFileSync(file, formatDeployment(market.deployment));
  const env = { ...place, SVC_DEPLOYMENT: file, SVC_RPC_URL: market.devnet.rpcUrl, SVC_SITE_PORT: '0' };
  return startServerProcess(['site'], { cwd: place.SVC_DATA_DIR, env });
}
