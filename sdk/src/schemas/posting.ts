// The posting quota, its plans and their prices (Spec 2, quota object and token price preview; docs/decisions.md#posting).
import * as z from 'zod';
import { currencies } from '#domain/state.ts';
import { addressSchema, marketSchema, timeSchema, weiSchema } from './primitives.ts';
import { callSchema } from './walletRequest.ts';

const tier = z.string().meta({ description: 'Id of a posting plan.', examples: ['basic'] });

const quotaFields = {
  tier: tier.meta({ description: 'The plan in force.', examples: ['free'] }),
  used: z.int().nonnegative().meta({ description: 'Posts of this UTC day, pending ones included.' }),
  limit: z.int().nonnegative().meta({ description: 'Posts a day that the plan allows.' }),
  canPost: z.boolean(),
  market: marketSchema,
  address: addressSchema,
  pending: z
    .int()
    .nonnegative()
    .meta({ description: 'Recorded posts that the chain has not shown yet; each for five minutes at most.' }),
  remaining: z.int().nonnegative(),
  resetsAt: timeSchema.meta({ description: 'The next 00:00 UTC.' }),
  tierExpiresAt: timeSchema.nullable().meta({ description: 'When the plan ends; null for the free one.' }),
};

export const quotaSchema = z
  .object(quotaFields)
  .meta({ id: 'Quota', description: 'What a wallet may still post today on one market.' });

export const recordedQuotaSchema = z
  .object({
    ...quotaFields,
    recorded: z.literal(true),
    status: z
      .enum(['confirmed', 'pending'])
      .meta({ description: 'confirmed: the chain shows the post. pending: it does not yet.' }),
  })
  .meta({ id: 'RecordedQuota' });

export const upgradedQuotaSchema = z
  .object({
    ...quotaFields,
    upgraded: z
      .boolean()
      .meta({ description: 'Whether this request used the payment; false when it had been used before.' }),
  })
  .meta({ id: 'UpgradedQuota' });

export const limitReachedSchema = z
  .object({ error: z.string(), quota: quotaSchema })
  .meta({ id: 'LimitReached', description: 'A refusal, with the quota that is used up.' });

const priceFields = {
  listPriceUsdc: z.number().nonnegative().meta({ description: 'Whole USDC for one period.' }),
  discountedUsd: z.number().nonnegative().meta({ description: 'Whole USD when paid in TOK.' }),
  tokUsdPrice: z.number().nonnegative().meta({ description: 'USD for one TOK; 0 without a good price.' }),
  tokAmount: z.number().nonnegative().meta({ description: 'Whole TOK; 0 where TOK is not allowed.' }),
  tokAllowed: z.boolean().meta({ description: 'Whether the plan can be paid in TOK now.' }),
  tokAmountWei: weiSchema.meta({ description: 'tokAmount, exactly.' }),
  reason: z.string().nullable().meta({ description: 'Why TOK is not allowed.' }),
};

export const tokPreviewSchema = z
  .object({
    tier,
    ...priceFields,
    market: marketSchema,
    discountPercent: z.number().nonnegative().meta({ description: 'What paying in TOK saves.' }),
  })
  .meta({ id: 'TokPreview', description: 'What a plan costs in the service token.' });

export const planQuoteSchema = z
  .object({
    quoteId: z.uuid(),
    address: addressSchema,
    market: marketSchema,
    tier,
    payWith: z.enum(currencies),
    ...priceFields,
    amountWei: weiSchema.meta({
      description: 'What is paid, in the smallest unit of the currency: 18 decimals for TOK, 6 for USDC.',
    }),
    payTo: addressSchema.meta({ description: 'The market’s payment gateway.' }),
    calls: z
      .array(callSchema)
      .meta({ description: 'To be sent in this order by the wallet: approve, purchasePlan.' }),
    expiresAt: timeSchema,
  })
  .meta({
    id: 'PlanQuote',
    description: 'A price and the unsigned calls that pay it; they never pay more than amountWei.',
  });
