// What the contracts ask of the terms of a task, told before anybody signs them.
import { formatTok } from '#domain/amount.ts';
import type { Market } from '#domain/market.ts';
import { marketParameters, protocolConstants } from '#domain/parameters.ts';

export type BoundedTerms = {
  readonly total: bigint;
  /** Empty for a single one. */
  readonly milestones: readonly bigint[];
  /** Unix seconds, as is `acceptBy`. */
  readonly deadline: number;
  readonly reviewPeriod: number;
  readonly acceptBy: number;
};

/** What the chain says where these are to count. */
export type Bounds = { readonly market: Market; readonly now: number; readonly minTotalTokWei: bigint };

const hour = 3_600;
const day = 24 * hour;

/** In the words of arguments; empty where the contracts would take them. */
export function findOutOfBounds(terms: BoundedTerms, { market, now, minTotalTokWei }: Bounds): string[] {
  const { minReviewSeconds, maxReviewSeconds } = marketParameters[market];
  const { maxDurationSeconds, maxMilestones } = protocolConstants;
  const least = minTotalTokWei / BigInt(maxMilestones);
  const { total, milestones, deadline, reviewPeriod, acceptBy } = terms;
  const isReviewable = reviewPeriod >= minReviewSeconds && reviewPeriod <= maxReviewSeconds;
  return [
    total < minTotalTokWei && `totalAmountTok: must be ${formatTok(minTotalTokWei)} TOK or more`,
    milestones.some((amount) => amount < least) && `milestones: must each be ${formatTok(least)} TOK or more`,
    deadline <= now && `deadline: must be later than now, which is ${now} on the chain`,
    deadline > now + maxDurationSeconds && `deadline: must be within ${maxDurationSeconds / day} days`,
    !isReviewable && `reviewPeriod: must be ${minReviewSeconds / hour}h to ${maxReviewSeconds / day}d`,
    acceptBy <= now && `acceptBy: must be later than now, which is ${now} on the chain`,
  ].filter((mistake) => mistake !== false);
}
