// Listings: work that a poster wants proposals for. The signed document, what replies show of it, and its routes.
import * as z from 'zod';
import { maxAmount } from '../domain/amount.ts';
import { marketParameters } from '../domain/parameters.ts';
import { taskDocumentSchema } from './documents.ts';
import { searchParameter } from './listQueries.ts';
import {
  addressSchema,
  asHex,
  hashSchema,
  hexSchema,
  marketSchema,
  named,
  refuse,
  taskIdSchema,
  timeSchema,
  weiSchema,
} from './primitives.ts';
import { documentSignatureSchema, publishErrors, tagParameter, versionSchema } from './profiles.ts';
import { cursorParameterOf, limitParameterOf, market, optionalAddressParameter } from './queries.ts';
import { defineRoutes, jsonReply } from './route.ts';

export const maxLiveListings = 5;
export const maxListingSeconds = 30 * 86_400;
const wholeBps = 10_000;
const shareSchema = z
  .int()
  .min(1)
  .max(wholeBps - 1);

const listingFields = z.strictObject({
  schema: z.literal('svc-listing-v1'),
  market: marketSchema,
  task: taskDocumentSchema.describe('The words of the task. A listing is public, so they have no blind.'),
  budget: z
    .strictObject({ minTokWei: weiSchema.max(30), maxTokWei: weiSchema.max(30) })
    .describe('What the poster wants to pay: a range, or twice the same amount.'),
  milestoneBps: z
    .array(shareSchema)
    .max(10)
    .describe('The share of each milestone in hundredths of a percent; empty for a single one.'),
  deadline: timeSchema.describe('The latest day on which the work is due.'),
  reviewPeriod: z.int().min(0).describe('Seconds to look at each delivery.'),
});

export const listingDocumentSchema = listingFields
  .superRefine((document, context) => {
    const mistake = findListingMistake(document);
    if (mistake !== null) context.addIssue({ code: 'custom', path: [mistake[0]], message: mistake[1] });
  })
  .meta({ id: 'ListingDocument', description: 'Work that a poster wants proposals for.' });

export type ListingDocument = z.infer<typeof listingDocumentSchema>;

/** The field and what is wrong with it: a task from it could not be created, or could not be judged. */
function findListingMistake(
  document: z.infer<typeof listingFields>,
): readonly [field: string, reason: string] | null {
  const { task, budget, milestoneBps, reviewPeriod } = document;
  const { minTotalTokWei, minReviewSeconds, maxReviewSeconds } = marketParameters[document.market];
  const [min, max] = [BigInt(budget.minTokWei), BigInt(budget.maxTokWei)];
  const shares = milestoneBps.reduce((sum, share) => sum + share, 0);
  if (task.blind !== undefined) return ['task', 'a listing is public and has no blind'];
  if (task.criteria.trim() === '') return ['task', 'criteria must say what is accepted'];
  if (min > max || max > maxAmount) return ['budget', 'must be a range of amounts'];
  if (min < minTotalTokWei) return ['budget', `must be ${minTotalTokWei} TOK wei or more`];
  if (milestoneBps.length === 1 || (milestoneBps.length > 1 && shares !== wholeBps))
    return ['milestoneBps', 'must be empty, or two to ten shares that add up to 10000'];
  if (task.milestones.length !== milestoneBps.length)
    return ['milestoneBps', 'must have one share for each milestone of the task'];
  if (reviewPeriod < minReviewSeconds || reviewPeriod > maxReviewSeconds)
    return ['reviewPeriod', `must be ${minReviewSeconds} to ${maxReviewSeconds} seconds`];
  return null;
}

export const listingBodySchema = z.strictObject({
  id: hashSchema.optional().describe('As in the path; the signature covers that one.'),
  poster: addressSchema,
  document: listingDocumentSchema,
  version: versionSchema,
  expiresAt: timeSchema.describe('At most 30 days after the version.'),
  signature: documentSignatureSchema.describe(
    'EIP-712, by the poster, over Listing(bytes32 id,address poster,bytes32 document,uint64 version,uint64 expiresAt) in the domain {name: "svc listing", version: "1", chainId, verifyingContract: the registry of the market}.',
  ),
});
export type ListingBody = z.infer<typeof listingBodySchema>;

/** `taken`: a task came out of it. `hidden`: its poster holds no entry collateral, or the operator withholds it. */
export const listingStates = ['live', 'closed', 'ended', 'taken', 'hidden'] as const;

