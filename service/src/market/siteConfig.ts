// What a client must know before it starts: chain, addresses, plans and limits (Spec 2, site config).
import type { Address, Market, PublicChain } from '@svc/sdk/domain';
import { type MarketParameters, planPeriodDays, toUsd } from '@svc/sdk/domain';

export type SitePlan = { readonly id: string; readonly dailyLimit: number; readonly priceUsdcUnits: bigint };

export type SiteAddresses = {
  readonly tokToken: Address;
  readonly taskRegistry: Address;
  readonly depositVault: Address;
  readonly escrowVault: Address;
  readonly paymentGateway: Address;
  readonly stakingVault: Address;
  readonly usdOracle: Address;
  readonly pricingPolicy: Address;
  readonly disputeCourt: Address;
  readonly reputationRegistry: Address;
  readonly marketLens: Address;
  readonly usdc: Address;
};

export type SiteConfigInput = {
  readonly chainId: number;
  readonly publicChain: PublicChain;
  readonly market: Market;
  readonly addresses: SiteAddresses;
  readonly parameters: MarketParameters;
  readonly plans: readonly SitePlan[];
  readonly startBlock: number;
};

export function buildSiteConfig(input: SiteConfigInput) {
  const { addresses, parameters, publicChain } = input;
  return {
    chainId: input.chainId,
    chainName: publicChain.name,
    rpcUrl: publicChain.rpcUrl,
    explorerUrl: publicChain.explorerUrl,
    market: input.market,
    contracts: {
      tokToken: addresses.tokToken,
      taskRegistry: addresses.taskRegistry,
      depositVault: addresses.depositVault,
      escrowVault: addresses.escrowVault,
      paymentGateway: addresses.paymentGateway,
      stakingVault: addresses.stakingVault,
      usdOracle: addresses.usdOracle,
      pricingPolicy: addresses.pricingPolicy,
      taskScopeRegistry: addresses.taskRegistry,
      disputeCourt: addresses.disputeCourt,
      reputationRegistry: addresses.reputationRegistry,
      marketLens: addresses.marketLens,
      usdc: addresses.usdc,
    },
    postingPlans: input.plans.map(buildPlan),
    limits: {
      openListMax: 100,
      freeDailyPosts: input.plans.find(({ id }) => id === 'free')?.dailyLimit ?? 0,
      entryCollateralUsd: toUsd(parameters.entryUsdc),
      recommendedCollateralUsd: toUsd(parameters.recommendedUsdc),
      pauseThresholdUsd: toUsd(parameters.pauseUsdc),
      accessFeeTokWei: String(parameters.accessFeeTokWei),
    },
    protocolVersion: 'v2',
    startBlock: input.startBlock,
  } as const;
}

export type SiteConfig = ReturnType<typeof buildSiteConfig>;

function buildPlan({ id, dailyLimit, priceUsdcUnits }: SitePlan) {
  const label = id.charAt(0).toUpperCase() + id.slice(1);
  return { id, dailyLimit, label, priceUsdc: toUsd(priceUsdcUnits), periodDays: planPeriodDays };
}
