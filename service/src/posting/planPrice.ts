// What a plan costs in USDC and in TOK: the arithmetic of PricingPolicy.quote, to the wei.
import { freeTier, type PostingPlan, priceDecimals, tokDecimals, usdcDecimals } from '@svc/sdk/domain';

export type PlanPrice = {
  readonly listUsdcUnits: bigint;
  /** USD with 6 decimals when paid in TOK, rounded up. */
  readonly discountedUsdUnits: bigint;
  /** 0 while there is no good price. */
  readonly priceE8: bigint;
  /** 0 while TOK cannot be paid. */
  readonly tokAmountWei: bigint;
  /** Why the plan cannot be paid in TOK, as a sentence; null when it can. */
  readonly reason: string | null;
};

const allBps = 10_000n;
const scale = 10n ** BigInt(tokDecimals + priceDecimals - usdcDecimals);

/** `priceE8` is null where the oracle has no price that may be used. */
export function pricePlan(plan: PostingPlan, priceE8: bigint | null): PlanPrice {
  const listUsdcUnits = plan.priceUsdcUnits;
  const discountedUsdUnits = divideUp(listUsdcUnits * (allBps - BigInt(plan.tokDiscountBps)), allBps);
  const reason = explainNoTok(plan, priceE8);
  return {
    listUsdcUnits,
    discountedUsdUnits,
    priceE8: priceE8 ?? 0n,
    tokAmountWei: priceE8 === null || reason !== null ? 0n : divideUp(discountedUsdUnits * scale, priceE8),
    reason,
  };
}

function explainNoTok({ id, priceUsdcUnits }: PostingPlan, priceE8: bigint | null): string | null {
  if (id === freeTier || priceUsdcUnits === 0n) return 'This plan is free.';
  return priceE8 === null ? 'The price of TOK is stale or missing: pay in USDC.' : null;
}

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
