// What the posting routes are asked, with the sentence that each mistake is answered with.
import * as z from 'zod';
import { maxAmount } from '#domain/amount.ts';
import { errorMessages } from '#domain/errors.ts';
import { markets } from '#domain/market.ts';
import { currencies } from '#domain/state.ts';
import { addressParameter, marketParameter, protocolParameter } from './requests.ts';

const tierParameter = z
  .string({ error: errorMessages.TIER_UNKNOWN })
  .min(1, errorMessages.TIER_UNKNOWN)
  .meta({
    description: 'A plan, by its id in postingPlans of /api/site-config.',
    parameter: { type: 'string' },
    examples: ['basic', 'premium'],
  });

const currency = z.enum(currencies, { error: errorMessages.PAY_WITH_UNKNOWN });

const txHash = z
  .string({ error: errorMessages.TX_HASH_MALFORMED })
  .regex(/^0x[0-9a-fA-F]{64}$/, errorMessages.TX_HASH_MALFORMED)
  .transform((hash) => hash.toLowerCase() as `0x${string}`)
  .meta({
    description: 'Hash of the transaction.',
    parameter: { type: 'string', pattern: '^0x[0-9a-fA-F]{64}$' },
  });

/** The address comes first: a missing one is reported before other mistakes. */
export const quoteQuerySchema = z.object({
  address: addressParameter,
  tier: tierParameter,
  payWith: currency
    .default('tok')
    .meta({ description: 'The currency to pay in.', examples: ['tok', 'usdc'] }),
  market: marketParameter,
});

export const previewQuerySchema = z.object({ tier: tierParameter, market: marketParameter });

export const protocolQuerySchema = z.object({ protocolVersion: protocolParameter });

export const checkBodySchema = z
  .object({ address: addressParameter, market: marketParameter })
  .meta({ id: 'CheckRequest' });

const market = z
  .enum(markets, { error: errorMessages.MARKET_UNKNOWN })
  .optional()
  .meta({ description: 'When given, it must be the market of the id.' });

const amount = z
  .string({ error: errorMessages.TASK_AMOUNT_MALFORMED })
  .regex(/^(0|[1-9][0-9]{0,28})$/, errorMessages.TASK_AMOUNT_MALFORMED)
  .transform(BigInt)
  .refine((wei) => wei <= maxAmount, errorMessages.TASK_AMOUNT_MALFORMED)
  .meta({
    description: 'What the task pays in all, in TOK wei.',
    parameter: { type: 'string', pattern: '^(0|[1-9][0-9]{0,28})$' },
  });

export const recordBodySchema = z
  .object({
    address: addressParameter.meta({ description: 'The wallet that posted.' }),
    taskId: z
      .string({ error: errorMessages.TASK_ID_MALFORMED })
      .regex(/^v2:(standard|micro):[1-9][0-9]{0,19}$/, errorMessages.TASK_ID_MALFORMED),
    txHash,
    taskAmountTok: amount,
    market,
  })
  .meta({ id: 'RecordRequest' });

const number = z
  .string({ error: errorMessages.TASK_NUMBER_MALFORMED })
  .regex(/^[1-9][0-9]{0,77}$/, errorMessages.TASK_NUMBER_MALFORMED)
  .transform(BigInt)
  .meta({
    description: 'A task of the market standard.',
    parameter: { type: 'string', pattern: '^[1-9][0-9]{0,77}$' },
  });

/** The record body of the earlier shape, v1 (Spec 9). */
export const earlierRecordBodySchema = z
  .object({
    address: addressParameter.meta({ description: 'The wallet that posted.' }),
    taskId: number,
    txHash,
    budgetUsdc: z
      .number({ error: errorMessages.BUDGET_MALFORMED })
      .nonnegative(errorMessages.BUDGET_MALFORMED)
      .meta({ description: 'The whole amount in USDC.' }),
    market,
  })
  .meta({ id: 'EarlierRecordRequest', description: 'With protocolVersion=v1.' });

export const upgradeBodySchema = z
  .object({
    address: addressParameter.meta({ description: 'The wallet that paid.' }),
    tier: tierParameter,
    txHash,
    payWith: currency.optional().meta({ description: 'When given, it must be the currency that was paid.' }),
    market: marketParameter,
  })
  .meta({ id: 'UpgradeRequest' });
