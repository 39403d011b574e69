// A deployment: the addresses of both markets on one chain, as written to deployments/<chainId>.json.
import { type Address, addressKey } from '#domain/address.ts';
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
