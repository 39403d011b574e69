// Finds the chain and the contracts of a market: by a deployment file, by asking the site, or by asking the embedded chain.

import type { SiteConfig } from '@svc/sdk';
import { createMarketClient, type MarketClient } from '@svc/sdk';
import { createActionReads, createQuotaReader, type MarketAccess, readPostedTask } from '@svc/sdk/actions';
import {
  createRpc,
  type Deployment,
  type MarketContracts,
  parseContracts,
  parseDeployment,
  type Rpc,
  type RpcOptions,
} from '@svc/sdk/chain';
import {
  defaultChainId,
  isSameAddress,
  knownChains,
  type Market,
  markets,
  type PublicChain,
  SvcError,
} from '@svc/sdk/domain';
import { contractsOfBoth } from '@svc/sdk/internal/chain/contracts';
import { blockAt, chainId, receiptOf } from '@svc/sdk/internal/chain/rpcRequests';
import { pollUntil } from '@svc/sdk/internal/domain/backoff';
import { mapMarkets } from '@svc/sdk/internal/domain/market';
import type { Hex } from 'viem';
import type { Config } from '../config.ts';
import { checkEditionAt } from '../deploy/edition.ts';
import { OperatorError } from '../errors/operatorError.ts';
import { requireFile } from './durableFile.ts';

export type Connection = {
  readonly chainId: number;
  /** Distinguishes chains with the same id: each new embedded chain is another one. */
  readonly genesisHash: Hex;
  readonly contracts: Readonly<Record<Market, MarketContracts>>;
  /** May contain a provider's key: never show them. */
  readonly rpcUrls: readonly string[];
  readonly rpc: Rpc;
  readonly siteUrl: string;
  /** Whether the contracts were found to be those of this build: by the site, or here. False: no RPC answered. */
  readonly isCompared: boolean;
  /** Whether this is the embedded chain of `svc start` on this machine, where keys and money have no value. */
  readonly isEmbedded: () => Promise<boolean>;
  readonly close: () => void;
};

/** Throws CONTRACTS_DIFFER where a deployment file names contracts of another edition; a site has compared its own. */
export async function connect(
  config: Config,
  observe: Pick<RpcOptions, 'onAsked' | 'onError'> = {},
): Promise<Connection> {
  const { chainId, contracts, deployment, siteRpcUrl } = await findContracts(config);
  const isOfSite = siteRpcUrl !== null && config.rpcUrls.length === 0;
  const rpcUrls = isOfSite ? [siteRpcUrl] : chooseRpcUrls(config, chainId);
  const genesisHash = deployment?.genesisHash ?? (await readGenesisHash(rpcUrls[0] as string, chainId));
  const isCompared = deployment === null || (await checkEditionAt(rpcUrls, deployment));
  const rpc = createRpc({ ...observe, urls: rpcUrls, chainId, genesisHash });
  return {
    chainId,
    genesisHash,
    contracts,
    rpcUrls,
    rpc,
    siteUrl: config.siteUrl,
    isCompared,
    isEmbedded: async () => {
      // A remote chain could pretend to be the embedded one to get signatures of a real key.
      if (!rpcUrls.every(isOnThisMachine)) return false;
      return (await Promise.all(rpcUrls.map(readEmbeddedDeployment))).every((found) => found !== null);
    },
    close: rpc.close,
  };
}

/** By the deployment file, else by the site, which also names an RPC. Throws MARKET_NOT_FOUND where no site answers. */
async function findContracts(config: Config) {
  if (config.deploymentFile !== undefined) {
    const deployment = loadDeploymentFor(config, config.deploymentFile);
    const { chainId } = deployment;
    return { chainId, contracts: contractsOfBoth(deployment), deployment, siteRpcUrl: null };
  }
  const configs = await loadSiteConfigs(config);
  const { chainId, rpcUrl } = configs.standard;
  const contracts = mapMarkets((market) => parseContracts(configs[market].contracts));
  return { chainId, contracts, deployment: null, siteRpcUrl: rpcUrl };
}

/** The site does not say it; the first RPC decides, and the others must agree. */
async function readGenesisHash(rpcUrl: string, expected: number): Promise<Hex> {
  const [found, genesis] = await createRpc({ urls: [rpcUrl], rounds: 2 }).askAll([chainId(), blockAt(0n)]);
  if (found !== expected)
    throw new SvcError('CHAIN_WRONG', { found: String(found), expected: String(expected) });
  if (genesis === null) throw new SvcError('CHAIN_UNREACHABLE', { reason: 'it has no first block' });
  return genesis.hash;
}

