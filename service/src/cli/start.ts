// `svc start`: boots the embedded chain, deploys and seeds both markets, and runs until it is told to stop.

import { startEmbeddedKeeper } from '#app/embeddedKeeper.ts';
import { createGateway, type Gateway } from '#app/gatewayServer.ts';
import { readGatewaySettings } from '#app/gatewaySettings.ts';
import { createLog } from '#app/log.ts';
import { createProgress } from '#app/progress.ts';
import { watchSignals } from '#app/signals.ts';
import { createSite, type Site } from '#app/siteServer.ts';
import { buildWalletConnect, preparePages } from '#app/webPages.ts';
import { readConfig } from '#config.ts';
import { accountOf } from '#devnet/accounts.ts';
import { createDevnet, type Devnet } from '#devnet/devnet.ts';
import { createPages, type Pages, type WalletConnect } from '#http/pages.ts';
import { parseStartArguments, type StartArguments, startUsage } from './startOptions.ts';
import { describeStart, formatStart } from './startReport.ts';

export const usage = startUsage;

const partNames = { deploy: 'Deploying both markets', seed: 'Playing forty days of market history' };

export async function run(args: readonly string[]): Promise<number> {
  const given = parseStartArguments(args);
  const stop = watchSignals();
  const { buildPages, walletConnectProjectId } = readConfig();
  let walletConnect: WalletConnect | null = null;
  const pages = createPages(() => walletConnect);
  // Beside the boot of the chain, which takes about as long.
  const prepared = preparePages(pages, { mayBuild: buildPages, stop });
  try {
    const devnet = await boot(given, stop);
    walletConnect = buildWalletConnect(walletConnectProjectId, devnet.rpcUrl);
    await runServers(devnet, pages, given, stop).finally(devnet.close);
  } catch (error) {
    if (!stop.aborted) throw error;
  }
  await prepared;
  return 0;
}

async function runServers(
  devnet: Devnet,
  pages: Pages,
  given: StartArguments,
  stop: AbortSignal,
): Promise<void> {
  let gateway: Gateway | null = null;
  const site = await serveSite(devnet, pages, () => gateway?.url ?? null);
  try {
    gateway = await serveGateway(devnet, pages, site);
    // Whoever reads «ready» asks at once; the first reading of the chain takes a moment.
    while (!site.isReady() && !stop.aborted) await new Promise((resolve) => setTimeout(resolve, 20));
    const servers = { siteUrl: site.url, gatewayUrl: gateway.url };
    console.log(given.asJson ? formatStart(devnet, servers) : describeStart(devnet, servers));
    const endKeeper = given.isKept
      ? startEmbeddedKeeper(devnet, site.readSide.log, site.readSide.metrics)
      : async () => undefined;
    if (!stop.aborted) await new Promise((resolve) => stop.addEventListener('abort', resolve));
    await endKeeper();
  } finally {
    await gateway?.close();
    await site.close();
  }
}

async function boot(given: StartArguments, signal: AbortSignal): Promise<Devnet> {
  const port = given.port ?? readConfig().chainPort;
  const progress = createProgress(process.stderr);
  const devnet = await createDevnet({
    port,
    isSeeded: given.isSeeded,
    clockOffsetSeconds: given.clockOffsetSeconds,
    onProgress: (part, done, total) => progress.show(partNames[part], done, total),
    signal,
  }).finally(progress.end);
  if (port !== 0 && devnet.port !== port)
    console.error(`Port ${port} is taken; the chain listens on ${devnet.port} instead.`);
  return devnet;
}

/** As for the chain: somebody who only wants to see the market should not have to look for a port. */
const portsTried = 100;

async function serveSite(
  { deployment, rpcUrl, clock }: Devnet,
  pages: Pages,
  gatewayUrl: () => string | null,
): Promise<Site> {
  const config = readConfig();
  const site = await createSite({
    deployment,
    rpcUrls: [rpcUrl],
    publicRpcUrl: rpcUrl,
    chainName: 'svc embedded chain',
    dataDir: config.dataDir,
    databaseUrl: config.databaseUrl?.reveal(),
    host: config.host,
    port: config.sitePort,
    portsTried,
    now: clock.now,
    confirmations: config.confirmations,
    recordPending: config.recordPending,
    protocolVersion: config.protocolVersion,
    chat: config.chat,
    trustedProxies: config.trustedProxies,
    pages,
    gatewayForPages: gatewayUrl,
    log: createLog(config.logLevel ?? 'warn'),
    terminal: process.stderr,
  });
  if (config.sitePort !== 0 && site.port !== config.sitePort)
    console.error(`Port ${config.sitePort} is taken; the site listens on ${site.port} instead.`);
  return site;
}

async function serveGateway({ rpcUrl }: Devnet, pages: Pages, { readSide, app }: Site): Promise<Gateway> {
  // The treasury is paid, and on this chain it pays the gas as well.
  const settings = readGatewaySettings(readConfig(), accountOf('treasury').privateKey);
  const gateway = await createGateway({
    ...settings,
    readSide,
    site: app,
    pages,
    rpcUrls: [rpcUrl],
    portsTried,
  });
  const { port } = settings;
  if (port !== 0 && gateway.port !== port)
    console.error(`Port ${port} is taken; the gateway listens on ${gateway.port} instead.`);
  return gateway;
}
