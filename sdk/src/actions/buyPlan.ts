// Posting plans: buying one, and the warning that the day's quota is full.
import * as z from 'zod';
import { type CallContracts, type EncodedCalls, encodeCall } from '../chain/encodeCall.ts';
import type { Address } from '../domain/address.ts';
import { isErrorOf } from '../domain/errors.ts';
import { planPeriodDays, plans } from '../domain/parameters.ts';
import { encodeTier } from '../domain/posting.ts';
import { type Currency, currencies, indexOf } from '../domain/state.ts';
import { refuse } from '../rules/values.ts';
import { mustBe } from '../schemas/documents.ts';
import { type ActionContext, defineWalletAction } from './action.ts';
import { costOfAmount } from './costs.ts';

export type PlanPurchase = {
  readonly tier: string;
  readonly payWith: Currency;
  /** The most that is paid, in the currency's smallest unit. */
  readonly maxPay: bigint;
  /** The fewest posts a day, and the shortest period in days. */
  readonly minDailyLimit: number;
  readonly minDays: number;
};

export function encodeBuyPlan(contracts: CallContracts, purchase: PlanPurchase): EncodedCalls {
  const { tier, payWith, maxPay, minDailyLimit, minDays } = purchase;
  const id = encodeTier(tier);
  const args = [id, indexOf(currencies, payWith), maxPay, minDailyLimit, minDays] as const;
  return encodeCall(contracts, 'PaymentGateway', 'purchasePlan', args);
}

const onSale = plans.filter(({ priceUsdc }) => priceUsdc > 0n).map(({ id }) => id);

export const buyPlan = defineWalletAction({
  name: 'buy-plan',
  title: 'Buy a posting plan',
  summary: `buy a posting plan for ${planPeriodDays} days, for at most the current price`,
  effect: `For ${planPeriodDays} days your daily limit of posts on this market is that of the plan.`,
  by: ['anyone'],
  costs: ({ amount, payWith = 'tok' }) => costOfAmount(payWith === 'tok' ? 'planTok' : 'planUsdc', amount),
  risk: () => 'The price is not returned. If the plan gives less by then, nothing is bought.',
  undo: 'It cannot be undone; the plan ends automatically.',
  next: 'The plan’s daily limit of posts applies at once.',
  calls: ['PaymentGateway.purchasePlan'],
  input: {
    tier: z
      .string(mustBe('a text'))
      .regex(/^[a-z][a-z0-9-]{0,30}$/, 'must be the id of a plan, such as basic')
      .describe(`id of the plan: ${onSale.slice(0, -1).join(', ')} or ${onSale.at(-1)}`),
    payWith: z.enum(currencies, { error: 'must be "tok" or "usdc"' }).default('tok').describe('tok or usdc'),
  },
  example: { tier: 'basic', payWith: 'tok' },
  build: async ({ tier, payWith }, { market, contracts, reads }) => {
    const quote = await reads.readQuote(market, tier).catch((error: unknown) => {
      if (isErrorOf(error, 'CHAIN_REFUSED')) refuse('buy-plan', 'tier: there is no such plan');
      throw error;
    });
    if (quote.listUsdc === 0n) refuse('buy-plan', 'tier: this plan is free, there is nothing to buy');
    const maxPay = payWith === 'tok' ? quote.tokAmountWei : quote.listUsdc;
    const { dailyLimit: minDailyLimit, periodDays: minDays } = quote;
    const purchase = { tier, payWith, maxPay, minDailyLimit, minDays };
    return { encoded: encodeBuyPlan(contracts, purchase) };
  },
});

/** A warning only: others can fill a wallet's quota for some minutes, and the chain takes the post all the same. */
export async function warnOfQuota({ readQuota, market }: ActionContext, poster: Address): Promise<string[]> {
  const quota = await readQuota(market, poster).catch(() => null);
  if (quota === null || quota.canPost) return [];
  const { used, limit, tier } = quota;
  return [
    `The posting quota of today is full (${used} of ${limit}, plan ${tier}). The chain takes the post all the same; ` +
      'svc prepare buy-plan raises the quota.',
  ];
}
