// The daily posting quota and its routes (docs/specification.md section 2, quota object; docs/decisions/posting.md).
import * as z from 'zod';
import { maxAmount } from '../domain/amount.ts';
import {
  addressSchema,
  errorSchema,
  marketSchema,
  named,
  refuse,
  taskIdPattern,
  timeSchema,
} from './primitives.ts';
import {
  addressParameter,
  marketParameter,
  protocolParameter,
  sameMarketParameter,
  walletQuerySchema,
} from './queries.ts';
import { defineRoutes, jsonReply, unreadyErrors } from './route.ts';

export const quotaSchema = named('Quota', 'What a wallet may still post today on one market.', {
  tier: z.string().meta({ description: 'The plan in force.', examples: ['free'] }),
  used: z.int().nonnegative().describe('Posts of this UTC day, pending ones included.'),
  limit: z.int().nonnegative().describe('Posts a day that the plan allows.'),
  canPost: z.boolean(),
  market: marketSchema,
  address: addressSchema,
  pending: z
    .int()
    .nonnegative()
    .describe('Recorded posts that are not on the chain yet; each counts for up to five minutes.'),
  remaining: z.int().nonnegative(),
  resetsAt: timeSchema.describe('The next 00:00 UTC.'),
  tierExpiresAt: timeSchema.nullable().describe('When the plan ends; null for the free one.'),
});

export const recordedQuotaSchema = named('RecordedQuota', null, {
  ...quotaSchema.shape,
  recorded: z.literal(true),
  status: z
    .enum(['confirmed', 'pending'])
    .describe('confirmed: the post is on the chain. pending: it is not there yet.'),
});

export const limitReachedSchema = named('LimitReached', 'An error, with the quota that is used up.', {
  ...errorSchema.shape,
  quota: quotaSchema,
});

export const txHashParameter = z
  .string(refuse('TX_HASH_MALFORMED'))
  .regex(/^0x[0-9a-fA-F]{64}$/, refuse('TX_HASH_MALFORMED'))
  .transform((hash) => hash.toLowerCase() as `0x${string}`)
  .meta({
    description: 'Hash of the transaction.',
    parameter: { type: 'string', pattern: '^0x[0-9a-fA-F]{64}$' },
  });

export const protocolQuerySchema = z.object({ protocolVersion: protocolParameter });

const poster = addressParameter.describe('The wallet that posted.');

const recordBodySchema = named('RecordRequest', null, {
  address: poster,
  taskId: z.string(refuse('TASK_ID_MALFORMED')).regex(taskIdPattern, refuse('TASK_ID_MALFORMED')),
  txHash: txHashParameter,
  taskAmountTok: z
    .string(refuse('TASK_AMOUNT_MALFORMED'))
    .regex(/^(0|[1-9][0-9]{0,28})$/, refuse('TASK_AMOUNT_MALFORMED'))
    .transform(BigInt)
    .refine((wei) => wei <= maxAmount, refuse('TASK_AMOUNT_MALFORMED'))
    .meta({
      description: 'The whole amount that the task pays: wei of TOK, although the name has no Wei.',
      parameter: { type: 'string', pattern: '^(0|[1-9][0-9]{0,28})$' },
    }),
  market: sameMarketParameter,
});

/** The record body of the earlier shape, v1 (docs/specification.md section 9). */
const earlierRecordBodySchema = named('EarlierRecordRequest', 'With protocolVersion=v1.', {
  address: poster,
  taskId: z
    .string(refuse('TASK_NUMBER_MALFORMED'))
    .regex(/^[1-9][0-9]{0,77}$/, refuse('TASK_NUMBER_MALFORMED'))
    .transform(BigInt)
    .refine((number) => number < 2n ** 256n, refuse('TASK_NUMBER_MALFORMED'))
    .meta({
      description: 'A task of the market standard.',
      parameter: { type: 'string', pattern: '^[1-9][0-9]{0,77}$' },
    }),
  txHash: txHashParameter,
  budgetUsdc: z
    .number(refuse('BUDGET_MALFORMED'))
    .nonnegative(refuse('BUDGET_MALFORMED'))
    .describe('The whole amount in USDC.'),
  market: sameMarketParameter,
});

export const exampleWallet = '0x8626f6940E2eb28930eFb4CeF49B2d1F2C9C1199';
export const exampleTxHash = '0x5f7a1d0c3b9e8d2a6c4f0b1e7d9a3c5e8f2b4d6a0c1e3f5a7b9d8c6e4f2a0b1c';

const checkExample = { address: exampleWallet, market: 'standard' };

const recordExample = {
  address: exampleWallet,
  taskId: 'v2:standard:57',
  txHash: exampleTxHash,
  taskAmountTok: '1000000000000000000000',
  market: 'standard',
};

const limitReached = jsonReply('Daily posting limit reached', limitReachedSchema);

export const quotaRoutes = defineRoutes('Posting', {
  quota: {
    path: '/api/posting/quota',
    operationId: 'getQuota',
    summary: 'What a wallet may still post today',
    description:
      'Counted by market and wallet, from 00:00 to 00:00 UTC: tasks on the chain, and recorded posts that the mempool ' +
      'shows or that this client has recorded. This limit is a rule of this service; the market’s contracts do not know it.',
    query: walletQuerySchema,
    reply: jsonReply('The quota.', quotaSchema),
    isLimited: true,
    errors: unreadyErrors,
    samples: [{ label: 'A wallet on standard', path: `/api/posting/quota?address=${exampleWallet}` }],
  },
  check: {
    path: '/api/posting/check',
    operationId: 'checkPosting',
    summary: 'Assert that a wallet may post',
    description: 'Returns the quota, or an error with the quota when it is used up.',
    body: {
      description: 'The wallet and the market.',
      schema: named('CheckRequest', null, { address: addressParameter, market: marketParameter }),
      example: checkExample,
    },
    reply: jsonReply('The wallet may post.', quotaSchema),
    others: { 429: limitReached },
    isLimited: true,
    errors: unreadyErrors,
  },
  record: {
    path: '/api/posting/record',
    operationId: 'recordPost',
    summary: 'Report a post',
    description:
      'Looks the transaction up on the chain. A transaction that is this post counts, as it would without a report; any ' +
      'other transaction does not count. A transaction that is not on the chain yet is pending for up to five minutes: it ' +
      'counts if the mempool shows it as a post of this wallet, and otherwise in the answers to this client only. ' +
      'Repeating a report changes nothing.',
    query: protocolQuerySchema,
    body: {
      description: 'The post and its transaction.',
      schema: recordBodySchema,
      earlier: earlierRecordBodySchema,
      example: recordExample,
    },
    reply: jsonReply('The post counts.', recordedQuotaSchema),
    others: { 429: limitReached },
    isLimited: true,
    mayRepeat: true,
    errors: [
      'MARKET_MISMATCH',
      'MARKET_NOT_IN_V1',
      'POST_MISMATCH',
      'POST_UNSEEN',
      'RATE_LIMITED',
      ...unreadyErrors,
    ],
  },
});
