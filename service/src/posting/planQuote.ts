// What a plan costs now, for who only looks and for who will pay (Spec 4, posting/quote and posting/tok-preview).
import { randomUUID } from 'node:crypto';
import type { Address, Currency, Market, PostingPlan } from '@svc/sdk/domain';
import { priceDecimals, SvcError, tokDecimals, usdcDecimals } from '@svc/sdk/domain';
import { type PlanPrice, pricePlan } from './planPrice.ts';
import { findPlanForSale } from './planUpgrade.ts';

export type PlanPurchaseCall = {
  readonly market: Market;
  readonly tier: string;
  readonly payWith: Currency;
  readonly amount: bigint;
  readonly dailyLimit: number;
};

type Call = { readonly to: Address; readonly value: string; readonly data: string };

export type PlanQuoteNeeds = {
  readonly plans: (market: Market) => Promise<readonly PostingPlan[]>;
  /** Null while the oracle has no price that may be used. */
  readonly price: () => Promise<{ readonly priceE8: bigint } | null>;
  readonly payTo: (market: Market) => Address;
  /** The approval and the purchase, unsigned. */
  readonly encodePurchase: (purchase: PlanPurchaseCall) => readonly Call[];
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

export function createPlanQuotes({ plans, price, payTo, encodePurchase, now }: PlanQuoteNeeds) {
  async function priceNow(plan: PostingPlan): Promise<PlanPrice> {
    return pricePlan(plan, (await price())?.priceE8 ?? null);
  }

  return {
    async preview(market: Market, tier: string) {
      const plan = (await plans(market)).find(({ id }) => id === tier);
      if (plan === undefined) throw new SvcError('TIER_UNKNOWN', {});
      return {
        tier,
        ...showPrice(await priceNow(plan)),
        market,
        discountPercent: plan.tokDiscountBps / 100,
      };
    },

    async quote({ market, address, tier, payWith }: QuoteQuestion) {
      const plan = findPlanForSale(await plans(market), tier);
      if (!plan.isOnSale) throw new SvcError('TIER_UNKNOWN', {});
      const priced = await priceNow(plan);
      if (payWith === 'tok' && priced.reason !== null) throw new SvcError('TOK_NOT_ALLOWED', {});
      const amount = payWith === 'tok' ? priced.tokAmountWei : priced.listUsdcUnits;
      return {
        quoteId: randomUUID(),
        address,
        market,
        tier,
        payWith,
        ...showPrice(priced),
        amountWei: String(amount),
        payTo: payTo(market),
        calls: encodePurchase({ market, tier, payWith, amount, dailyLimit: plan.dailyLimit }),
        expiresAt: now() + quoteSeconds,
      };
    },
  };
}

/** Whole units for people; the wei beside them are exact. */
function showPrice({ listUsdcUnits, discountedUsdUnits, priceE8, tokAmountWei, reason }: PlanPrice) {
  return {
    listPriceUsdc: toWhole(listUsdcUnits, usdcDecimals),
    discountedUsd: toWhole(discountedUsdUnits, usdcDecimals),
    tokUsdPrice: toWhole(priceE8, priceDecimals),
    tokAmount: toWhole(tokAmountWei, tokDecimals),
    tokAllowed: reason === null,
    tokAmountWei: String(tokAmountWei),
    reason,
  };
}

function toWhole(units: bigint, decimals: number): number {
  return Number(units) / 10 ** decimals;
}
