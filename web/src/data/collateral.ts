// The collateral that a new deployment of a market asks for.

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
