// `svc start`: starts the embedded chain with both markets and their history, the site, the gateway, a keeper and the pages.
import { join } from 'node:path';
import { markets } from '@svc/sdk/domain';
import { chainIdentity } from '@svc/sdk/internal/chain/deployment';
import { stringifyJson } from '@svc/sdk/internal/domain/json';
import { startEmbeddedKeeper } from '../app/createKeeper.ts';
import { storeSeededFiles } from '../app/fileServices.ts';
import { storeSeededMail } from '../app/mailServices.ts';
import { removeMarketData } from '../app/openDatabase.ts';
import { createProgress } from '../app/progress.ts';
import { untilAborted, untilStarted, watchSignals } from '../app/serve.ts';
import { buildWalletConnect, preparePages } from '../app/webPages.ts';
import type { Config } from '../config.ts';
import { accounts, mnemonic } from '../devnet/accounts.ts';
import { multicall3Address } from '../devnet/canonical.ts';
import { createDevnet, type Devnet } from '../devnet/devnet.ts';
import { createPages, type Pages, type PagesPlace } from '../http/pages.ts';
import type { AppLog } from '../http/requestLog.ts';
import { type EmbeddedMarket, reportPort, serveEmbedded } from './embeddedMarket.ts';
import { defineRun, flag, parsePort, parseWhole, text, type Usage, type Values } from './options.ts';

export const usage = {
  command: 'start',
  synopsis: ['[options]'],
  about:
    'Starts a development chain with both markets and forty days of market history, the site, the gateway, a keeper and the pages. Everything runs in this process. Ctrl-C ends it; the next start continues with the same chain, which is kept in the data folder.',
  options: {
    port: text(
      '<n>',
      'first port to try for the chain; default SVC_CHAIN_PORT or 8545, 0 takes any',
      parsePort,
    ),
    fresh: flag('start over: the kept chain, its database and uploaded files are deleted'),
    'no-seed': flag('both markets and funded accounts, but no history'),
    'no-keeper': flag('do not call exits of tasks whose time is over'),
    'clock-offset': text(
      '<s>',
      "set the chain's clock this many seconds ahead",
      parseWhole(10 * 365 * 86_400),
      0,
    ),
    'allow-origin': text(
      '<urls>',
      'let web pages of these origins call the chain, separated by commas',
      parseOrigins,
    ),
  },
  json: 'print one line of JSON once everything is ready',
  examples: ['svc start', 'svc start --fresh', 'svc start --no-seed --port 0 --json'],
} as const satisfies Usage;

/** Origins only: a path would say more than the chain checks. */
function parseOrigins(list: string): string[] {
  return list.split(',').map((item) => {
    const { protocol, origin, href } = new URL(item.trim());
    if (!/^https?:$/.test(protocol) || href !== `${origin}/`)
      throw new Error('must be origins such as http://localhost:5173');
    return origin;
  });
}

type Given = Values<typeof usage.options>;

export const run = defineRun(usage, async ({ values: given }, config) => {
  const stop = watchSignals();
  let place: PagesPlace = {};
  const pages = createPages(() => place);
  // While the chain starts, which takes about as long.
  const prepared = preparePages(pages, { mayBuild: config.buildPages, stop });
  try {
    const devnet = await startChain(given, config, stop);
    // What it holds is about the chain that was deleted. Nobody else uses the folder: the new chain is locked.
    if (given.fresh) removeMarketData(config.dataDir);
    const walletConnect = buildWalletConnect(config.walletConnectProjectId, devnet.rpcUrl);
    place = { walletConnect, embeddedRpcUrl: devnet.rpcUrl };
    devnet.allowPages(given['allow-origin'] ?? []);
    await runServers(devnet, { pages, prepared }, given, config, stop).finally(devnet.close);
  } catch (error) {
    if (!stop.aborted) throw error;
  }
  await prepared;
});

const partNames = {
  deploy: 'Deploying both markets',
  seed: 'Playing forty days of market history',
  play: 'Continuing the kept chain',
};

async function startChain(
  given: Given,
  { chainPort, dataDir }: Config,
  signal: AbortSignal,
): Promise<Devnet> {
  const port = given.port ?? chainPort;
  const progress = createProgress(process.stderr);
  const devnet = await createDevnet({
    port,
    file: chainFileOf(dataDir),
    isFresh: given.fresh,
    isSeeded: !given['no-seed'],
    clockOffsetSeconds: given['clock-offset'],
    onProgress: (part, done, total) => progress.show(partNames[part], done, total),
    signal,
  }).finally(progress.end);
  reportPort('chain', port, devnet.port);
  return devnet;
}

