// The offer of a message: its fields as a model gives them, and the payload that they make.
import { catalog, prepareAction } from '@svc/sdk/actions';
import type { Listing } from '@svc/sdk/client';
import type { Artifact } from '@svc/sdk/documents';
import { type Address, SvcError } from '@svc/sdk/domain';
import { privateMeans } from '@svc/sdk/internal/domain/state';
import { pickKeys } from '@svc/sdk/internal/negotiation/judgeDisclosure';
import {
  changeOffer,
  type Offer,
  type OfferFields,
  readNegotiation,
  startFromListing,
  type Transcript,
} from '@svc/sdk/negotiation';
import * as z from 'zod';
import { checkArguments } from './mistakes.ts';
import { findUploaded } from './namedArguments.ts';
import { asObject, type JsonSchema, publishInput, withoutWords } from './publishedSchema.ts';
import type { ToolContext } from './tool.ts';

/** Milestones as strict clients give them. */
export const publishedMilestones: JsonSchema = {
  type: 'array',
  description: 'amounts that add up to the total',
  items: asObject('amountTok', 'description'),
};

const {
  poster: _,
  worker: _worker,
  negotiationId: _id,
  criteriaHash: _hash,
  ...fields
} = catalog.buildTaskTerms.input.shape;
const roleSchema = z.enum(['poster', 'worker']).optional().describe('Of the sender; default poster.');

/** The value as it was given, where it is good: what it changes in an offer is read later. */
const checked = (field: z.ZodType) =>
  z
    .unknown()
    .superRefine((value, context) => {
      for (const issue of field.safeParse(value).error?.issues ?? []) context.addIssue({ ...issue } as never);
    })
    .optional();

export const offerArgument = z
  .strictObject({
    role: roleSchema,
    ...(Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, checked(field)])) as {
      readonly [Name in keyof typeof fields]: z.ZodOptional<z.ZodUnknown>;
    }),
    artifacts: z.array(z.string()).optional(),
  })
  .optional();

type OfferArguments = NonNullable<z.output<typeof offerArgument>>;

/** The fields of an offer as a client sees them. */
export function publishOffer(): JsonSchema {
  const { totalAmountTokWei: _wei, ...shown } = fields;
  const named: JsonSchema = { type: 'array', items: { type: 'string' }, description: 'Names of files.' };
  const words = `Terms as in svc_prepare, or what a counter changes; private by default. ${privateMeans}`;
  const published = publishInput(z.object({ role: roleSchema, ...shown }));
  const others = { milestones: publishedMilestones, artifacts: named };
  return { ...withoutWords(published, words, others), required: [] };
}

type Offering = {
  readonly from: Address;
  readonly other: Address;
  readonly negotiationId: string;
  readonly offer?: OfferArguments | undefined;
  /** The listing that a first offer is about. */
  readonly listing?: Listing | undefined;
};

/** Builds the payload of an offer: new terms, those of a listing, or the last offer with some fields changed. */
export async function buildOffer(
  context: ToolContext,
  { from, other, negotiationId, offer = {}, listing }: Offering,
  transcript: Transcript | undefined,
) {
  const { role, artifacts: named, ...given } = offer;
  const files = Array.isArray(named) && ((await findUploaded(named, { from }, context)) as Artifact[]);
  const changed = { ...given, ...(files && { artifacts: files }) } as OfferFields;
  const last = transcript === undefined ? null : readNegotiation(transcript).offer;
  const isWorker = role === 'worker' || listing !== undefined;
  const [poster, worker] = isWorker ? [other, from] : [from, other];
  const words = listing?.document;
  const args =
    last !== null
      ? changeOffer(last, changed)
      : {
          poster,
          worker,
          ...(words ? startFromListing(words, changed) : { scope: 'private' as const, ...changed }),
        };
  const built = await buildPayload({ ...args, negotiationId }, context.connectPrepare);
  // Only of files that the sender names now: others may have listed one of the sender's files to get its key.
  const keys = files ? pickKeys(built.document, context.papers.loadKeys()) : {};
  return { ...built, ...(Object.keys(keys).length > 0 && { keys }) };
}

/** The payload of an offer with these terms. */
export async function buildPayload(args: OfferFields, connectPrepare: ToolContext['connectPrepare']) {
  await checkArguments('build-task-terms', args, connectPrepare);
  const built = await prepareAction('build-task-terms', args, connectPrepare);
  const { terms, document, settlementDigest } = built as unknown as Offer;
  return { terms, document, settlementDigest, expiresAt: terms.acceptBy };
}

export function refuseOffer(mistake: string): SvcError {
  return new SvcError('ARGUMENTS_INVALID', { action: 'offer', mistakes: `  ${mistake}` });
}
