// Readiness receipts: a wallet's readiness for an action, checked on chain and signed by the gateway.
import * as z from 'zod';
import { addressSchema, hashSchema, marketSchema, taskIdSchema, timeSchema } from './primitives.ts';
import { hexSchema } from './walletRequest.ts';

export const receiptHeader = 'X-Svc-Payment-Receipt';

export const receiptActions = ['post', 'claim', 'dismiss', 'leave'] as const;
export type ReceiptAction = (typeof receiptActions)[number];

/** Body of `POST /v1/payment-receipt`. */
export const receiptRequestSchema = z.object({
  payer: addressSchema,
  action: z.enum(receiptActions),
  taskId: z
    .string()
    .optional()
    .meta({ description: 'The task, or its plain number on `market`; needed for all but post.' }),
  market: marketSchema.optional(),
});

export const receiptSchema = z
  .object({
    payer: addressSchema,
    action: z.enum(receiptActions),
    taskId: z.union([taskIdSchema, z.literal('')]).meta({ description: 'Empty for a post.' }),
    registry: addressSchema,
    expiresAt: timeSchema,
    nonce: hashSchema,
    signature: hexSchema.meta({ description: 'EIP-712, by the gateway’s key.' }),
  })
  .meta({ id: 'Receipt', description: 'Good once, for this payer, action and task, until it expires.' });
export type Receipt = z.infer<typeof receiptSchema>;

export const checkSchema = z
  .object({
    id: z.string().meta({ examples: ['entry-collateral'] }),
    ok: z.boolean(),
    have: z.string(),
    need: z.string(),
    fix: z.string().nullable().meta({ description: 'The prepare action that helps; null where none does.' }),
    required: z.boolean().meta({ description: 'False for what is only wise.' }),
  })
  .meta({ id: 'Check', description: 'One condition, with what there is and what is needed.' });

export const readinessSchema = z
  .object({ ready: z.boolean(), checks: z.array(checkSchema) })
  .meta({ id: 'Readiness', description: 'Whether the action would succeed, as the chain stands.' });
export type Readiness = z.infer<typeof readinessSchema>;

export const receiptReplySchema = z
  .object({
    receipt: receiptSchema,
    header: z
      .object({ name: z.literal(receiptHeader), value: z.string() })
      .meta({ description: 'What to send with the claim.' }),
    readiness: readinessSchema,
  })
  .meta({ id: 'ReceiptReply' });

export const notReadySchema = z
  .object({ error: z.string(), readiness: readinessSchema })
  .meta({ id: 'NotReady', description: 'Why the action would fail, and what to do about it.' });
