// Everything that a run starts: the chain behind a proxy, PostgreSQL, two sites, two gateways and a keeper on it, and a
// site with separate rows on a small disk.

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { formatDeployment } from '#sdk/chain/deployment.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { startChain } from '../bench/chain.ts';
import { prepareTestBundle } from '../scripts/testBundle.ts';
import { createReader } from '../test/support/baseChain.ts';
import { ask } from '../test/support/devnet.ts';
import { type Fault as RpcFault, startFaultyProxy } from '../test/support/faultyProxy.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { mountSmallDisk } from '../test/support/smallDisk.ts';
import { createServer, type Server } from './server.ts';

export type Setup = Awaited<ReturnType<typeof createSetup>>;

export async function createSetup(latencyMs = 0) {
  const root = mkdtempSync(join(tmpdir(), 'svc-soak-'));
  const disk = mountSmallDisk(join(root, 'disk'));
  const servers: Server[] = [];
  // Also runs when the soak is interrupted.
  process.once('exit', () => {
    for (const server of servers) void server.kill();
    disk?.unmount();
    rmSync(root, { recursive: true, force: true });
  });
  const smallFolder = disk?.folder ?? join(root, 'disk');
  // The files of the gateways lie on the small disk as well.
  mkdirSync(join(smallFolder, 'gateway-files'), { recursive: true });
  mkdirSync(join(root, 'data'));
  symlinkSync(join(smallFolder, 'gateway-files'), join(root, 'data', 'files'));
  const [chain, postgres] = await Promise.all([startChain('anywhere'), startPostgres()]);
  const startProvider = () => startFaultyProxy(chain.rpcUrl, latencyMs);
  const proxies = [await startProvider(), await startProvider()] as const;
  const peopleProxy = await startFaultyProxy(chain.rpcUrl);
  const allProxies = [...proxies, peopleProxy];
  const databaseUrl = await postgres.createDatabase();
  const file = join(root, 'deployment.json');
  writeFileSync(file, formatDeployment(chain.deployment));

  const env = {
    SVC_DEPLOYMENT: file,
    SVC_RPC_URL: proxies.map(({ url }) => url).join(),
    SVC_SITE_PORT: '0',
    SVC_GATEWAY_PORT: '0',
    SVC_LOG_LEVEL: 'info',
    // Each flood comes from its own addresses; everybody else is one client.
    SVC_TRUSTED_PROXIES: '127.0.0.1',
    NODE_OPTIONS: `--conditions=@svc/source --import=${pathToFileURL(join(import.meta.dirname, 'onSignal.ts'))}`,
    SVC_GATEWAY_KEY: `0x${'07'.repeat(32)}`,
    SVC_CONTACT_KEY: `0x${'08'.repeat(32)}`,
    SVC_FACILITATOR_KEY: accountOf('treasury').privateKey,
    SVC_KEEPER_KEY: accountOf('keeper').privateKey,
  };
  // The bundle starts faster; an upgrade changes between the two.
  const bundle = process.env.SVC_TEST_BUNDLE ?? (await prepareTestBundle());
  const builds = [join(bundle, 'bin/svc.mjs'), join(import.meta.dirname, '../service/bin/svc.mjs')] as const;
  const onPostgres = { ...env, DATABASE_URL: databaseUrl, SVC_DATA_DIR: join(root, 'data') };
  const serve = (name: string, command: string, more: Readonly<Record<string, string>> = onPostgres) =>
    createServer({ name, args: [command], cwd: root, env: more, listens: command !== 'keeper', builds });
  const sites = [serve('site 1', 'site'), serve('site 2', 'site')];
  const gateways = [serve('gateway 1', 'gateway'), serve('gateway 2', 'gateway')];
  const keeper = serve('keeper', 'keeper');
  const small = serve('small site', 'site', { ...env, SVC_DATA_DIR: smallFolder });
  servers.push(...sites, ...gateways, keeper, small);
  const client = createReader(chain.rpcUrl);

  return {
    deployment: chain.deployment,
    /** Connects to the chain directly; the checks use it. */
    client,
    rpcUrl: chain.rpcUrl,
    chainPid: chain.pid,
    mine: async (blocks: number) => {
      for (let mined = 0; mined < blocks; mined++) await ask(client, 'evm_mine');
    },
    /** Between the chain and all servers: their first endpoint and the second. */
    proxies,
    /** Between the chain and the people. */
    peopleProxy,
    /** Everywhere at once. */
    setRpcFault: (fault: RpcFault) => {
      for (const { setFault } of allProxies) setFault(fault);
    },
    postgres,
    databaseUrl,
    /** On PostgreSQL. */
    sites,
    gateways,
    keeper,
    /** On SQLite, on the small disk if there is one. */
    small,
    disk,
    /** Holds the envelopes; on the small disk as well. */
    mailFolder: smallFolder,
    servers,
    /** Stops everything that still runs. */
    close: async () => {
      await Promise.all(servers.filter(({ isRunning }) => isRunning()).map(({ kill }) => kill()));
      for (const { close } of allProxies) close();
      postgres.thaw();
      await Promise.all([chain.close(), postgres.remove()]);
      disk?.unmount();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Every server that shares the rows on PostgreSQL, and serves the market. */
export const listReplicas = ({ sites, gateways }: Pick<Setup, 'sites' | 'gateways'>) => [
  ...sites,
  ...gateways,
];

export async function startAll({ servers }: Setup): Promise<void> {
  await Promise.all(servers.map(({ start }) => start()));
}
