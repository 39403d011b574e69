// A deployment: the addresses of both markets on one chain, as written to deployments/<chainId>.json.
import { stringify } from 'viem';
import { type Address, addressKey, isAddress, parseAddress } from '#domain/address.ts';
import { SvcError } from '#domain/errors.ts';
import { type Market, markets } from '#domain/market.ts';
import type { MarketParameters, OracleParameters } from '#domain/parameters.ts';

export type Hash = `0x${string}`;

export type Roles = {
  readonly owner: Address;
  readonly treasury: Address;
  readonly fallbackArbitrator: Address;
  readonly publisher: Address;
};

/** The names are those of site-config; the registry is the market's task scope registry as well. */
export type MarketAddresses = {
  readonly taskRegistry: Address;
  readonly depositVault: Address;
  readonly escrowVault: Address;
  readonly paymentGateway: Address;
  readonly stakingVault: Address;
  readonly pricingPolicy: Address;
  readonly disputeCourt: Address;
  readonly reputationRegistry: Address;
};

export type MarketDeployment = MarketAddresses & { readonly parameters: MarketParameters };

export type Deployment = {
  readonly chainId: number;
  readonly genesisHash: Hash;
  /** No event of these contracts is older than this block. */
  readonly startBlock: number;
  readonly deployer: Address;
  readonly roles: Roles;
  readonly usdc: Address;
  readonly tokToken: Address;
  readonly tokSupplyWei: bigint;
  readonly usdOracle: Address;
  readonly priceFeed: Address;
  /** The zero address where the chain has no sequencer uptime feed. */
  readonly sequencerFeed: Address;
  readonly oracle: OracleParameters;
  readonly marketLens: Address;
  readonly markets: Readonly<Record<Market, MarketDeployment>>;
};

/**
 * What anything that remembers must key on. The chain id does not tell a chain that was started anew from the old one,
 * the genesis hash alone not two deployments on one chain.
 */
export function chainIdentity(deployment: Deployment): string {
  const registries = markets.map((market) => addressKey(deployment.markets[market].taskRegistry));
  return [deployment.genesisHash.toLowerCase(), ...registries].join(':');
}

export function formatDeployment(deployment: Deployment): string {
  return `${stringify(deployment, null, 2)}\n`;
}

/** Throws DEPLOYMENT_MALFORMED that names the first field which is missing or wrong. */
export function parseDeployment(text: string): Deployment {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new SvcError('DEPLOYMENT_MALFORMED', { reason: 'it is no JSON' }, error);
  }
  return readDeployment(value, '');
}

type Reader<Value> = (value: unknown, path: string) => Value;

const readAddress: Reader<Address> = (value, path) =>
  isAddress(value) ? parseAddress(value) : refuse(path, 'an address');

const readHash: Reader<Hash> = (value, path) =>
  typeof value === 'string' && /^0x[0-9a-f]{64}$/.test(value) ? (value as Hash) : refuse(path, 'a hash');

const readCount: Reader<number> = (value, path) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    ? value
    : refuse(path, 'a whole number');

const readUnits: Reader<bigint> = (value, path) =>
  typeof value === 'string' && /^(0|[1-9][0-9]{0,76})$/.test(value)
    ? BigInt(value)
    : refuse(path, 'a decimal string');

const readMarket: Reader<MarketDeployment> = readRecord({
  taskRegistry: readAddress,
  depositVault: readAddress,
  escrowVault: readAddress,
  paymentGateway: readAddress,
  stakingVault: readAddress,
  pricingPolicy: readAddress,
  disputeCourt: readAddress,
  reputationRegistry: readAddress,
  parameters: readRecord<MarketParameters>({
    accessFeeTokWei: readUnits,
    entryUsdc: readUnits,
    recommendedUsdc: readUnits,
    pauseUsdc: readUnits,
    bondUsdc: readUnits,
    minTotalTokWei: readUnits,
    minReviewSeconds: readCount,
    maxReviewSeconds: readCount,
    arbitratorMinBondTokWei: readUnits,
    creditCapWei: readUnits,
    creditRateWei: readUnits,
    creditPerTokRate: readUnits,
  }),
});

const readDeployment: Reader<Deployment> = readRecord({
  chainId: readCount,
  genesisHash: readHash,
  startBlock: readCount,
  deployer: readAddress,
  roles: readRecord<Roles>({
    owner: readAddress,
    treasury: readAddress,
    fallbackArbitrator: readAddress,
    publisher: readAddress,
  }),
  usdc: readAddress,
  tokToken: readAddress,
  tokSupplyWei: readUnits,
  usdOracle: readAddress,
  priceFeed: readAddress,
  sequencerFeed: readAddress,
  oracle: readRecord<OracleParameters>({
    maxStepBps: readCount,
    minIntervalSeconds: readCount,
    maxAgeSeconds: readCount,
    minPriceE8: readUnits,
    maxPriceE8: readUnits,
  }),
  marketLens: readAddress,
  markets: readRecord({ standard: readMarket, micro: readMarket }),
});

function readRecord<Shape>(readers: { readonly [Name in keyof Shape]: Reader<Shape[Name]> }): Reader<Shape> {
  return (value, path) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse(path, 'an object');
    const fields = value as Record<string, unknown>;
    const read = (name: string) =>
      readers[name as keyof Shape](
        Object.hasOwn(fields, name) ? fields[name] : undefined,
        path === '' ? name : `${path}.${name}`,
      );
    return Object.fromEntries(Object.keys(readers).map((name) => [name, read(name)])) as Shape;
  };
}

function refuse(path: string, wanted: string): never {
  throw new SvcError('DEPLOYMENT_MALFORMED', { reason: `${path === '' ? 'it' : path} is not ${wanted}` });
}
