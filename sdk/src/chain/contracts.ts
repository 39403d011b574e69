// The addresses of one market and of what both markets share, by the names of site-config.
import type { Address } from '#domain/address.ts';
import type { Market } from '#domain/market.ts';
import type { Deployment } from './deployment.ts';
import type { CallContracts } from './encodeCall.ts';

export type MarketContracts = CallContracts & {
  readonly escrowVault: Address;
  readonly usdOracle: Address;
  readonly pricingPolicy: Address;
  readonly reputationRegistry: Address;
  readonly marketLens: Address;
};

export function contractsOf(deployment: Deployment, market: Market): MarketContracts {
  const { parameters: _, ...own } = deployment.markets[market];
  const { tokToken, usdc, usdOracle, marketLens } = deployment;
  return { ...own, tokToken, usdc, usdOracle, marketLens };
}
