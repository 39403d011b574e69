// The Union vault's snapshot of one market (docs/specification.md section 2, Union overview).
import type { Market } from '@svc/sdk/domain';

export type UnionFigures = {
  readonly stakingActive: boolean;
  readonly totalStaked: bigint;
  readonly creditsIssued: bigint;
  readonly creditsRemaining: bigint;
  readonly creditIssuanceClosed: boolean;
  readonly rewardReserve: bigint;
};

export function buildUnionOverview(market: Market, figures: UnionFigures, updatedAt: number) {
  return {
    source: 'chain-rpc',
    stakingActive: figures.stakingActive,
    totalStakedTok: String(figures.totalStaked),
    totalCreditsIssued: String(figures.creditsIssued),
    creditsRemaining: String(figures.creditsRemaining),
    creditIssuanceClosed: figures.creditIssuanceClosed,
    market,
    rewardReserveTok: String(figures.rewardReserve),
    updatedAt,
  } as const;
}
