// Starts `svc site` in a separate process, over given rows.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { formatDeployment } from '#sdk/chain/deployment.ts';
import { readUrl } from '../test/support/lines.ts';
import type { Chain } from './chain.ts';
import { openBundle, startBundled, stopProcess } from './processes.ts';

export type Site = Awaited<ReturnType<typeof startSite>>;

const openList = '/api/market/open?limit=100';

/** Resolves when it answers; `dataDir` holds its rows. */
export async function startSite(chain: Chain, dataDir: string, env: Readonly<Record<string, string>> = {}) {
  mkdirSync(dataDir, { recursive: true });
  const file = join(dataDir, 'deployment.json');
  writeFileSync(file, formatDeployment(chain.deployment));
  await openBundle();
  const startedAt = performance.now();
  const child = await startBundled('bin/svc.mjs', {
    place: 'server',
    args: ['site'],
    env: {
      SVC_DATA_DIR: dataDir,
      SVC_DEPLOYMENT: file,
      SVC_RPC_URL: chain.rpcUrl,
      SVC_SITE_PORT: '0',
      SVC_LOG_LEVEL: 'error',
      SVC_WRITES_PER_MINUTE: '1000000',
      // Most rows of the bench are not on its chain.
      ...env,
    },
  });
  const url = await readUrl(child);
  await waitFor(async () => (await fetch(url + openList)).status === 200);
  return {
    pid: child.pid as number,
    port: Number(new URL(url).port),
    url,
    /** When the process was started, by `performance.now()`. */
    startedAt,
    /** From the start of the process to the first complete reply of the open list. */
    secondsToAnswer: (performance.now() - startedAt) / 1_000,
    close: () => stopProcess(child),
  };
}

/** Polls until the condition holds, without a time limit. */
export async function waitFor(isSo: () => Promise<boolean>, pauseMs = 5): Promise<void> {
  while (!(await isSo())) await pause(pauseMs);
}