/** Throws MARKET_CHAIN_WRONG unless it is the chain that this user wants: a site could otherwise choose where keys sign. */
async function loadSiteConfigs({
  siteUrl,
  chainId = defaultChainId,
}: Config): Promise<Readonly<Record<Market, SiteConfig>>> {
  const client = createSiteClient(siteUrl);
  const [standard, micro] = await Promise.all(markets.map((market) => client.siteConfig({ market }))).catch(
    (error: unknown) => {
      throw new OperatorError('MARKET_NOT_FOUND', { url: new URL(siteUrl).origin }, error);
    },
  );
  if (standard === undefined || micro === undefined) throw new RangeError('a market is missing');
  for (const { chainId: found } of [standard, micro]) checkChain(found, chainId);
  return { standard, micro };
}

const siteTimeoutMs = 15_000;

/** The client of the site that commands use. The timeout covers the whole reply, including its body. */
export function createSiteClient(baseUrl: string, timeoutMs = siteTimeoutMs): MarketClient {
  return createMarketClient({
    baseUrl,
    fetch: (url, { signal, ...init }) => {
      const limit = AbortSignal.timeout(timeoutMs);
      return fetch(url, { ...init, signal: signal ? AbortSignal.any([signal, limit]) : limit });
    },
  });
}

/** Throws FILE_UNUSABLE, or DEPLOYMENT_MALFORMED that names the first field that is missing or wrong. */
function loadDeployment(file: string): Deployment {
  return parseDeployment(requireFile(file));
}

/** The chain in force: that of the settings, else of the deployment file, else 8453. A file that cannot be read is skipped. */
export function findChainId({ chainId, deploymentFile }: Pick<Config, 'chainId' | 'deploymentFile'>): number {
  if (chainId !== undefined || deploymentFile === undefined) return chainId ?? defaultChainId;
  try {
    return loadDeployment(deploymentFile).chainId;
  } catch {
    return defaultChainId;
  }
}

/** The deployment, if it is on the chain that SVC_CHAIN_ID names. Throws MARKET_CHAIN_WRONG. */
export function loadDeploymentFor({ chainId }: Pick<Config, 'chainId'>, file: string): Deployment {
  const deployment = loadDeployment(file);
  checkChain(deployment.chainId, chainId ?? deployment.chainId);
  return deployment;
}

function checkChain(found: number, expected: number): void {
  if (found !== expected)
    throw new OperatorError('MARKET_CHAIN_WRONG', { found: String(found), expected: String(expected) });
}

/** The file that SVC_DEPLOYMENT names, else what the chain says if it is the embedded one, else null. */
export async function findDeployment(
  { deploymentFile, chainId }: Config,
  rpcUrl: string | undefined,
): Promise<Deployment | null> {
  if (deploymentFile !== undefined) return loadDeploymentFor({ chainId }, deploymentFile);
  return rpcUrl === undefined ? null : readEmbeddedDeployment(rpcUrl);
}

/** The deployment that commands of an operator work on, with its chain. Throws DEPLOYMENT_NOT_NAMED. */
export async function openDeployment(
  config: Config,
  {
    urls = chooseRpcUrls(config),
    ...observe
  }: Partial<Pick<RpcOptions, 'urls' | 'onAsked' | 'onError'>> = {},
) {
  const deployment = await findDeployment(config, urls[0]);
  if (deployment === null) throw new OperatorError('DEPLOYMENT_NOT_NAMED', {});
  const { chainId, genesisHash } = deployment;
  return { deployment, urls, rpc: createRpc({ ...observe, urls, chainId, genesisHash }) };
}

const embeddedTimeoutMs = 15_000;

/** The embedded chain knows its contracts; null where another kind of chain answers. */
async function readEmbeddedDeployment(rpcUrl: string): Promise<Deployment | null> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'svc_deployment', params: [] }),
    signal: AbortSignal.timeout(embeddedTimeoutMs),
  }).catch((error: Error) => {
    throw new SvcError('CHAIN_UNREACHABLE', { reason: 'no connection' }, error);
  });
  const { result } = (await response.json().catch(() => ({}))) as { result?: unknown };
  return result === undefined ? null : parseDeployment(JSON.stringify(result));
}

