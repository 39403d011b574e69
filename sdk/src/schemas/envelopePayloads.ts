// What each of the fifteen kinds of message carries: strict in what is required, open to more fields.
import * as z from 'zod';
import { addressSchema, hashSchema, timeSchema, weiSchema } from './primitives.ts';
import { termsSchema } from './terms.ts';

const text = z.string().min(1);
const signatureSchema = z
  .string()
  .regex(/^0x([0-9a-fA-F]{2})+$/)
  .meta({ id: 'Signature', description: 'A signature in hexadecimal; smart wallets make longer ones.' });
const milestoneSchema = z
  .int()
  .min(0)
  .max(9)
  .meta({ id: 'MilestoneIndex', description: 'Counted from 0, as on chain.' });

const offerShape = {
  terms: termsSchema,
  settlementDigest: hashSchema,
  expiresAt: timeSchema.meta({ description: 'Unix seconds until which the offer may be accepted.' }),
  rationale: z.string().optional(),
};

export const payloadSchemas = {
  TaskProposal: z.looseObject(offerShape).meta({ description: 'The first offer of a negotiation.' }),
  TaskAcceptance: z
    .looseObject({ settlementDigest: hashSchema, signature: signatureSchema, terms: termsSchema.optional() })
    .meta({ description: 'The signature of one party under the terms with this digest.' }),
  TaskCounterOffer: z
    .looseObject(offerShape)
    .meta({ description: 'Other terms, which take the place of the offer before.' }),
  DeliveryNotice: z
    .looseObject({
      milestone: milestoneSchema,
      proofHash: hashSchema,
      uri: text.optional(),
      artifacts: z.array(z.looseObject({})).optional(),
    })
    .meta({ description: 'Work was delivered; proofHash is that of submit-proof.' }),
  AcceptDelivery: z
    .looseObject({ milestone: milestoneSchema, proofHash: hashSchema })
    .meta({ description: 'The poster is content with what was delivered.' }),
  DisputeEvidence: z
    .looseObject({
      claim: z.enum(['non_delivery', 'quality', 'scope', 'payment', 'other']),
      evidenceHashes: z.array(hashSchema),
      statement: text.optional(),
    })
    .meta({ description: 'What one party puts before an arbitrator.' }),
  ArbitratorProposal: z
    .looseObject({ arbitrator: addressSchema, rationale: z.string().optional() })
    .meta({ description: 'An arbitrator whom both could name on chain.' }),
  MilestoneDefinition: z
    .looseObject({
      milestones: z.array(z.looseObject({ amountTokWei: weiSchema, description: text })).min(1),
    })
    .meta({ description: 'What each milestone is to bring.' }),
  RevisionRequest: z
    .looseObject({ milestone: milestoneSchema, requestedChanges: text })
    .meta({ description: 'What is missing from a delivery.' }),
  PaymentRequest: z
    .looseObject({ milestone: milestoneSchema, amountTokWei: weiSchema })
    .meta({ description: 'The worker asks for a milestone to be paid.' }),
  CapabilityProof: z
    .looseObject({ capability: text, evidence: z.array(z.union([text, z.looseObject({})])).min(1) })
    .meta({ description: 'Why the sender can do the work.' }),
  MutualCancel: z
    .looseObject({
      workerBps: z.int().min(0).max(10_000),
      validUntil: timeSchema,
      signature: signatureSchema,
    })
    .meta({ description: 'The signed MutualSettlement of the contracts: an end that both agree on.' }),
  ReplacementContext: z
    .looseObject({
      priorWorker: addressSchema,
      remainingMilestones: z.array(milestoneSchema),
      handoffUri: text.optional(),
    })
    .meta({ description: 'What a next worker needs to know.' }),
  SupervisorVeto: z
    .looseObject({
      supervisor: addressSchema,
      reason: text,
      withdrawn: z.boolean().optional().meta({ description: 'True takes an earlier veto back.' }),
    })
    .meta({ description: 'The supervisor of the sender forbids to accept anything.' }),
  IdentityLink: z
    .looseObject({
      xmtpPublicKey: text,
      evmAddress: addressSchema,
      signature: signatureSchema,
      issuedAt: timeSchema,
    })
    .meta({ description: 'The wallet at evmAddress says that this XMTP key is its own.' }),
} as const satisfies Record<string, z.ZodObject>;

export type MessageType = keyof typeof payloadSchemas;
export type Payload<Type extends MessageType> = z.infer<(typeof payloadSchemas)[Type]>;

export const messageTypes = Object.keys(payloadSchemas) as readonly MessageType[];

export function isMessageType(type: string): type is MessageType {
  return Object.hasOwn(payloadSchemas, type);
}
