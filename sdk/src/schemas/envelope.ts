// The negotiation envelope (Spec 2) and the form in which it travels.
import * as z from 'zod';
import { addressSchema, hashSchema } from './primitives.ts';

export const schemaVersion = 'svc-xmtp-v1';

/** Exactly the fields of the specification; a type that nobody knows yet is no mistake. */
export const envelopeSchema = z
  .strictObject({
    schemaVersion: z.literal(schemaVersion),
    type: z.string().min(1),
    negotiationId: z.uuid(),
    taskId: z.string().optional(),
    sequence: z.int().min(1),
    previousHash: hashSchema,
    timestamp: z.iso.datetime({ offset: true }),
    sender: z.strictObject({ evmAddress: addressSchema, xmtpPublicKey: z.string() }),
    payload: z.looseObject({}),
  })
  .meta({ description: 'One message of a negotiation, chained to the one before.' });

/** Hexadecimal in lower case only: a signed envelope has one spelling, so any changed byte is seen. */
export const signedEnvelopeSchema = z
  .strictObject({
    envelope: envelopeSchema,
    hash: z
      .string()
      .regex(/^0x[0-9a-f]{64}$/)
      .meta({ description: 'keccak256 of the envelope in the form of RFC 8785.' }),
    signature: z
      .string()
      .regex(/^0x([0-9a-f]{2})+$/)
      .meta({ description: 'EIP-712, by sender.evmAddress, over hash, negotiationId and sequence.' }),
  })
  .meta({ description: 'What travels: the envelope, its hash and its sender’s signature.' });

export type Envelope = z.infer<typeof envelopeSchema>;
