// The servers of an embedded market, for `svc start` and `svc demo`: site and gateway over one chain.
import { pollUntil } from '@svc/sdk/internal/domain/backoff';
import { createGateway, type Gateway, readGatewayOptions } from '../app/createGateway.ts';
import { createSite } from '../app/createSite.ts';
import { createLog } from '../app/log.ts';
import type { ProgressOutput } from '../app/progress.ts';
import type { Config } from '../config.ts';
import { accountOf } from '../devnet/accounts.ts';
import type { Devnet } from '../devnet/devnet.ts';
import type { Pages } from '../http/pages.ts';

export type EmbeddedMarket = Awaited<ReturnType<typeof serveEmbedded>>;

type ServeOptions = {
  readonly pages?: Pages;
  /** Shows how far the chain is read. */
  readonly terminal?: ProgressOutput;
  readonly stop: AbortSignal;
};

/** A user who only wants to see the market should not have to find a free port. */
const portsTried = 100;

/** Resolves once the history is read: users send requests as soon as they read that the market is ready. */
export async function serveEmbedded(
  { deployment, rpcUrl, publicChain, clock, allowPages }: Devnet,
  config: Config,
  { stop, ...shown }: ServeOptions,
) {
  const shared = { ...shown, rpcUrls: [rpcUrl], portsTried };
  let gateway: Gateway | null = null;
  const site = await createSite({
    ...config,
    ...shared,
    deployment,
    publicChain,
    databaseUrl: config.databaseUrl?.reveal(),
    port: config.sitePort,
    now: clock.now,
    gatewayForPages: () => gateway?.url ?? null,
    log: createLog(config.logLevel ?? 'warn', 'start', config.gatewayPort),
  });
  const close = async () => {
    await gateway?.close();
    await site.close();
  };
  try {
    reportPort('site', config.sitePort, site.port);
    // Payments go to the treasury; on this chain it also pays for their gas.
    const options = readGatewayOptions(config, accountOf('treasury').privateKey);
    gateway = await createGateway({ ...options, ...shared, market: site.market, site: site.app });
    reportPort('gateway', options.port, gateway.port);
    allowPages([site.url, gateway.url]);
    const isRead = () => site.market.isReady() || undefined;
    await pollUntil(isRead, { everyMs: 20, signal: stop });
    return { site, gateway, close };
  } catch (error) {
    await close();
    throw error;
  }
}

export function reportPort(server: string, wanted: number, port: number): void {
  if (wanted !== 0 && port !== wanted)
    console.error(`Port ${wanted} is taken; the ${server} listens on ${port} instead.`);
}
