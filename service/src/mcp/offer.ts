// The offer of a message: its arguments as a model gives them, and the payload that they make.
import { prepareAction } from '@svc/sdk/actions';
import type { Listing, ListingDocument } from '@svc/sdk/client';
import type { Artifact } from '@svc/sdk/documents';
import { type Address, parseTok, SvcError } from '@svc/sdk/domain';
import { buildTaskTerms } from '@svc/sdk/internal/actions/createTask';
import { hashCanonical } from '@svc/sdk/internal/domain/canonical';
import { privateMeans } from '@svc/sdk/internal/domain/state';
import { pickKeys } from '@svc/sdk/internal/negotiation/judgeDisclosure';
import { withDigest } from '@svc/sdk/internal/negotiation/terms';
import {
  hashTermsDocument,
  type Offer,
  readNegotiation,
  splitBudget,
  type Transcript,
} from '@svc/sdk/negotiation';
import * as z from 'zod';
import { checkArguments } from './mistakes.ts';
import { findUploaded } from './namedArguments.ts';
import type { ToolContext } from './tool.ts';

/** The terms of a task as texts; the catalog validates them. */
export const offerArgument = z
  .strictObject({
    role: z.enum(['poster', 'worker']).optional().describe('Of the sender; default poster.'),
    market: z.enum(['standard', 'micro']).optional(),
    title: z.string().optional(),
    description: z.string().optional(),
    criteriaText: z
      .string()
      .refine((text) => text.trim() !== '', 'must say what is accepted')
      .optional()
      .describe('What the work must meet; binds both.'),
    totalAmountTok: z.string().optional(),
    milestones: z.array(z.string()).optional().describe('Amounts in TOK that add up to the total.'),
    milestoneTexts: z.array(z.string()).optional().describe('One each.'),
    deadline: z.string().optional().describe('Unix seconds, a date, or such as +7d.'),
    reviewPeriod: z.string().optional().describe('Such as 48h; 3d unless given.'),
    acceptBy: z.string().optional().describe('End of offer and signatures; +1d unless given.'),
    artifacts: z.array(z.string()).optional().describe('Names of files.'),
    scope: z.enum(['open', 'private']).optional(),
  })
  .optional()
  .describe(`Terms, or what a counter changes; private by default. ${privateMeans}`);

type OfferArguments = NonNullable<z.output<typeof offerArgument>>;

type Offering = {
  readonly from: Address;
  readonly other: Address;
  readonly negotiationId: string;
  readonly offer?: OfferArguments | undefined;
  /** The listing that a first offer is about. */
  readonly listing?: Listing | undefined;
};

/** Builds the payload of an offer: new terms, or the last offer with some fields changed. */
export async function buildOffer(
  context: ToolContext,
  { from, other, negotiationId, offer = {}, listing }: Offering,
  transcript: Transcript | undefined,
) {
  const { role, artifacts: named, milestones, milestoneTexts, ...given } = offer;
  const last = transcript === undefined ? null : readNegotiation(transcript).offer;
  const isWorker = role === 'worker' || listing !== undefined;
  const [poster, worker] = isWorker ? [other, from] : [from, other];
  const words = listing?.document;
  const first = words ? fromListing(words, offer) : { scope: 'private' };
  const start = last === null ? { poster, worker, ...first } : toArguments(last, isPriced(offer));
  const { milestones: before = [] } = start as { readonly milestones?: readonly Part[] };
  const parts = describeMilestones(
    { amounts: milestones?.map(toWei), texts: milestoneTexts },
    { before, texts: (last?.document ?? words?.task)?.milestones ?? [] },
    (reason) => refuseOffer(`milestoneTexts: ${reason}`),
  );
  const args = { ...start, ...given, ...(parts !== undefined && { milestones: parts }), negotiationId };
  const files = named && ((await findUploaded(named, { from }, context)) as Artifact[]);
  const artifacts = files ?? (last?.document ?? words?.task)?.artifacts;
  const built = await buildOfferPayload(args, artifacts, context.connectPrepare);
  // Only of files that the sender names now: others may have listed one of the sender's files to get its key.
  const keys = files === undefined ? {} : pickKeys(built.document, context.papers.loadKeys());
  return { ...built, ...(Object.keys(keys).length > 0 && { keys }) };
}

