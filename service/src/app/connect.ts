// Finds the chain and the contracts for commands that are not servers: by a deployment file, or by asking the site.

import {
  contractsOf,
  createChainClient,
  createRpc,
  explainChainError,
  type MarketContracts,
  type Rpc,
  readChainId,
} from '@svc/sdk/chain';
import type { SiteConfig } from '@svc/sdk/client';
import type { Hash, SigningPlace } from '@svc/sdk/domain';
import { type Market, markets, parseAddress, SvcError } from '@svc/sdk/domain';
import { http } from 'viem';
import type { Config } from '#config.ts';
import { loadDeployment } from './deploymentFile.ts';
import { readEmbeddedDeployment } from './embeddedDeployment.ts';
import { chooseRpcUrls } from './rpcUrls.ts';
import { createSiteClient } from './siteClient.ts';

export type Connection = {
  readonly chainId: number;
  /** Tells chains of the same id apart: each start of the embedded one is another. */
  readonly genesisHash: Hash;
  readonly contracts: Readonly<Record<Market, MarketContracts>>;
  /** They may hold a provider's key: never to be shown. */
  readonly rpcUrls: readonly string[];
  readonly rpc: Rpc;
  readonly siteUrl: string;
  /** Whether keys and money on it are nobody's: the embedded chain of `svc start`, on this machine. */
  readonly isEmbedded: () => Promise<boolean>;
  readonly close: () => void;
};

type Place = {
  readonly chainId: number;
  readonly contracts: Readonly<Record<Market, MarketContracts>>;
  readonly rpcUrls: readonly string[];
  readonly genesisHash: Hash;
};

export async function connect(config: Config): Promise<Connection> {
  const { deploymentFile: file } = config;
  const place = file === undefined ? await findBySite(config) : findByFile(config, file);
  const { chainId, genesisHash, rpcUrls } = place;
  const rpc = createRpc({ urls: rpcUrls, chainId, genesisHash });
  return {
    chainId,
    genesisHash,
    contracts: place.contracts,
    rpcUrls,
    rpc,
    siteUrl: config.siteUrl,
    isEmbedded: async () => {
      // A chain elsewhere may say what it likes: it would get a real key to sign what it could then use elsewhere.
      if (!rpcUrls.every(isOnThisMachine)) return false;
      return (await Promise.all(rpcUrls.map(readEmbeddedDeployment))).every((found) => found !== null);
    },
    close: rpc.close,
  };
}

/** Where terms of each market count, without asking a chain. Throws MARKET_NOT_FOUND where no file is named and no site answers. */
export async function findPlaces(config: Config): Promise<Readonly<Record<Market, SigningPlace>>> {
  if (config.deploymentFile === undefined) {
    const configs = await askSite(config);
    return mapMarkets((market) => ({
      chainId: configs[market].chainId,
      registry: parseAddress(configs[market].contracts.taskRegistry),
    }));
  }
  const { chainId, markets: own } = loadDeployment(config.deploymentFile);
  return mapMarkets((market) => ({ chainId, registry: own[market].taskRegistry }));
}

async function askSite({ siteUrl }: Config): Promise<Readonly<Record<Market, SiteConfig>>> {
  const client = createSiteClient(siteUrl);
  const [standard, micro] = await Promise.all(markets.map((market) => client.siteConfig({ market }))).catch(
    (error: unknown) => {
      throw new SvcError('MARKET_NOT_FOUND', { url: new URL(siteUrl).origin }, error);
    },
  );
  if (standard === undefined || micro === undefined) throw new RangeError('a market is missing');
  return { standard, micro };
}

function findByFile(config: Config, file: string): Place {
  const deployment = loadDeployment(file);
  const rpcUrls = chooseRpcUrls(config);
  const contracts = mapMarkets((market) => contractsOf(deployment, market));
  return { chainId: deployment.chainId, contracts, rpcUrls, genesisHash: deployment.genesisHash };
}

async function findBySite(config: Config): Promise<Place> {
  const configs = await askSite(config);
  const { chainId, rpcUrl } = configs.standard;
  const rpcUrls = config.rpcUrls.length > 0 ? config.rpcUrls.map((url) => url.reveal()) : [rpcUrl];
  return {
    chainId,
    contracts: mapMarkets((market) => parseContracts(configs[market].contracts)),
    rpcUrls,
    genesisHash: await readGenesisHash(rpcUrls[0] as string, chainId),
  };
}

function parseContracts(named: Readonly<Record<keyof MarketContracts, string>>): MarketContracts {
  const parsed = Object.entries(named).map(([name, address]) => [name, parseAddress(address)]);
  return Object.fromEntries(parsed) as MarketContracts;
}

/** The site does not tell it; the first RPC sets what the others have to be. */
async function readGenesisHash(rpcUrl: string, expected: number): Promise<Hash> {
  const client = createChainClient({ transport: http(rpcUrl, { retryCount: 1, timeout: 10_000 }) });
  try {
    const found = await readChainId(client);
    if (found !== expected)
      throw new SvcError('CHAIN_WRONG', { found: String(found), expected: String(expected) });
    return (await client.getBlock({ blockNumber: 0n })).hash;
  } catch (error) {
    throw explainChainError(error);
  }
}

function mapMarkets<Value>(build: (market: Market) => Value): Record<Market, Value> {
  return { standard: build('standard'), micro: build('micro') };
}

export function isOnThisMachine(url: string): boolean {
  return ['127.0.0.1', '[::1]', 'localhost'].includes(new URL(url).hostname);
}
