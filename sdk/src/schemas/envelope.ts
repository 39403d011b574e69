// The negotiation envelope (docs/specification.md section 2), the signed form that is sent, and the payload of each
// message type.
import * as z from 'zod';
import {
  artifactSchema,
  deliveryDocumentSchema,
  evidenceDocumentSchema,
  sha256Schema,
  taskDocumentSchema,
  workDocumentSchema,
} from './documents.ts';
import { addressSchema, asHex, hashSchema, timeSchema, weiSchema } from './primitives.ts';
import { termsSchema } from './terms.ts';

export const schemaVersion = 'svc-xmtp-v1';

/** Exactly the fields of the specification. An unknown type is valid, so that new types can be added. */
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
  .describe('One message of a negotiation, linked to the previous one.');

/** Hexadecimal in lower case only: a signed envelope has one spelling, so that any changed byte is detected. */
export const signedEnvelopeSchema = z
  .strictObject({
    envelope: envelopeSchema,
    hash: asHex(z.string().regex(/^0x[0-9a-f]{64}$/)).describe(
      'keccak256 of the envelope in the form of RFC 8785.',
    ),
    signature: asHex(z.string().regex(/^0x([0-9a-f]{2})+$/)).describe(
      'EIP-712, by sender.evmAddress, over hash, negotiationId and sequence.',
    ),
  })
  .describe('The form that is sent: the envelope, its hash and its sender’s signature.');

export type Envelope = z.infer<typeof envelopeSchema>;

const text = z.string().min(1);
const signatureSchema = asHex(z.string().regex(/^0x([0-9a-fA-F]{2})+$/)).meta({
  id: 'Signature',
  description: 'A signature in hexadecimal; signatures of smart wallets are longer.',
});
const milestoneSchema = z
  .int()
  .min(0)
  .max(9)
  .meta({ id: 'MilestoneIndex', description: 'Counted from 0, as on chain.' });

export const fileKeysSchema = z
  .record(sha256Schema, z.string().regex(/^0x[0-9a-f]{64}$/))
  .meta({ id: 'FileKeys', description: 'Keys of sealed files, by the SHA-256 of the sealed bytes.' });

const documentsSchema = z
  .array(workDocumentSchema)
  .max(64)
  .describe(
    'Documents of a private task for its judge, or of its judge for the parties. The hash on chain says which count.',
  );

const offerShape = {
  terms: termsSchema,
  settlementDigest: hashSchema,
  document: taskDocumentSchema.describe('The words of the task; terms.criteriaHash is their hash.'),
  keys: fileKeysSchema.optional(),
  expiresAt: timeSchema.describe('The same as terms.acceptBy; the clock of the chain decides.'),
  rationale: z.string().optional(),
  about: z.string().optional().describe('The id of the listing that a proposal is about.'),
};

const milestoneWordsSchema = z.looseObject({ amountTokWei: weiSchema, description: text });

/** Required fields are checked, more fields are allowed: readers take what a later version writes. */
function payload<Shape extends z.core.$ZodLooseShape>(description: string, shape: Shape) {
  return z.looseObject(shape).describe(description);
}

