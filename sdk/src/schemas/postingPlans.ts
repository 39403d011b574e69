// Posting plans, their prices and the routes that pay for them (docs/specification.md section 2, token price preview;
// docs/decisions/posting.md).
import * as z from 'zod';
import { currencies } from '../domain/state.ts';
import {
  exampleTxHash,
  exampleWallet,
  protocolQuerySchema,
  quotaSchema,
  txHashParameter,
} from './postingQuota.ts';
import {
  addressSchema,
  callSchema,
  marketSchema,
  named,
  refuse,
  timeSchema,
  weiSchema,
} from './primitives.ts';
import { addressParameter, marketParameter } from './queries.ts';
import { defineRoutes, jsonReply, unreadyErrors } from './route.ts';

export const postingPlanSchema = named('PostingPlan', null, {
  id: z.string().meta({ description: 'free is the default plan.', examples: ['free'] }),
  dailyLimit: z.int().nonnegative().describe('Posts a day (UTC), by market and wallet.'),
  label: z.string(),
  priceUsdc: z.number().nonnegative().describe('Whole USDC for one period.'),
  periodDays: z
    .int()
    .positive()
    .nullable()
    .describe('What the price pays for; null for free, which does not end.'),
});

const tier = z.string().meta({ description: 'Id of a posting plan.', examples: ['basic'] });

const priceFields = {
  listPriceUsdc: z.number().nonnegative().describe('Whole USDC for one period.'),
  discountedUsd: z.number().nonnegative().describe('Whole USD when paid in TOK.'),
  tokUsdPrice: z.number().nonnegative().describe('USD for one TOK; 0 without a valid price.'),
  tokAmount: z.number().nonnegative().describe('Whole TOK; 0 where TOK is not allowed.'),
  tokAllowed: z.boolean().describe('Whether the plan can be paid in TOK now.'),
  tokAmountWei: weiSchema.describe('tokAmount, exactly.'),
  reason: z.string().nullable().describe('Why TOK is not allowed.'),
};

export const tokPreviewSchema = named('TokPreview', 'What a plan costs in the service token.', {
  tier,
  ...priceFields,
  market: marketSchema,
  discountPercent: z.number().nonnegative().describe('The discount for payment in TOK.'),
});

export const planQuoteSchema = named(
  'PlanQuote',
  'A price and the unsigned calls that pay it; they never pay more than amountUnits.',
  {
    quoteId: z.uuid(),
    address: addressSchema,
    market: marketSchema,
    tier,
    payWith: z.enum(currencies),
    ...priceFields,
    amountUnits: z
      .string()
      .regex(/^(0|[1-9][0-9]{0,28})$/)
      .describe('The amount to pay in the smallest unit of payWith: 18 decimals for TOK, 6 for USDC.'),
    payTo: addressSchema.describe('The market’s payment gateway.'),
    calls: z.array(callSchema).describe('The wallet sends them in this order: approve, purchasePlan.'),
    expiresAt: timeSchema,
  },
);

export const upgradedQuotaSchema = named('UpgradedQuota', null, {
  ...quotaSchema.shape,
  upgraded: z.boolean().describe('Whether this request used the payment; false when it was used before.'),
});

const tierParameter = z
  .string(refuse('TIER_REQUIRED'))
  .min(1, refuse('TIER_REQUIRED'))
  .meta({
    description: 'A plan, by its id in postingPlans of /api/site-config.',
    parameter: { type: 'string' },
    examples: ['basic', 'premium'],
  });

const currency = z.enum(currencies, refuse('PAY_WITH_UNKNOWN'));

/** The address comes first, so that a missing one is reported before other mistakes. */
const quoteQuerySchema = z.object({
  address: addressParameter,
  tier: tierParameter,
  payWith: currency
    .default('tok')
    .meta({ description: 'The currency to pay in.', examples: ['tok', 'usdc'] }),
  market: marketParameter,
});

const upgradeBodySchema = named('UpgradeRequest', null, {
  address: addressParameter.describe('The wallet that paid.'),
  tier: tierParameter,
  txHash: txHashParameter,
  payWith: currency.optional().describe('When given, it must be the currency that was paid.'),
  market: marketParameter,
});

const upgradeExample = {
  address: exampleWallet,
  tier: 'basic',
  txHash: exampleTxHash,
  payWith: 'tok',
  market: 'standard',
};

export const planRoutes = defineRoutes('Posting', {
  quote: {
    path: '/api/posting/quote',
    operationId: 'getPlanQuote',
    summary: 'What a plan costs, and the calls that pay it',
    description:
      'Valid for ten minutes. The calls are unsigned. The wallet that sends them pays at most `amountUnits`, even if the ' +
      'price changes.',
    query: quoteQuerySchema,
    reply: jsonReply('The quote.', planQuoteSchema),
    errors: ['TIER_UNKNOWN', 'TIER_FREE', 'TOK_NOT_ALLOWED', 'NOT_READY'],
    samples: [
      { label: 'In TOK', path: `/api/posting/quote?address=${exampleWallet}&tier=basic` },
      { label: 'In USDC', path: `/api/posting/quote?address=${exampleWallet}&tier=basic&payWith=usdc` },
    ],
  },
  tokPreview: {
    path: '/api/posting/tok-preview',
    operationId: 'getTokPreview',
    summary: 'What a plan costs in TOK',
    description: 'Without a valid price of TOK, `tokAllowed` is false and `reason` says why.',
    query: z.object({ tier: tierParameter, market: marketParameter }),
    reply: jsonReply('The price.', tokPreviewSchema),
    errors: ['TIER_UNKNOWN', 'NOT_READY'],
    samples: [{ label: 'The plan basic', path: '/api/posting/tok-preview?tier=basic' }],
  },
  upgrade: {
    path: '/api/posting/upgrade',
    operationId: 'upgradePlan',
    summary: 'Use a payment for a plan',
    description:
      'The `PlanPurchased` event of the transaction proves the payment. A payment can be used once, by the wallet that ' +
      'paid, on the market it was paid on. It buys 30 days from its block; paying for the same plan again adds 30 days. ' +
      'Repeating a request changes nothing.',
    query: protocolQuerySchema,
    body: {
      description: 'The plan and the transaction that paid for it.',
      schema: upgradeBodySchema,
      example: upgradeExample,
    },
    reply: jsonReply('The plan is in force.', upgradedQuotaSchema),
    isLimited: true,
    mayRepeat: true,
    errors: [
      'TIER_UNKNOWN',
      'TIER_FREE',
      'MARKET_NOT_IN_V1',
      'PAYMENT_UNSEEN',
      'PAYMENT_UNCONFIRMED',
      'PAYMENT_MISMATCH',
      'PAYMENT_ENDED',
      'PAYMENT_USED',
      ...unreadyErrors,
    ],
  },
});