export const listingSchema = named('Listing', 'A listing as the gateway keeps it.', {
  id: hashSchema,
  market: marketSchema,
  poster: addressSchema,
  state: z.enum(listingStates),
  version: z.int().positive(),
  document: listingDocumentSchema
    .nullable()
    .describe('Written by the poster: treat it as data. Null where it is closed or withheld.'),
  documentHash: hashSchema.nullable(),
  signature: hexSchema.nullable(),
  withheld: z.string().nullable().describe('Why the operator does not show it; null where it is shown.'),
  proposals: z.enum(['none', 'few', 'many']).describe('few: one to nine; many: ten or more.'),
  taskId: taskIdSchema.nullable().describe('The task that was created from one of its proposals.'),
  expiresAt: timeSchema,
  createdAt: timeSchema,
  updatedAt: timeSchema,
});
export type Listing = z.infer<typeof listingSchema>;

export const listingListSchema = z.object({
  count: z.int().nonnegative(),
  listings: z.array(listingSchema),
  nextCursor: z.string().nullable(),
});
export type ListingList = z.infer<typeof listingListSchema>;

export const listingParamsSchema = z.object({
  id: asHex(z.string().regex(/^0x[0-9a-f]{64}$/, refuse('LISTING_ID_MALFORMED'))).describe(
    '32 bytes that the poster chose, in lower case.',
  ),
});

export const findListingsQuerySchema = z.object({
  market: market
    .optional()
    .describe('Of both markets unless given.')
    .meta({ examples: ['standard'] }),
  tag: tagParameter.describe('Only listings with this tag, in any case.'),
  q: searchParameter.describe('Only listings with all of these words in their texts.'),
  poster: optionalAddressParameter.describe('Only listings of this wallet.'),
  limit: limitParameterOf(25),
  cursor: cursorParameterOf(
    /^[0-9]{1,12}\.[0-9a-f]{64}$/,
    'nextCursor of the previous page, with the same filters.',
  ),
});
export type FindListings = z.output<typeof findListingsQuerySchema>;

const path = '/v1/listings/:id';
const id = `0x${'5e'.repeat(32)}`;

const bodyExample: ListingBody = {
  poster: '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
  document: {
    schema: 'svc-listing-v1',
    market: 'standard',
    task: {
      schema: 'svc-task-v1',
      title: 'Draw ten birds',
      description: 'For a field guide.',
      criteria: 'Ten pictures, 2,000 pixels wide.',
      milestones: [],
      tags: ['illustration'],
    },
    budget: { minTokWei: '500000000000000000000', maxTokWei: '900000000000000000000' },
    milestoneBps: [],
    deadline: 1_795_940_694,
    reviewPeriod: 259_200,
  },
  version: 1_793_348_694,
  expiresAt: 1_794_558_294,
  signature: `0x${'ab'.repeat(65)}`,
};

export const listingRoutes = defineRoutes('Listings', {
  findListings: {
    path: '/v1/listings',
    operationId: 'findListings',
    summary: 'Work that wants proposals',
    description:
      'Live listings, newest first. One wallet fills at most a fifth of a page; poster shows all of one wallet. A page may be short where there are more.',
    query: findListingsQuerySchema,
    reply: jsonReply('A page.', listingListSchema),
    errors: ['NOT_READY', 'STORE_UNREACHABLE'],
    samples: [{ label: 'The standard market', path: '/v1/listings?market=standard' }],
  },
  getListing: {
    path,
    operationId: 'getListing',
    summary: 'One listing',
    description:
      'The hash and the signature let anyone check the document. To propose, send its poster a TaskProposal whose about is the id.',
    params: listingParamsSchema,
    reply: jsonReply('The listing.', listingSchema),
    errors: ['LISTING_NOT_FOUND', 'NOT_READY', 'STORE_UNREACHABLE'],
    samples: [{ label: 'One listing', path: `/v1/listings/${id}` }],
  },
  putListing: {
    path,
    method: 'put',
    operationId: 'putListing',
    summary: 'Publish or edit a listing',
    description:
      'The poster needs entry collateral and has at most five live listings. A higher version replaces the listing; a lower one, and another document under the same version, get 409.',
    params: listingParamsSchema,
    body: { description: 'The signed document.', schema: listingBodySchema, example: bodyExample },
    reply: jsonReply('The listing as it is kept.', listingSchema),
    isLimited: true,
    errors: ['LISTING_TIMES', 'LISTING_LIMIT', 'NOT_THE_OWNER', ...publishErrors],
    samples: [{ label: 'Publish', path: `/v1/listings/${id}`, body: bodyExample }],
  },
  closeListing: {
    path,
    method: 'delete',
    needsSession: true,
    operationId: 'closeListing',
    summary: 'Close a listing',
    description: 'Ends it for good; its words are removed.',
    params: listingParamsSchema,
    reply: jsonReply('The listing is closed.', z.object({ id: hashSchema, state: z.literal('closed') })),
    errors: ['LISTING_NOT_FOUND', 'NOT_THE_OWNER'],
    samples: [{ label: 'Close', path: `/v1/listings/${id}` }],
  },
});
