// Where the demo plays: the embedded market that runs already, or one of its own for as long as it plays.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SvcError } from '@svc/sdk/domain';
import { type Connection, connect } from '#app/connect.ts';
import { createLog } from '#app/log.ts';
import { createProgress } from '#app/progress.ts';
import { createSite } from '#app/siteServer.ts';
import { type Config, readConfig } from '#config.ts';
import { createDevnet } from '#devnet/devnet.ts';

export type Stage = {
  readonly config: Config;
  readonly connection: Connection;
  readonly isOwn: boolean;
  readonly close: () => Promise<void>;
};

export async function openStage(signal: AbortSignal): Promise<Stage> {
  const config = readConfig();
  const running = await connect(config).catch(() => null);
  if (running === null) return startOwn(signal);
  if (!(await running.isEmbedded())) {
    running.close();
    throw new SvcError('DEMO_NOT_HERE', { url: config.siteUrl });
  }
  return { config, connection: running, isOwn: false, close: async () => running.close() };
}

async function startOwn(signal: AbortSignal): Promise<Stage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-demo-'));
  const progress = createProgress(process.stderr);
  const devnet = await createDevnet({
    port: 0,
    isSeeded: true,
    clockOffsetSeconds: 0,
    onProgress: (part, done, total) => progress.show(`Starting a market (${part})`, done, total),
    signal,
  }).finally(progress.end);
  const site = await createSite({
    deployment: devnet.deployment,
    rpcUrls: [devnet.rpcUrl],
    publicRpcUrl: devnet.rpcUrl,
    chainName: 'svc embedded chain',
    dataDir,
    host: '127.0.0.1',
    port: 0,
    databaseUrl: undefined,
    now: devnet.clock.now,
    protocolVersion: 'v2',
    log: createLog('error'),
  });
  while (!site.isReady() && !signal.aborted) await new Promise((resolve) => setTimeout(resolve, 20));
  const config = readConfig({ SVC_SITE_URL: site.url, SVC_DATA_DIR: dataDir });
  const connection = await connect(config);
  return {
    config,
    connection,
    isOwn: true,
    close: async () => {
      connection.close();
      await site.close();
      await devnet.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