/** The payload of an offer from the arguments of `build-task-terms`, which checks them, and the files that its words list. */
export async function buildOfferPayload(
  args: Readonly<Record<string, unknown>>,
  artifacts: readonly Artifact[] | undefined,
  connectPrepare: ToolContext['connectPrepare'],
) {
  await checkArguments(buildTaskTerms.name, args, connectPrepare);
  const built = await prepareAction(buildTaskTerms.name, args, connectPrepare);
  const { terms: figures, document: words } = built as unknown as Pick<Offer, 'terms' | 'document'>;
  const document = artifacts === undefined ? words : { ...words, artifacts: [...artifacts] };
  const terms = withDigest({ ...figures, criteriaHash: hashCanonical(document) });
  return { terms, document, settlementDigest: hashTermsDocument(terms), expiresAt: terms.acceptBy };
}

type Part = { readonly amountTokWei: string; readonly description?: string | undefined };

/**
 * The milestones of an offer, each with a text, so that its parties and a judge know what it delivers. Undefined where they stay as
 * they are. Texts that are not given stay while there are as many as before.
 */
export function describeMilestones(
  given: { readonly amounts?: readonly string[] | undefined; readonly texts?: readonly string[] | undefined },
  last: { readonly before: readonly Part[]; readonly texts: readonly string[] },
  refuse: (reason: string) => Error,
): readonly Part[] | undefined {
  if (given.amounts === undefined && given.texts === undefined) return undefined;
  const amounts = given.amounts ?? last.before.map(({ amountTokWei }) => amountTokWei);
  const texts = given.texts ?? (last.texts.length === amounts.length ? last.texts : []);
  if (amounts.length < 2 && texts.length > 0)
    throw refuse('a single milestone has no text of its own; describe the work instead');
  const isWhole = texts.length === amounts.length && texts.every((text) => text.trim() !== '');
  if (amounts.length > 1 && !isWhole)
    throw refuse(`must say what each of the ${amounts.length} milestones delivers`);
  return amounts.map((amountTokWei, at) => ({ amountTokWei, description: texts[at] }));
}

/** The text itself where it is no amount: the action reports it with all other mistakes. */
function toWei(amount: string): string {
  try {
    return String(parseTok(amount));
  } catch {
    return amount;
  }
}

export function refuseOffer(mistake: string): SvcError {
  return new SvcError('ARGUMENTS_INVALID', { action: 'offer', mistakes: `  ${mistake}` });
}

/** The words, shares and times of a listing, at the highest price unless one is given. */
function fromListing(
  { market, task, budget, milestoneBps, deadline, reviewPeriod }: ListingDocument,
  given: OfferArguments,
) {
  const total =
    given.totalAmountTok === undefined ? BigInt(budget.maxTokWei) : parseTok(given.totalAmountTok);
  const milestones = splitBudget(total, milestoneBps).map((amount, at) => ({
    amountTokWei: String(amount),
    description: task.milestones[at],
  }));
  return {
    market,
    title: task.title,
    description: task.description,
    criteriaText: task.criteria,
    tags: task.tags,
    deadline: String(deadline),
    reviewPeriod: String(reviewPeriod),
    scope: 'open',
    ...(given.totalAmountTok === undefined && { totalAmountTokWei: String(total) }),
    ...(given.milestones === undefined && { milestones }),
  };
}

const isPriced = ({ totalAmountTok, milestones }: OfferArguments) =>
  totalAmountTok !== undefined || milestones !== undefined;

/** The arguments that would build this offer. Without its amounts where new ones are given, because amounts must add up. */
export function toArguments({ terms, document }: Offer, isPricedAnew: boolean) {
  const milestones = terms.milestones.map(({ amountTokWei }, at) => ({
    amountTokWei,
    description: document.milestones[at],
  }));
  return {
    market: terms.market,
    poster: terms.poster,
    worker: terms.worker,
    title: document.title,
    description: document.description,
    criteriaText: document.criteria,
    tags: document.tags,
    deadline: String(terms.deadline),
    reviewPeriod: String(terms.reviewPeriod),
    scope: terms.scope,
    ...(!isPricedAnew && { totalAmountTokWei: terms.totalAmountTokWei, milestones }),
  };
}