async function runServers(
  devnet: Devnet,
  { pages, prepared }: { pages: Pages; prepared: Promise<void> },
  given: Given,
  config: Config,
  stop: AbortSignal,
): Promise<void> {
  const serving = serveEmbedded(devnet, config, { pages, terminal: process.stderr, stop });
  const market = await untilStarted(stop, serving);
  try {
    if (!given['no-seed']) await storeSeed(market);
    // A user who opens the pages now expects those of these sources, not older ones.
    await prepared;
    const servers = { siteUrl: market.site.url, gatewayUrl: market.gateway.url };
    console.log(given.json ? formatStart(devnet, servers) : describeStart(devnet, servers, config.dataDir));
    const { log, metrics } = market.site.market;
    const stopKeeper = given['no-keeper'] ? null : startEmbeddedKeeper(devnet, log, metrics);
    const partners = given['no-seed'] ? null : startPartners(devnet, servers.gatewayUrl, stop, log);
    await untilAborted(stop);
    await partners;
    await stopKeeper?.();
  } finally {
    await market.close();
  }
}

/** Those with whom a visitor trades. Loaded later than the servers: nobody waits for them. */
async function startPartners(
  { rpcUrl }: Devnet,
  gatewayUrl: string,
  signal: AbortSignal,
  log: AppLog,
): Promise<void> {
  const { runDemoPartners } = await import('../demo/demoPartners.ts');
  const onError = (error: unknown) => log.error({ error }, 'a demo partner failed');
  await runDemoPartners({ gatewayUrl, rpcUrl, signal, onError }).catch((error: unknown) => {
    if (!signal.aborted) onError(error);
  });
}

function chainFileOf(dataDir: string): string {
  return join(dataDir, 'chain.sqlite');
}

/** What the seeded market has beside its chain. */
async function storeSeed({ site, gateway }: EmbeddedMarket): Promise<void> {
  const refused = await storeSeededFiles(gateway.files);
  if (refused > 0) console.error(`The file store refused ${refused} files of the seeded market.`);
  const unsent = await storeSeededMail(site.market, gateway.relay);
  if (unsent > 0) console.error(`The relay refused ${unsent} messages of the seeded market.`);
}

const keyWarning = 'These keys are public. Never send real money to these accounts on any chain.';

type Servers = { readonly siteUrl: string; readonly gatewayUrl: string };

function describeStart(devnet: Devnet, { siteUrl, gatewayUrl }: Servers, dataDir: string): string {
  const { rpcUrl, wsUrl, deployment, clock } = devnet;
  const { chainId, tokToken, usdc, usdOracle, priceFeed, marketLens } = deployment;
  const offset = clock.offsetSeconds();
  return [
    'The market is ready.',
    '',
    ...alignPairs({
      Pages: gatewayUrl,
      API: `${siteUrl}/api/market/open`,
      Gateway: gatewayUrl,
      Messages: 'by the relay of the gateway; --transport local or xmtp for another way',
      'JSON-RPC': rpcUrl,
      WebSocket: wsUrl,
      'Chain id': String(chainId),
      Identity: chainIdentity(deployment),
      ...(offset > 0 && { 'Clock offset': `${offset} seconds ahead of this machine` }),
    }),
    '',
    'In another terminal, so that commands find this market:',
    ...Object.entries({ SVC_SITE_URL: siteUrl, SVC_GATEWAY_URL: gatewayUrl, SVC_RPC_URL: rpcUrl }).map(
      ([name, value]) => `  export ${name}=${value}`,
    ),
    '',
    'Contracts, shared',
    ...alignPairs({ tokToken, usdc, usdOracle, priceFeed, marketLens, multicall3: multicall3Address }),
    ...markets.flatMap((market) => {
      const { parameters: _, ...addresses } = deployment.markets[market];
      return ['', `Contracts, market ${market}`, ...alignPairs(addresses)];
    }),
    '',
    `Accounts, each with 10,000 ETH (mnemonic "${mnemonic}")`,
    ...accounts.flatMap(({ name, part, address, privateKey }) => [
      `  ${name.padEnd(10)}${address}  ${part}`,
      `  ${' '.repeat(10)}${privateKey}`,
    ]),
    '',
    `  ${keyWarning}`,
    '',
    `Press Ctrl-C to stop. The chain is kept in ${chainFileOf(dataDir)}; svc start --fresh begins a new one.`,
  ].join('\n');
}

function formatStart({ rpcUrl, wsUrl, deployment, clock }: Devnet, servers: Servers): string {
  return stringifyJson({
    ...servers,
    rpcUrl,
    wsUrl,
    chainIdentity: chainIdentity(deployment),
    clockOffsetSeconds: clock.offsetSeconds(),
    deployment: { ...deployment, multicall3: multicall3Address },
    accounts,
    warning: keyWarning,
  });
}

function alignPairs(pairs: Readonly<Record<string, string>>): string[] {
  const width = Math.max(...Object.keys(pairs).map((name) => name.length));
  return Object.entries(pairs).map(([name, value]) => `  ${name.padEnd(width)}  ${value}`);
}
