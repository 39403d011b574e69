// A wallet request: calls or typed data that wait for a wallet's owner (docs/decisions.md#gateway, wallet requests).
import * as z from 'zod';
import { addressSchema, hashSchema, timeSchema } from './primitives.ts';

export const hexSchema = z
  .string()
  .regex(/^0x([0-9a-fA-F]{2})*$/)
  .meta({ id: 'Hex', description: 'Bytes in hexadecimal.' });

export const callSchema = z
  .object({
    to: addressSchema,
    value: z
      .string()
      .regex(/^0x[0-9a-f]{1,64}$/)
      .meta({ description: 'Wei of the chain’s coin, hexadecimal.', examples: ['0x0'] }),
    data: hexSchema,
  })
  .meta({ id: 'Call', description: 'One unsigned call.' });

export const stepSchema = z
  .object({
    summary: z.string().meta({ description: 'What the call does, in words.' }),
    contract: z.string(),
    function: z.string(),
    args: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'Step', description: 'What one call means, in the order of calls.' });

/** Pending until its owner decides; submitted once a transaction is named; settled when its receipt proves it. */
export const requestStatuses = ['pending', 'submitted', 'settled', 'rejected', 'failed', 'expired'] as const;

const maxCalls = 16;
const quantitySchema = z.string().regex(/^[0-9]{1,78}$/);

/** Body of `POST /v1/requests`: calls to send, or typed data to sign. */
export const createRequestSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('calls'),
    action: z.string().min(1).max(64).meta({ description: 'The prepare action it came from.' }),
    summary: z.string().min(1).max(500),
    chainId: z.literal(8453),
    from: addressSchema,
    calls: z.array(callSchema).min(1).max(maxCalls),
    steps: z.array(stepSchema).max(maxCalls).default([]),
    estimatedGas: quantitySchema.optional().meta({ description: 'Units of gas for all calls together.' }),
    estimatedGasCostWei: quantitySchema
      .optional()
      .meta({ description: 'Wei of the chain’s coin, at the base fee when it was prepared.' }),
  }),
  z.object({
    kind: z.literal('signature'),
    action: z.string().min(1).max(64),
    summary: z.string().min(1).max(500),
    chainId: z.literal(8453),
    from: addressSchema,
    typedData: z.record(z.string(), z.unknown()),
  }),
]);

/** Answer of `POST /v1/requests`. */
export const createdRequestSchema = z.object({
  requestId: z.string(),
  approvalUrl: z.url(),
  status: z.enum(requestStatuses),
});

/** Body of `POST /v1/requests/:id/result`, sent by the page on which the owner decided. */
export const requestResultSchema = z.discriminatedUnion('status', [
  z.object({ status: z.literal('rejected') }),
  z
    .object({ status: z.literal('sending'), transactionHashes: z.array(hashSchema).min(1).max(maxCalls) })
    .meta({
      description:
        'The first of several calls are sent, the next still waits for its owner: whoever goes on starts there.',
    }),
  z.object({ status: z.literal('submitted'), transactionHashes: z.array(hashSchema).min(1).max(maxCalls) }),
  z.object({ status: z.literal('signed'), signature: hexSchema }),
]);

/** Answer of `GET /v1/requests/:id`: the request as it was made, and what became of it. */
export const walletRequestSchema = z.object({
  requestId: z.string(),
  approvalUrl: z.url(),
  status: z.enum(requestStatuses),
  request: createRequestSchema,
  transactionHashes: z.array(hashSchema),
  signature: hexSchema.nullable(),
  error: z.string().nullable().meta({ description: 'Why it failed, in words.' }),
  createdAt: timeSchema,
  expiresAt: timeSchema,
  updatedAt: timeSchema,
});

export type CreateRequest = z.infer<typeof createRequestSchema>;
export type RequestResult = z.infer<typeof requestResultSchema>;
export type RequestStatus = (typeof requestStatuses)[number];
export type WalletRequest = z.infer<typeof walletRequestSchema>;
