// The terms that two parties negotiate: every value that the settlement digest covers, and the digest itself.
import * as z from 'zod';
import { scopes } from '../domain/state.ts';
import { addressSchema, hashSchema, marketSchema, timeSchema, weiSchema } from './primitives.ts';

/**
 * Strict: a word that the digest does not cover could be changed after the signature. Words belong in the task document.
 * deadline and acceptBy have 64 bits in the contracts; the integers that JSON carries exactly are enough.
 */
export const termsSchema = z
  .strictObject({
    market: marketSchema,
    chainId: z.int().positive().describe('The chain whose registry the terms are for.'),
    registryAddress: addressSchema,
    poster: addressSchema,
    worker: addressSchema,
    totalAmountTokWei: weiSchema,
    milestones: z
      .array(z.strictObject({ amountTokWei: weiSchema }))
      .max(10)
      .describe('Two to ten amounts that add up to the total; empty for a single milestone.'),
    milestonesHash: hashSchema,
    criteriaHash: hashSchema.describe('The hash of the task document (svc-task-v1).'),
    deadline: timeSchema,
    reviewPeriod: z
      .int()
      .min(0)
      .max(2 ** 32 - 1)
      .describe('Seconds the poster has to review a delivery.'),
    scope: z.enum(scopes),
    salt: hashSchema,
    acceptBy: timeSchema.describe('Unix seconds until which signatures under the terms are valid.'),
    settlementDigest: hashSchema
      .optional()
      .describe('The EIP-712 digest of the fields above. Where it is given, it must be theirs.'),
  })
  .meta({
    id: 'TaskTerms',
    description: 'The terms of one task, and their EIP-712 digest.',
  });

export type TermsDocument = z.infer<typeof termsSchema>;
