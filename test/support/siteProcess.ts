// `svc site` as a process of its own, on a chain that the test controls.
import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { formatDeployment } from '#chain/deployment.ts';
import type { DatabasePlace } from './databasePlace.ts';
import type { LiveMarket } from './liveMarket.ts';
import { type SvcRun, startSvc } from './svc.ts';

export type SiteProcess = {
  readonly child: ChildProcess;
  /** Resolves once it listens; rejects when it ends before. */
  readonly url: Promise<string>;
  /** The lines of its log, as they come. */
  readonly log: readonly Readonly<Record<string, unknown>>[];
  readonly isLeading: () => boolean;
  /** As when the power goes. */
  readonly kill: () => Promise<SvcRun>;
};

export function startSiteProcess(market: LiveMarket, place: DatabasePlace): SiteProcess {
  const file = join(place.SVC_DATA_DIR, 'deployment.json');
  writeFileSync(file, formatDeployment(market.deployment));
  const env = { ...place, SVC_DEPLOYMENT: file, SVC_RPC_URL: market.devnet.rpcUrl, SVC_SITE_PORT: '0' };
  const { child, ended } = startSvc(['site'], { cwd: place.SVC_DATA_DIR, env });
  const log: Record<string, unknown>[] = [];
  if (child.stderr !== null) {
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (line.startsWith('{')) log.push(JSON.parse(line));
    });
  }
  const url = new Promise<string>((resolve, reject) => {
    if (child.stdout !== null) {
      createInterface({ input: child.stdout }).on('line', (line) => {
        const [found] = /http:\S+/.exec(line) ?? [];
        if (found !== undefined) resolve(found);
      });
    }
    void ended.then(({ err }) => reject(new Error(`The site has ended: ${err}`)));
  });
  url.catch(() => undefined);
  return {
    child,
    url,
    log,
    isLeading: () =>
      log.findLast(({ msg }) => /leading|standby/.test(String(msg)))?.msg === 'follower: leading',
    kill: () => {
      child.kill('SIGKILL');
      return ended;
    },
  };
}