/** The payload of each message type. */
export const payloadSchemas = {
  TaskProposal: payload('The first offer of a negotiation.', offerShape),
  TaskAcceptance: payload(
    'The signature of one party under the terms with this digest. It counts for the last offer only.',
    {
      offerHash: hashSchema.describe('The hash of the envelope with the offer that is accepted.'),
      settlementDigest: hashSchema,
      signature: signatureSchema,
      terms: termsSchema.optional(),
    },
  ),
  TaskCounterOffer: payload('Other terms, which replace the previous offer.', offerShape),
  DeliveryNotice: payload('Work was delivered; proofHash is that of submit-proof.', {
    milestone: milestoneSchema,
    proofHash: hashSchema,
    uri: text.optional(),
    artifacts: z.array(artifactSchema).max(100).optional(),
    document: deliveryDocumentSchema
      .optional()
      .describe('The document with the hash proofHash; required where the task is private.'),
    keys: fileKeysSchema.optional(),
  }),
  AcceptDelivery: payload('The poster accepts the delivery.', {
    milestone: milestoneSchema,
    proofHash: hashSchema,
  }),
  DisputeEvidence: payload('Evidence of one party for an arbitrator.', {
    claim: z.enum(['non_delivery', 'quality', 'scope', 'payment', 'other']),
    evidenceHashes: z.array(hashSchema),
    statement: text.optional(),
    document: evidenceDocumentSchema
      .optional()
      .describe('A document whose hash is among evidenceHashes; required where the task is private.'),
    documents: documentsSchema.optional(),
    keys: fileKeysSchema.optional(),
  }),
  ArbitratorProposal: payload('An arbitrator whom both parties could name on chain.', {
    arbitrator: addressSchema,
    rationale: z.string().optional(),
  }),
  MilestoneDefinition: payload('The result of each milestone.', {
    milestones: z.array(milestoneWordsSchema).min(1),
  }),
  RevisionRequest: payload(
    'Changes that a delivery needs. The contracts know nothing of it: the review period runs on, and at its end the delivery counts as accepted.',
    { milestone: milestoneSchema, requestedChanges: text },
  ),
  PaymentRequest: payload('The worker asks for a milestone to be paid.', {
    milestone: milestoneSchema,
    amountTokWei: weiSchema,
  }),
  CapabilityProof: payload('Why the sender can do the work.', {
    capability: text,
    evidence: z.array(z.union([text, z.looseObject({})])).min(1),
  }),
  MutualCancel: payload(
    'The signed MutualSettlement of the contracts: a settlement that both parties agree on.',
    {
      workerBps: z.int().min(0).max(10_000),
      validUntil: timeSchema,
      signature: signatureSchema,
    },
  ),
  ReplacementContext: payload('Information for the next worker.', {
    priorWorker: addressSchema,
    remainingMilestones: z.array(milestoneSchema),
    handoffUri: text.optional(),
  }),
  SupervisorVeto: payload('The supervisor of the sender forbids any acceptance.', {
    supervisor: addressSchema,
    reason: text,
    withdrawn: z.boolean().optional().describe('True withdraws an earlier veto.'),
  }),
  IdentityLink: payload('The wallet at evmAddress confirms that this XMTP key is its own.', {
    xmtpPublicKey: text,
    evmAddress: addressSchema,
    signature: signatureSchema,
    issuedAt: timeSchema,
  }),
  Note: payload('A question or an answer in plain words. It changes nothing that is offered or agreed.', {
    text,
    artifacts: z.array(artifactSchema).max(100).optional(),
    documents: documentsSchema.optional(),
    keys: fileKeysSchema.optional(),
    about: z.string().optional().describe('The id of the task or listing that a question is about.'),
    withdraws: hashSchema
      .optional()
      .describe(
        'The hash of an own offer that no longer stands. Pages and tools respect it; the contracts accept a signature until acceptBy.',
      ),
    declines: hashSchema.optional().describe('The hash of a message that the sender says no to.'),
    chooses: hashSchema
      .optional()
      .describe(
        'The hash of an unsigned offer that the sender wants to accept: its sender is asked to sign.',
      ),
  }),
} as const satisfies Record<string, z.ZodObject>;

export type MessageType = keyof typeof payloadSchemas;
export type Payload<Type extends MessageType> = z.infer<(typeof payloadSchemas)[Type]>;

const hasCriteria = ({ criteria }: { readonly criteria: string }) => criteria.trim() !== '';

/**
 * The payload as this version writes it, stricter than what it reads: nothing that has no name above, because nobody would act on
 * it, and no offer without criteria, because no judge could decide by it.
 */
export function writtenPayload(type: MessageType): z.ZodObject {
  const { milestones, document, ...shape } = payloadSchemas[type].shape as z.core.$ZodLooseShape;
  const isOffer = type === 'TaskProposal' || type === 'TaskCounterOffer';
  const words = taskDocumentSchema.refine(hasCriteria, {
    path: ['criteria'],
    error: 'must say what is accepted',
  });
  return z.strictObject({
    ...shape,
    ...(milestones && { milestones: z.array(milestoneWordsSchema.strict()).min(1) }),
    ...(document && { document: isOffer ? words : document }),
    to: addressSchema.optional(),
  });
}

/** The message types that this version knows. */
export const messageTypes = Object.keys(payloadSchemas) as readonly MessageType[];

/** Whether this version knows the message type; an envelope of another type is valid as well. */
export function isMessageType(type: string): type is MessageType {
  return Object.hasOwn(payloadSchemas, type);
}
