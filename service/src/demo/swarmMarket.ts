// The market of the many agents: an embedded chain without history, a site in this process, and a gateway as a process that
// can be killed. Chain requests of all of them go through a proxy that can be made unreliable.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatDeployment } from '@svc/sdk/chain';
import { pollUntil } from '@svc/sdk/domain';
import { createSiteClient } from '#app/connect.ts';
import { createSite } from '#app/createSite.ts';
import { svcScript } from '#app/packageFiles.ts';
import { formatUrl, portOf } from '#app/serve.ts';
import { accountOf } from '#devnet/accounts.ts';
import { createDevnet, type Devnet } from '#devnet/devnet.ts';
import { createUnreliableRpc, type UnreliableRpc } from './unreliableRpc.ts';

export type SwarmMarket = {
  readonly siteUrl: string;
  readonly gatewayUrl: string;
  readonly devnet: Devnet;
  readonly rpc: UnreliableRpc;
  readonly gateway: GatewayProcess;
  readonly close: () => Promise<void>;
};

export type GatewayProcess = {
  readonly signal: (signal: 'SIGSTOP' | 'SIGCONT') => void;
  /** Kills it, and starts it again on the same folder and port. */
  readonly restart: () => Promise<void>;
  readonly close: () => Promise<void>;
};

const host = '127.0.0.1';
const patienceMs = 60_000;
/** Faults of the chain are part of the demo, and its lines belong to the summary. */
const quietLog = { level: 'silent', debug: () => {}, info: () => {}, error: () => {} };

export async function createSwarmMarket(signal: AbortSignal): Promise<SwarmMarket> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-demo-'));
  const devnet = await createDevnet({ port: 0, isSeeded: false, clockOffsetSeconds: 0, signal });
  const rpc = await createUnreliableRpc(devnet.rpcUrl);
  const site = await createSite({
    deployment: devnet.deployment,
    rpcUrls: [rpc.url],
    publicChain: { ...devnet.publicChain, rpcUrl: rpc.url },
    dataDir: join(folder, 'site'),
    host,
    port: 0,
    databaseUrl: undefined,
    now: devnet.clock.now,
    protocolVersion: 'v2',
    log: quietLog,
  });
  const deploymentFile = join(folder, 'deployment.json');
  writeFileSync(deploymentFile, formatDeployment(devnet.deployment));
  const gatewayPort = await findFreePort();
  const gatewayUrl = formatUrl(host, gatewayPort);
  const gateway = await startGateway(gatewayUrl, {
    SVC_DEPLOYMENT: deploymentFile,
    SVC_RPC_URL: rpc.url,
    SVC_GATEWAY_PORT: String(gatewayPort),
    SVC_DATA_DIR: join(folder, 'gateway'),
    SVC_FACILITATOR_KEY: accountOf('treasury').privateKey,
    SVC_PAY_TO: accountOf('treasury').address,
    SVC_LOG_LEVEL: 'error',
  });
  await waitForHistory(site.url);
  return {
    siteUrl: site.url,
    gatewayUrl,
    devnet,
    rpc,
    gateway,
    close: async () => {
      await gateway.close();
      await site.close();
      rpc.close();
      await devnet.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startGateway(url: string, env: Readonly<Record<string, string>>): Promise<GatewayProcess> {
  let child = await start();

  async function start(): Promise<ChildProcess> {
    const started = spawn(process.execPath, [svcScript, 'gateway'], {
      env: { ...env },
      stdio: 'ignore',
    });
    await waitForHistory(url);
    return started;
  }

  async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  return {
    signal: (signal) => void child.kill(signal),
    restart: async () => {
      await end('SIGKILL');
      child = await start();
    },
    close: () => end('SIGTERM'),
  };
}

/** Messages and files need the whole history: it says who has a part in the market. */
async function waitForHistory(url: string): Promise<void> {
  const client = createSiteClient(url);
  const isRead = async () => (await client.health()).history?.complete === true || undefined;
  await pollUntil(() => isRead().catch(() => undefined), { everyMs: 100, timeoutMs: patienceMs });
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, host);
  await once(probe, 'listening');
  const port = portOf(probe as never);
  probe.close();
  await once(probe, 'close');
  return port;
}
