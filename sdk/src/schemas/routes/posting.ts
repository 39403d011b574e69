// Routes about the daily posting quota and the plans that raise it.
import * as examples from '../examples/posting.ts';
import {
  limitReachedSchema,
  planQuoteSchema,
  quotaSchema,
  recordedQuotaSchema,
  tokPreviewSchema,
  upgradedQuotaSchema,
} from '../posting.ts';
import {
  checkBodySchema,
  earlierRecordBodySchema,
  previewQuerySchema,
  protocolQuerySchema,
  quoteQuerySchema,
  recordBodySchema,
  upgradeBodySchema,
} from '../postingRequests.ts';
import { noQuerySchema, walletQuerySchema } from '../requests.ts';
import { bodyErrors, json, type Route, unreadyErrors, walletErrors } from '../route.ts';

const visitor = '0x8626f6940E2eb28930eFb4CeF49B2d1F2C9C1199';

const limitReached = {
  description: 'Daily posting limit reached',
  contentType: json,
  schema: limitReachedSchema,
  example: examples.limitReached,
};

export const postingRoutes = {
  quota: {
    path: '/api/posting/quota',
    operationId: 'getQuota',
    tag: 'Posting',
    summary: 'What a wallet may still post today',
    description:
      'Counted by market and wallet, from 00:00 to 00:00 UTC: the tasks that the chain shows, and recorded posts that it ' +
      'does not show yet. The market’s contracts do not know this limit; it is a rule of this service.',
    query: walletQuerySchema,
    reply: {
      description: 'The quota.',
      contentType: json,
      schema: quotaSchema,
      example: examples.quota,
    },
    isConditional: false,
    isLimited: true,
    errors: [...walletErrors, 'MARKET_UNKNOWN', ...unreadyErrors],
    samples: [{ label: 'A wallet on standard', path: `/api/posting/quota?address=${visitor}` }],
  },
  check: {
    path: '/api/posting/check',
    operationId: 'checkPosting',
    tag: 'Posting',
    summary: 'Assert that a wallet may post',
    description: 'The quota when there is room in it, a refusal with the quota when there is none.',
    query: noQuerySchema,
    body: { description: 'Who, and where.', schema: checkBodySchema, example: examples.checkRequest },
    reply: {
      description: 'The wallet may post.',
      contentType: json,
      schema: quotaSchema,
      example: examples.quota,
    },
    limitReached,
    isConditional: false,
    isLimited: true,
    errors: [...bodyErrors, ...walletErrors, 'MARKET_UNKNOWN', ...unreadyErrors],
    samples: [{ label: 'Before a post', path: '/api/posting/check', body: examples.checkRequest }],
  },
  record: {
    path: '/api/posting/record',
    operationId: 'recordPost',
    tag: 'Posting',
    summary: 'Tell of a post',
    description:
      'The transaction is looked up on the chain. When it is this post, it counts, as it would have without a word; when ' +
      'it is not, nothing counts. When the chain has not shown it yet, it counts as pending until it is shown, for five ' +
      'minutes at most. The same again changes nothing.',
    query: protocolQuerySchema,
    body: {
      description: 'The post and its transaction.',
      schema: recordBodySchema,
      earlier: earlierRecordBodySchema,
      example: examples.recordRequest,
    },
    reply: {
      description: 'The post counts.',
      contentType: json,
      schema: recordedQuotaSchema,
      example: examples.recordedQuota,
    },
    limitReached,
    isConditional: false,
    isLimited: true,
    errors: [
      ...bodyErrors,
      ...walletErrors,
      'TASK_ID_MALFORMED',
      'TASK_NUMBER_MALFORMED',
      'TX_HASH_MALFORMED',
      'TASK_AMOUNT_MALFORMED',
      'BUDGET_MALFORMED',
      'MARKET_UNKNOWN',
      'MARKET_MISMATCH',
      'PROTOCOL_UNKNOWN',
      'MARKET_NOT_IN_V1',
      'POST_MISMATCH',
      'POST_UNSEEN',
      ...unreadyErrors,
    ],
    samples: [{ label: 'After a post', path: '/api/posting/record', body: examples.recordRequest }],
  },
  quote: {
    path: '/api/posting/quote',
    operationId: 'getPlanQuote',
    tag: 'Posting',
    summary: 'What a plan costs, and the calls that pay it',
    description:
      'Valid for ten minutes. The calls are unsigned; whoever sends them from its wallet pays at most `amountWei`, ' +
      'whatever happens to the price meanwhile.',
    query: quoteQuerySchema,
    reply: {
      description: 'The quote.',
      contentType: json,
      schema: planQuoteSchema,
      example: examples.planQuote,
    },
    isConditional: false,
    errors: [
      ...walletErrors,
      'TIER_UNKNOWN',
      'TIER_FREE',
      'PAY_WITH_UNKNOWN',
      'MARKET_UNKNOWN',
      'TOK_NOT_ALLOWED',
      'NOT_READY',
    ],
    samples: [
      { label: 'In TOK', path: `/api/posting/quote?address=${visitor}&tier=basic` },
      { label: 'In USDC', path: `/api/posting/quote?address=${visitor}&tier=basic&payWith=usdc` },
    ],
  },
  tokPreview: {
    path: '/api/posting/tok-preview',
    operationId: 'getTokPreview',
    tag: 'Posting',
    summary: 'What a plan costs in TOK',
    description: 'Without a good price of TOK `tokAllowed` is false, and `reason` says so.',
    query: previewQuerySchema,
    reply: {
      description: 'The price.',
      contentType: json,
      schema: tokPreviewSchema,
      example: examples.tokPreview,
    },
    isConditional: false,
    errors: ['TIER_UNKNOWN', 'MARKET_UNKNOWN', 'NOT_READY'],
    samples: [{ label: 'The plan basic', path: '/api/posting/tok-preview?tier=basic' }],
  },
  upgrade: {
    path: '/api/posting/upgrade',
    operationId: 'upgradePlan',
    tag: 'Posting',
    summary: 'Use a payment for a plan',
    description:
      'The payment proves itself by its `PlanPurchased` event and works once, for ever, for the wallet that paid, on the ' +
      'market it was paid on: 30 days from its block; the same plan again adds 30 days. The same request again changes ' +
      'nothing.',
    query: protocolQuerySchema,
    body: {
      description: 'The plan and the transaction that paid it.',
      schema: upgradeBodySchema,
      example: examples.upgradeRequest,
    },
    reply: {
      description: 'The plan is in force.',
      contentType: json,
      schema: upgradedQuotaSchema,
      example: examples.upgradedQuota,
    },
    isConditional: false,
    isLimited: true,
    errors: [
      ...bodyErrors,
      ...walletErrors,
      'TIER_UNKNOWN',
      'TIER_FREE',
      'TX_HASH_MALFORMED',
      'PAY_WITH_UNKNOWN',
      'MARKET_UNKNOWN',
      'PROTOCOL_UNKNOWN',
      'MARKET_NOT_IN_V1',
      'PAYMENT_UNSEEN',
      'PAYMENT_UNCONFIRMED',
      'PAYMENT_MISMATCH',
      'PAYMENT_ENDED',
      'PAYMENT_USED',
      ...unreadyErrors,
    ],
    samples: [{ label: 'After a payment', path: '/api/posting/upgrade', body: examples.upgradeRequest }],
  },
} as const satisfies Record<string, Route>;
