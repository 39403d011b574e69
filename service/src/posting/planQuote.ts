// The price of a plan in USDC and TOK, as a preview for a reader and as a quote with the calls that pay it
// (docs/specification.md section 4,
// posting/quote and posting/tok-preview).
import { randomUUID } from 'node:crypto';
import type { Deployment } from '@svc/sdk/chain';
import {
  type Address,
  type Currency,
  type Market,
  SvcError,
  tokDecimals,
  usdcDecimals,
} from '@svc/sdk/domain';
import { encodeApprove } from '@svc/sdk/internal/actions/approvals';
import { encodeBuyPlan } from '@svc/sdk/internal/actions/buyPlan';
import { joinCalls } from '@svc/sdk/internal/chain/encodeCall';
import { priceDecimals } from '@svc/sdk/internal/domain/amount';
import { planPeriodDays } from '@svc/sdk/internal/domain/parameters';
import { freeTier, type PostingPlan } from '@svc/sdk/internal/domain/posting';
import { findPlanForSale } from './planUpgrade.ts';

export type PlanQuoteNeeds = {
  readonly deployment: Pick<Deployment, 'markets' | 'tokToken' | 'usdc'>;
  readonly plans: (market: Market) => Promise<readonly PostingPlan[]>;
  /** Null while the oracle has no price that may be used. */
  readonly price: () => Promise<{ readonly priceE8: bigint } | null>;
  readonly now: () => number;
};

export type QuoteQuestion = {
  readonly market: Market;
  readonly address: Address;
  readonly tier: string;
  readonly payWith: Currency;
};

export type PlanQuotes = ReturnType<typeof createPlanQuotes>;

const quoteSeconds = 600;

export function createPlanQuotes({ deployment, plans, price, now }: PlanQuoteNeeds) {
  const priceNow = async (plan: PostingPlan) => pricePlan(plan, (await price())?.priceE8 ?? null);

  return {
    async preview(market: Market, tier: string) {
      const plan = (await plans(market)).find(({ id }) => id === tier);
      if (plan === undefined) throw new SvcError('TIER_UNKNOWN', {});
      return { tier, ...(await priceNow(plan)), market, discountPercent: plan.tokDiscountBps / 100 };
    },

    async quote({ market, address, tier, payWith }: QuoteQuestion) {
      const plan = findPlanForSale(await plans(market), tier);
      if (!plan.isOnSale) throw new SvcError('TIER_UNKNOWN', {});
      const priced = await priceNow(plan);
      if (payWith === 'tok' && !priced.tokAllowed) throw new SvcError('TOK_NOT_ALLOWED', {});
      const amount = payWith === 'tok' ? BigInt(priced.tokAmountWei) : plan.priceUsdcUnits;
      const { tokToken, usdc } = deployment;
      const contracts = { ...deployment.markets[market], tokToken, usdc };
      const least = { minDailyLimit: plan.dailyLimit, minDays: planPeriodDays };
      // Approves and pays exactly the quoted amount.
      const token = payWith === 'tok' ? 'TokToken' : 'USDC';
      const approve = encodeApprove(contracts, token, 'paymentGateway', amount);
      const buy = encodeBuyPlan(contracts, { tier, payWith, maxPay: amount, ...least });
      return {
        quoteId: randomUUID(),
        address,
        market,
        tier,
        payWith,
        ...priced,
        amountUnits: String(amount),
        payTo: contracts.paymentGateway,
        calls: joinCalls(approve, buy).calls,
        expiresAt: now() + quoteSeconds,
      };
    },
  };
}

const allBps = 10_000n;
const scale = 10n ** BigInt(tokDecimals + priceDecimals - usdcDecimals);

/**
 * The arithmetic of PricingPolicy.quote, to the wei; USD is rounded up. Whole units are for people. `priceE8` is null where
 * the oracle has no price that may be used.
 */
function pricePlan({ id, priceUsdcUnits, tokDiscountBps }: PostingPlan, priceE8: bigint | null) {
  const discountedUsdUnits = divideUp(priceUsdcUnits * (allBps - BigInt(tokDiscountBps)), allBps);
  const isFree = id === freeTier || priceUsdcUnits === 0n;
  const tokAmountWei = priceE8 === null || isFree ? 0n : divideUp(discountedUsdUnits * scale, priceE8);
  const noPrice = priceE8 === null ? 'The price of TOK is stale or missing: pay in USDC.' : null;
  const reason = isFree ? 'This plan is free.' : noPrice;
  return {
    listPriceUsdc: toWhole(priceUsdcUnits, usdcDecimals),
    discountedUsd: toWhole(discountedUsdUnits, usdcDecimals),
    tokUsdPrice: toWhole(priceE8 ?? 0n, priceDecimals),
    tokAmount: toWhole(tokAmountWei, tokDecimals),
    tokAllowed: reason === null,
    tokAmountWei: String(tokAmountWei),
    reason,
  };
}

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

function toWhole(units: bigint, decimals: number): number {
  return Number(units) / 10 ** decimals;
}
