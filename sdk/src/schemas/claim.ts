// The gateway's claim: what is sent, the challenge, and the answer.
import * as z from 'zod';
import { addressSchema, hashSchema, taskIdSchema } from './primitives.ts';
import { receiptSchema } from './receipt.ts';
import { callSchema } from './walletRequest.ts';

export const claimBodySchema = z.object({ payer: addressSchema }).meta({ id: 'ClaimRequest' });

const settlementSchema = z
  .object({
    success: z.literal(true),
    payer: addressSchema,
    transaction: hashSchema,
    network: z.string(),
  })
  .meta({ id: 'Settlement', description: 'A payment that was made, and where.' });

export const claimSchema = z
  .object({
    taskId: taskIdSchema,
    payer: addressSchema,
    chainId: z.int(),
    calls: z.array(callSchema),
    sendCalls: z
      .object({ chain: z.literal('base'), calls: z.array(callSchema) })
      .meta({ description: 'For a wallet tool’s send_calls.' }),
    eip5792: z
      .object({
        version: z.literal('2.0.0'),
        chainId: z.string(),
        from: addressSchema,
        atomicRequired: z.boolean(),
        calls: z.array(callSchema),
      })
      .meta({ description: 'For wallet_sendCalls.' }),
    settlementDigest: hashSchema.meta({ description: 'The terms that the claim accepts.' }),
    receipt: z.union([receiptSchema, settlementSchema]).meta({ description: 'What opened the claim.' }),
  })
  .meta({ id: 'Claim', description: 'The unsigned call that claims the task; the gateway sends nothing.' });

export const challengeSchema = z
  .object({
    error: z.string(),
    x402Version: z.literal(1),
    accepts: z.array(z.record(z.string(), z.unknown())).meta({
      description: 'x402 version 1; empty where no payments are taken.',
    }),
    receipt: z.object({ url: z.url(), header: z.string() }).optional(),
  })
  .meta({ id: 'Challenge', description: 'How to get in: by a receipt, or by a payment.' });
