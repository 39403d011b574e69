// Claiming through the gateway: readiness receipts, the payment challenge, and the unsigned claim
// (docs/decisions/gateway.md).

import { feeActions } from '@svc/sdk/internal/domain/state';
import {
  addressSchema,
  callSchema,
  errorSchema,
  hashSchema,
  hexSchema,
  marketSchema,
  named,
  taskIdSchema,
  timeSchema,
} from '@svc/sdk/internal/schemas/primitives';
import { market } from '@svc/sdk/internal/schemas/queries';
import { defineRoutes, jsonReply } from '@svc/sdk/internal/schemas/route';
import * as z from 'zod';

/** The header in which a claim carries its receipt. */
export const receiptHeader = 'X-Svc-Payment-Receipt';

/** Body of `POST /v1/payment-receipt`. */
export const receiptRequestSchema = z.object({
  payer: addressSchema,
  action: z.enum(feeActions),
  taskId: z
    .string()
    .optional()
    .describe('The task, or its plain number on `market`; required except for post.'),
  market: marketSchema.optional(),
});

export const receiptSchema = named(
  'Receipt',
  'Valid once, for this payer, action and task, until it expires.',
  {
    payer: addressSchema,
    action: z.enum(feeActions),
    taskId: z.union([taskIdSchema, z.literal('')]).describe('Empty for a post.'),
    registry: addressSchema,
    expiresAt: timeSchema,
    nonce: hashSchema,
    signature: hexSchema.describe('EIP-712, by the gateway’s key.'),
  },
);
export type Receipt = z.infer<typeof receiptSchema>;

export const checkSchema = named('Check', 'One condition, with the actual and the required value.', {
  id: z.string().meta({ examples: ['entry-collateral'] }),
  ok: z.boolean(),
  have: z.string(),
  need: z.string(),
  fix: z.string().nullable().describe('The prepare action that fixes it; null where none does.'),
  required: z.boolean().describe('False for a recommendation.'),
});

const readinessSchema = named(
  'Readiness',
  'Whether the action would succeed in the current state of the chain.',
  { ready: z.boolean(), checks: z.array(checkSchema) },
);
export type Readiness = z.infer<typeof readinessSchema>;

export const receiptReplySchema = named('ReceiptReply', null, {
  receipt: receiptSchema,
  header: z
    .object({ name: z.literal(receiptHeader), value: z.string() })
    .describe('The header to send with the claim.'),
  readiness: readinessSchema,
});

export const notReadySchema = named('NotReady', 'Why the action would fail, and what to do about it.', {
  ...errorSchema.shape,
  readiness: readinessSchema,
});

export const claimBodySchema = named('ClaimRequest', null, { payer: addressSchema });

const settlementSchema = named('Settlement', 'A settled payment.', {
  success: z.literal(true),
  payer: addressSchema,
  transaction: hashSchema,
  network: z.string(),
});

export const claimSchema = named(
  'Claim',
  'The unsigned call that claims the task. The gateway sends no transaction.',
  {
    taskId: taskIdSchema,
    payer: addressSchema,
    chainId: z.int(),
    calls: z.array(callSchema),
    sendCalls: z
      .object({ chain: z.string(), calls: z.array(callSchema) })
      .describe('For the tool send_calls of a wallet.'),
    eip5792: z
      .object({
        version: z.literal('2.0.0'),
        chainId: z.string(),
        from: addressSchema,
        atomicRequired: z.boolean(),
        calls: z.array(callSchema),
      })
      .describe('For wallet_sendCalls.'),
    settlementDigest: hashSchema.describe('The terms that the claim accepts.'),
    receipt: z
      .union([receiptSchema, settlementSchema])
      .describe('The receipt or the payment that authorised the claim.'),
  },
);

export const challengeSchema = named('Challenge', 'The accepted proofs: a receipt or a payment.', {
  ...errorSchema.shape,
  errorReason: z.string().optional().describe('Why a payment was refused, in a word of the x402 protocol.'),
  x402Version: z.literal(1),
  accepts: z
    .array(z.record(z.string(), z.unknown()))
    .describe(
      'x402 version 1; empty where payments are off, and on chains that only version 2 has a name for.',
    ),
  receipt: z.object({ url: z.url(), header: z.string() }).optional(),
});

export const taskParamsSchema = z.object({
  id: z.string().meta({
    description: 'The task, or its plain number.',
    parameter: { type: 'string', pattern: '^(v2:(standard|micro):)?[1-9][0-9]{0,19}$' },
    examples: ['v2:standard:3', '3'],
  }),
});

export const gatewayTaskQuerySchema = z.object({
  market: market.optional().meta({
    description: 'The market of a plain number; standard unless given.',
    examples: ['standard'],
  }),
});

/** Faults of ours in settling a payment: nothing was charged, and the same payment may be sent again. */
const paymentErrors = ['FACILITATOR_UNREACHABLE', 'FACILITATOR_UNFUNDED'] as const;

export const taskErrors = [
  'TASK_ID_MALFORMED',
  'MARKET_UNKNOWN',
  'MARKET_MISMATCH',
  'TASK_NOT_FOUND',
] as const;

const notReadyReply = jsonReply(
  'The wallet is not ready, and a payment would not help: each check names the prepare action that fixes it. A claim that the chain would refuse has no readiness.',
  notReadySchema.partial({ readiness: true }),
);

const payer = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';

const receiptRequestExample = { payer, action: 'claim', taskId: 'v2:standard:3' };

export const claimRoutes = defineRoutes('Claiming', {
  paymentReceipt: {
    path: '/v1/payment-receipt',
    operationId: 'issueReceipt',
    summary: 'A receipt for a wallet that is ready',
    description:
      'Checks on chain whether an action would succeed: deposit, fee or credits, allowance, the task. The receipt is ' +
      'signed, bound to payer, action and task, and valid once, for 300 seconds.',
    body: {
      description: 'The wallet and the action.',
      schema: receiptRequestSchema,
      example: receiptRequestExample,
    },
    reply: jsonReply('The wallet is ready.', receiptReplySchema),
    others: { 409: notReadyReply },
    isLimited: true,
    errors: [...taskErrors, 'TASK_ID_REQUIRED', 'NOT_READY_TO_ACT', 'NOT_READY', 'RATE_LIMITED'],
  },
  claim: {
    path: '/v1/tasks/:id/claim',
    operationId: 'claimTask',
    summary: 'The call that claims a task',
    description:
      'Answers 402 until the request carries a receipt (X-Svc-Payment-Receipt) or an x402 payment (PAYMENT-SIGNATURE or ' +
      'X-PAYMENT). A wallet that has paid for it gets the answer again by signing in (SIGN-IN-WITH-X). A claim that would fail answers 400, 404 or 409 first: it charges and uses up nothing.',
    params: taskParamsSchema,
    query: gatewayTaskQuerySchema,
    body: {
      description: 'The wallet that claims and pays.',
      schema: claimBodySchema,
      example: { payer },
    },
    reply: jsonReply('Unsigned calls for the payer’s wallet.', claimSchema),
    others: {
      402: jsonReply('The accepted proofs; the header holds the same in version 2 of x402.', challengeSchema),
      409: notReadyReply,
    },
    isLimited: true,
    errors: [
      ...taskErrors,
      'NOT_READY_TO_ACT',
      'CLAIM_REFUSED',
      'NOT_READY',
      'RATE_LIMITED',
      ...paymentErrors,
    ],
    samples: [{ label: 'The price', path: '/v1/tasks/3/claim', body: { payer } }],
  },
});
