// The rules of the posting quota: the UTC day, which plan is in force, and the figures that follow
// (docs/decisions.md#posting).
import type { Address } from './address.ts';
import type { Market } from './market.ts';
import { planPeriodDays } from './parameters.ts';
import type { Currency } from './state.ts';
import type { Hash } from './task.ts';

/** A plan as the chain's PricingPolicy answers it. Who has bought one that is no longer on sale keeps it. */
export type PostingPlan = {
  readonly id: string;
  readonly dailyLimit: number;
  /** USDC with 6 decimals; 0 for the plan that every wallet has. */
  readonly priceUsdcUnits: bigint;
  readonly tokDiscountBps: number;
  readonly isOnSale: boolean;
};

/** One payment for a plan, by the log that proves it. */
export type Purchase = {
  readonly txHash: Hash;
  readonly logIndex: number;
  readonly market: Market;
  readonly payer: Address;
  readonly tier: string;
  readonly payWith: Currency;
  readonly blockNumber: bigint;
  readonly blockTime: number;
};

/** Where a wallet that has bought nothing stands. */
export const freeTier = 'free';

export const daySeconds = 86_400;
const periodSeconds = planPeriodDays * daySeconds;

export type Day = { readonly start: number; readonly end: number };

/** The UTC day of that second; Unix time has no leap seconds, so every day is as long as any other. */
export function dayOf(time: number): Day {
  const start = Math.floor(time / daySeconds) * daySeconds;
  return { start, end: start + daySeconds };
}

export type PlanInForce = { readonly plan: PostingPlan; readonly expiresAt: number | null };

/** The unexpired plan with the highest limit; where two are equal, the one that lasts longer. */
export function findPlanInForce(
  plans: readonly PostingPlan[],
  purchases: readonly Purchase[],
  now: number,
): PlanInForce {
  let best: PlanInForce = { plan: findFreePlan(plans), expiresAt: null };
  for (const [tier, expiresAt] of findExpiries(purchases)) {
    const plan = plans.find(({ id }) => id === tier);
    if (plan === undefined || expiresAt <= now) continue;
    const gain = plan.dailyLimit - best.plan.dailyLimit;
    if (gain > 0 || (gain === 0 && expiresAt > (best.expiresAt ?? 0))) best = { plan, expiresAt };
  }
  return best;
}

/** Until when each tier lasts: a payment while it lasts adds a period to its end, a later one begins anew. */
export function findExpiries(purchases: readonly Purchase[]): Map<string, number> {
  const expiries = new Map<string, number>();
  for (const { tier, blockTime } of purchases.toSorted(inChainOrder)) {
    expiries.set(tier, Math.max(blockTime, expiries.get(tier) ?? 0) + periodSeconds);
  }
  return expiries;
}

/** When the period that this payment added ends: behind all that was paid for the tier before it, whatever came later. */
export function findPaidUntil(payment: Purchase, purchases: readonly Purchase[]): number {
  const until = purchases.filter((one) => inChainOrder(one, payment) <= 0);
  return findExpiries(until).get(payment.tier) as number;
}

function inChainOrder(left: Purchase, right: Purchase): number {
  return Number(left.blockNumber - right.blockNumber) || left.logIndex - right.logIndex;
}

/** A market without one lets nobody post for nothing. */
function findFreePlan(plans: readonly PostingPlan[]): PostingPlan {
  const free = { id: freeTier, dailyLimit: 0, priceUsdcUnits: 0n, tokDiscountBps: 0, isOnSale: true };
  return plans.find(({ id }) => id === freeTier) ?? free;
}

/** What is counted of one wallet on one market today. */
export type PostingCounts = {
  /** Tasks that the chain shows. */
  readonly confirmed: number;
  /** Recorded posts whose transaction the chain has not shown. */
  readonly pending: number;
  /** Recorded posts that are on the chain, in a block that our rows do not show yet. */
  readonly arriving: number;
  /** When the first of the recorded posts will be dropped; null where there are none. */
  readonly nextDropAt: number | null;
};

export type Quota = {
  readonly tier: string;
  readonly used: number;
  readonly limit: number;
  readonly canPost: boolean;
  readonly market: Market;
  readonly address: Address;
  readonly pending: number;
  readonly remaining: number;
  readonly resetsAt: number;
  readonly tierExpiresAt: number | null;
};

export type QuotaFigures = {
  readonly market: Market;
  readonly address: Address;
  readonly inForce: PlanInForce;
  readonly counts: PostingCounts;
  readonly now: number;
};

export function buildQuota({ market, address, inForce, counts, now }: QuotaFigures): Quota {
  const limit = inForce.plan.dailyLimit;
  const used = usedOf(counts);
  return {
    tier: inForce.plan.id,
    used,
    limit,
    canPost: used < limit,
    market,
    address,
    pending: counts.pending,
    remaining: Math.max(0, limit - used),
    resetsAt: dayOf(now).end,
    tierExpiresAt: inForce.expiresAt,
  };
}

export function usedOf({ confirmed, pending, arriving }: PostingCounts): number {
  return confirmed + pending + arriving;
}

/** Seconds until a full quota may have room again: at midnight, or when a recorded post is dropped before that. */
export function retryAfter(now: number, { nextDropAt }: PostingCounts): number {
  return Math.max(1, Math.min(dayOf(now).end, nextDropAt ?? Number.POSITIVE_INFINITY) - now);
}
