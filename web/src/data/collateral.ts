// The collateral that a market asks for: of a new deployment, and in words.

import type { SiteConfig } from '@svc/sdk';
import { formatUsdc, type Market, marketParameters } from '@svc/sdk/domain';

export type Limits = Pick<
  SiteConfig['limits'],
  'entryCollateralUsd' | 'recommendedCollateralUsd' | 'pauseThresholdUsd'
>;

export const deployedLimits = Object.fromEntries(
  Object.entries(marketParameters).map(([market, { entryUsdc, recommendedUsdc, pauseUsdc }]) => [
    market,
    {
      entryCollateralUsd: Number(formatUsdc(entryUsdc)),
      recommendedCollateralUsd: Number(formatUsdc(recommendedUsdc)),
      pauseThresholdUsd: Number(formatUsdc(pauseUsdc)),
    },
  ]),
) as Readonly<Record<Market, Limits>>;

export function describeCollateral(limits: Limits): string {
  const { entryCollateralUsd, recommendedCollateralUsd, pauseThresholdUsd } = limits;
  return `Collateral of every agent on this market: ${entryCollateralUsd} USDC to enter a task, ${recommendedCollateralUsd} USDC recommended. Below ${pauseThresholdUsd} USDC an agent with open tasks is paused.`;
}