/** What clients of a deployed market learn about its chain. Throws CONFIG_INVALID where its public RPC is neither set nor known. */
export function choosePublicChain({ publicChain: given }: Config, chainId: number): PublicChain {
  const known = knownChains[chainId];
  const rpcUrl = given.rpcUrl ?? known?.rpcUrl;
  if (rpcUrl === undefined)
    throw new OperatorError('CONFIG_INVALID', {
      mistakes: `  SVC_PUBLIC_RPC_URL: is needed, because the market is on chain ${chainId}`,
    });
  return {
    name: given.name ?? known?.name ?? `Chain ${chainId}`,
    rpcUrl,
    explorerUrl: given.explorerUrl ?? known?.explorerUrl ?? null,
  };
}

/**
 * The configured RPCs, else the public RPC of a deployed market, else the embedded chain. Never show them: they may contain
 * keys. The deployment file is read only where it is needed and the caller does not know its chain id.
 */
export function chooseRpcUrls(config: Config, chainId?: number): string[] {
  const { rpcUrls, deploymentFile, chainPort } = config;
  if (rpcUrls.length > 0) return rpcUrls.map((url) => url.reveal());
  if (deploymentFile === undefined) return [`http://127.0.0.1:${chainPort}`];
  return [choosePublicChain(config, chainId ?? loadDeployment(deploymentFile).chainId).rpcUrl];
}

export function isOnThisMachine(url: string): boolean {
  return ['127.0.0.1', '[::1]', 'localhost'].includes(new URL(url).hostname);
}

/** The task that one of these transactions has created; null where none has. */
export async function findPostedTask(
  { rpc, contracts }: Pick<Connection, 'rpc' | 'contracts'>,
  hashes: readonly string[],
): Promise<string | null> {
  for (const market of hashes.length === 0 ? [] : markets) {
    const found = await readPostedTask(rpc, market, contracts[market].taskRegistry, hashes);
    if (found !== null) return found;
  }
  return null;
}

const shownWithin = { everyMs: 200, timeoutMs: 10_000 };

/** Waits until the site has read the block of the last one of these mined transactions. */
export async function awaitShown(
  { rpc, siteUrl }: Pick<Connection, 'rpc' | 'siteUrl'>,
  hashes: readonly string[],
): Promise<void> {
  const last = hashes.at(-1);
  if (last === undefined) return;
  const site = createSiteClient(siteUrl);
  const receipt = await rpc.ask(receiptOf(last as Hex));
  const isShown = async () => (await site.health()).block >= Number(receipt?.blockNumber ?? 0);
  await pollUntil(async () => (await isShown()) || undefined, shownWithin);
}

/**
 * Throws GATEWAY_FOREIGN where the gateway serves another market than the site: its pages would show other contracts, or another
 * chain. Contracts of two embedded chains have the same addresses, so their first blocks are compared.
 */
export async function requireGatewayOf(
  { chainId, contracts, genesisHash, siteUrl }: Connection,
  gatewayUrl: string,
): Promise<void> {
  const client = createSiteClient(gatewayUrl);
  const asked = Promise.all(markets.map((market) => client.siteConfig({ market })));
  // What is no gateway, or answers nothing, takes no request either.
  const configs = await asked.catch(() => null);
  if (configs === null) return;
  const isSame = markets.every((market, at) => {
    const found = configs[at] as SiteConfig;
    const [theirs, ours] = [parseContracts(found.contracts), contracts[market]];
    return found.chainId === chainId && isSameAddress(theirs.taskRegistry, ours.taskRegistry);
  });
  const rpcUrl = configs[0]?.rpcUrl ?? '';
  const isOther =
    !isSame || (isOnThisMachine(rpcUrl) && (await readGenesisHash(rpcUrl, chainId)) !== genesisHash);
  if (isOther)
    throw new OperatorError('GATEWAY_FOREIGN', {
      gateway: new URL(gatewayUrl).origin,
      site: new URL(siteUrl).origin,
    });
}

/** What preparing actions reads over this connection. */
export function buildMarketAccess({ chainId, contracts, rpc, siteUrl }: Connection): MarketAccess {
  const { postingQuota } = createMarketClient({ baseUrl: siteUrl });
  const reads = createActionReads(rpc, contracts);
  return { chainId, contracts, reads, readQuota: createQuotaReader(postingQuota) };
}
