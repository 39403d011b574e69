// x402 payments, versions 1 and 2: the scheme exact with USDC (EIP-3009).

import { addressSchema, hashSchema, hexSchema } from '@svc/sdk/internal/schemas/primitives';
import * as z from 'zod';

const amountSchema = z.string().regex(/^[0-9]{1,40}$/);

const exactSchema = z.object({
  signature: hexSchema,
  authorization: z.object({
    from: addressSchema,
    to: addressSchema,
    value: amountSchema,
    validAfter: amountSchema,
    validBefore: amountSchema,
    nonce: hashSchema,
  }),
});

/** What version 2 asks for, and what a payment says that it accepts. */
export const acceptedSchema = z.looseObject({
  scheme: z.literal('exact'),
  network: z.string(),
  asset: addressSchema,
  amount: amountSchema,
  payTo: addressSchema,
});

const paymentV2Schema = z.looseObject({
  x402Version: z.literal(2),
  accepted: acceptedSchema,
  payload: exactSchema,
});

const paymentV1Schema = z.looseObject({
  x402Version: z.literal(1),
  scheme: z.literal('exact'),
  network: z.string(),
  payload: exactSchema,
});

/** The content of the headers PAYMENT-SIGNATURE (version 2) and X-PAYMENT (version 1). */
export const paymentSchema = z.discriminatedUnion('x402Version', [paymentV1Schema, paymentV2Schema]);
export type Payment = z.infer<typeof paymentSchema>;
