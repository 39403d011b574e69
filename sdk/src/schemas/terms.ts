// The task terms document: what two parties negotiate, in a form that carries everything its settlement digest binds.
import * as z from 'zod';
import { scopes } from '#domain/state.ts';
import { addressSchema, hashSchema, marketSchema, timeSchema, weiSchema } from './primitives.ts';

/** In the contracts deadline and acceptBy have 64 bits; what JSON can carry exactly is less and enough. */
export const termsSchema = z
  .looseObject({
    market: marketSchema,
    chainId: z.int().positive().meta({ description: 'The chain whose registry the terms are for.' }),
    registryAddress: addressSchema,
    poster: addressSchema,
    worker: addressSchema,
    totalAmountTokWei: weiSchema,
    milestones: z
      .array(z.looseObject({ amountTokWei: weiSchema, description: z.string().optional() }))
      .max(10)
      .meta({ description: 'Two to ten amounts that add up to the total; empty for a single milestone.' }),
    milestonesHash: hashSchema,
    criteriaHash: hashSchema,
    criteriaText: z.string().optional().meta({ description: 'The text behind criteriaHash.' }),
    deadline: timeSchema,
    reviewPeriod: z
      .int()
      .min(0)
      .max(2 ** 32 - 1)
      .meta({ description: 'Seconds that the poster has to look at a delivery.' }),
    scope: z.enum(scopes),
    salt: hashSchema,
    acceptBy: timeSchema.meta({ description: 'Unix seconds; signatures under the terms end here.' }),
  })
  .meta({
    id: 'TaskTerms',
    description: 'The terms of one task; their EIP-712 digest is the settlementDigest.',
  });

export type TermsDocument = z.infer<typeof termsSchema>;
