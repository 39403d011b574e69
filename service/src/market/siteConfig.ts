// What a client must know before it starts: chain, addresses, plans and limits (docs/specification.md section 2, site
// config).
import type { Deployment } from '@svc/sdk/chain';
import { type Market, type PublicChain, toUsd } from '@svc/sdk/domain';
import { planPeriodDays } from '@svc/sdk/internal/domain/parameters';
import type { PostingPlan } from '@svc/sdk/internal/domain/posting';

/** `plans` are those that are on sale. */
export function buildSiteConfig(
  deployment: Deployment,
  publicChain: PublicChain,
  market: Market,
  plans: readonly PostingPlan[],
) {
  const { chainId, tokToken, usdOracle, marketLens, usdc, startBlock, sale } = deployment;
  const { parameters, ...contracts } = deployment.markets[market];
  return {
    chainId,
    chainName: publicChain.name,
    rpcUrl: publicChain.rpcUrl,
    explorerUrl: publicChain.explorerUrl,
    market,
    contracts: {
      tokToken,
      ...contracts,
      taskScopeRegistry: contracts.taskRegistry,
      usdOracle,
      marketLens,
      usdc,
      ...sale,
    },
    postingPlans: plans.map(({ id, dailyLimit, priceUsdcUnits }) => ({
      id,
      dailyLimit,
      label: id.charAt(0).toUpperCase() + id.slice(1),
      priceUsdc: toUsd(priceUsdcUnits),
      periodDays: priceUsdcUnits === 0n ? null : planPeriodDays,
    })),
    limits: {
      openListMax: 100,
      freeDailyPosts: plans.find(({ id }) => id === 'free')?.dailyLimit ?? 0,
      entryCollateralUsd: toUsd(parameters.entryUsdc),
      recommendedCollateralUsd: toUsd(parameters.recommendedUsdc),
      pauseThresholdUsd: toUsd(parameters.pauseUsdc),
      bondUsd: toUsd(parameters.bondUsdc),
      accessFeeTokWei: String(parameters.accessFeeTokWei),
    },
    protocolVersion: 'v2',
    startBlock,
  } as const;
}

export type SiteConfig = ReturnType<typeof buildSiteConfig>;
