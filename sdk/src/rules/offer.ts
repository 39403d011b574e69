// The terms of an offer: from the fields of a form to the document, the terms and their digest; and the fields of an offer, or of a
// listing, with some of them changed.
import { bytesToHex } from 'viem';
import * as z from 'zod';
import { buildDocument } from '../documents/buildDocument.ts';
import { privateMeans, scopes } from '../domain/state.ts';
import type { SigningPlace } from '../domain/terms.ts';
import type { ListingDocument } from '../schemas/listings.ts';
import type { TermsDocument } from '../schemas/terms.ts';
import { listMistakes, type Mistake, takeOldNames, toLine } from './mistakes.ts';
import { buildTermsDocument, findTermsMistake, hashTermsDocument, type TaskDocument } from './terms.ts';
import { addressArgument, artifactsArgument, marketArgument, momentArgument, refuse } from './values.ts';
import {
  findWorkMistakes,
  readAmount,
  readPayment,
  readWords,
  type WorkFacts,
  workDefaults,
  workFields,
} from './work.ts';

/** What both parties of a task agree on, as people and programs give it. */
export const offerSchema = z.strictObject({
  market: marketArgument,
  poster: addressArgument,
  worker: addressArgument,
  ...workFields,
  artifacts: artifactsArgument,
  scope: z.enum(scopes, { error: 'must be "open" or "private"' }).default('open').describe(privateMeans),
  negotiationId: z
    .uuid({ error: 'must be a UUID' })
    .optional()
    .describe('the negotiation; default a new one'),
  acceptBy: momentArgument.optional().describe('end of the signatures; default +1d, at most +14d'),
});

export type OfferInput = z.input<typeof offerSchema>;
/** The fields that a form has, some of them. */
export type OfferFields = { readonly [Name in keyof OfferInput]?: OfferInput[Name] | undefined };
type Given = z.output<typeof offerSchema>;

/** What the schema does not show. Fields that are `wrong` count as given, and are not looked at. */
export function findOfferMistakes(
  given: Partial<Given>,
  facts: WorkFacts,
  wrong: ReadonlySet<string> = new Set(),
): Mistake[] {
  const isGiven = (name: keyof Given) => given[name] !== undefined || wrong.has(name);
  const isHashed = isGiven('criteriaHash');
  return [
    ...(isHashed || isGiven('title') ? [] : [{ at: 'title', says: 'give it, or criteriaHash' }]),
    ...findWorkMistakes(given, facts, isHashed ? new Set([...wrong, 'criteria']) : wrong),
    ...(isHashed || wrong.has('milestones') ? [] : findTextMistake(given, facts)),
  ];
}

/** Its parties and a judge must know what each milestone delivers. */
function findTextMistake(given: Partial<Given>, { priceE8 }: WorkFacts): Mistake[] {
  const { milestones } = readPayment(given, priceE8);
  const isWhole = milestones.every(({ description = '' }) => description.trim() !== '');
  const says = `must say what each of the ${milestones.length} milestones delivers (description)`;
  return milestones.length > 1 && !isWhole ? [{ at: 'milestones', says }] : [];
}

/** An offer as a message carries it; `uri` is its document inline, where everybody may read it. */
export type BuiltOffer = {
  readonly terms: TermsDocument;
  /** Null where only the hash of the words was given. */
  readonly document: TaskDocument | null;
  readonly settlementDigest: ReturnType<typeof hashTermsDocument>;
  readonly expiresAt: number;
};

/** Throws ARGUMENTS_INVALID with all mistakes. A private document is blinded, so that its hash cannot be guessed. */
export function buildOffer(
  input: OfferFields,
  place: SigningPlace,
  facts: Omit<WorkFacts, 'market'>,
): BuiltOffer {
  const named = takeOldNames(offerSchema, input);
  const { data } = offerSchema.safeParse(named);
  if (data === undefined) refuse('offer', ...listMistakes(offerSchema, named));
  return buildGivenOffer('offer', data, place, facts);
}

/** Of fields that the schema has parsed. `action` is named by a refusal. */
export function buildGivenOffer(
  action: string,
  given: Given,
  place: SigningPlace,
  others: Omit<WorkFacts, 'market'>,
): BuiltOffer {
  const { market, poster, worker, scope, acceptBy, reviewPeriod } = given;
  const facts = { ...others, market };
  const mistakes = findOfferMistakes(given, facts);
  const { total, milestones } = readPayment(given, facts.priceE8);
  if (mistakes.length > 0 || total === undefined) refuse(action, ...mistakes.map(toLine));
  const document = given.criteriaHash === undefined ? buildAgreedDocument(action, given, milestones) : null;
  const terms = buildTermsDocument({
    market,
    place,
    poster,
    worker,
    totalAmount: total,
    milestones,
    criteriaHash: document === null ? (given.criteriaHash as TermsDocument['criteriaHash']) : document.hash,
    deadline: given.deadline(facts.now),
    reviewPeriod,
    scope,
    negotiationId: given.negotiationId ?? crypto.randomUUID(),
    acceptBy: acceptBy?.(facts.now) ?? facts.now + workDefaults.acceptSeconds,
  });
  const mistake = findTermsMistake(terms);
  if (mistake !== null) refuse(action, `terms: ${mistake}`);
  return {
    terms,
    document: document?.document ?? null,
    settlementDigest: hashTermsDocument(terms),
    expiresAt: terms.acceptBy,
  };
}

/** Every word of it is inside the digest. */
function buildAgreedDocument(
  action: string,
  given: Given,
  milestones: readonly { description?: string | undefined }[],
) {
  const words = readWords(given, milestones);
  if (words === null) refuse(action, 'title: give it, or criteriaHash');
  const { artifacts, scope } = given;
  const blind = bytesToHex(crypto.getRandomValues(new Uint8Array(32)));
  return buildDocument('svc-task-v1', {
    ...words,
    ...(artifacts.length > 0 && { artifacts }),
    ...(scope === 'private' && { blind }),
  });
}

/** An offer that stands: what may be changed in it. */
export type StandingOffer = { readonly terms: TermsDocument; readonly document: TaskDocument };

const isPriced = ({ totalAmountTok, totalAmountTokWei, totalAmountUsd, milestones }: OfferFields) =>
  [totalAmountTok, totalAmountTokWei, totalAmountUsd, milestones].some((amount) => amount !== undefined);

/** The fields of an offer with those that change. Its amounts go where new ones are given, because amounts must add up. */
export function changeOffer({ terms, document }: StandingOffer, changed: OfferFields): OfferFields {
  const { market, poster, worker, deadline, reviewPeriod, scope, totalAmountTokWei } = terms;
  const { title, description, criteria, tags, artifacts } = document;
  const milestones = terms.milestones.map(({ amountTokWei }, at) => ({
    amountTokWei,
    description: document.milestones[at],
  }));
  return {
    ...{ market, poster, worker, title, description, criteria, tags, scope },
    ...(artifacts !== undefined && { artifacts }),
    ...{ deadline: String(deadline), reviewPeriod: String(reviewPeriod) },
    ...(!isPriced(changed) && { totalAmountTokWei, milestones }),
    ...withTexts(changed, document.milestones),
  };
}

/** The fields of an offer for a listing: its words, shares and times, at its highest price unless another one is given. */
export function startFromListing(
  { market, task, budget, milestoneBps, deadline, reviewPeriod }: ListingDocument,
  changed: OfferFields,
  priceE8: WorkFacts['priceE8'] = null,
): OfferFields {
  const { title, description, criteria, tags, artifacts } = task;
  const total = isPriced({ ...changed, milestones: undefined })
    ? readTotal(changed, priceE8)
    : BigInt(budget.maxTokWei);
  const shares = total === undefined ? [] : splitBudget(total, milestoneBps);
  const milestones = shares.map((amount, at) => ({
    amountTokWei: String(amount),
    description: task.milestones[at],
  }));
  const { totalAmountTok: _, totalAmountTokWei: _wei, totalAmountUsd: _usd, ...others } = changed;
  return {
    ...{ market, title, description, criteria, tags, milestones, scope: 'open' },
    ...(artifacts !== undefined && { artifacts }),
    ...{ deadline: String(deadline), reviewPeriod: String(reviewPeriod) },
    ...withTexts(total === undefined ? changed : others, task.milestones),
    ...(total !== undefined && { totalAmountTokWei: String(total) }),
  };
}

/** Undefined where the amount is wrong: the offer is refused for it with all other mistakes. */
function readTotal(changed: OfferFields, priceE8: WorkFacts['priceE8']): bigint | undefined {
  const { data } = amountsSchema.safeParse(changed);
  return data === undefined ? undefined : readAmount(data, 'totalAmount', priceE8).tokWei;
}

const amountsSchema = offerSchema
  .pick({ totalAmountTok: true, totalAmountTokWei: true, totalAmountUsd: true })
  .strip();

/** Milestones that change their amounts alone keep their texts, as long as there are as many. */
function withTexts(changed: OfferFields, texts: readonly string[]): OfferFields {
  const { milestones } = changed;
  if (milestones === undefined || milestones.length !== texts.length) return changed;
  const described = milestones.map((one, at) => {
    const given = typeof one === 'object' ? one : { amountTok: one };
    const { description = '' } = given as { readonly description?: string };
    return description.trim() === '' ? { ...given, description: texts[at] } : given;
  });
  return { ...changed, milestones: described };
}

const wholeBps = 10_000n;

/** The amount of each milestone of a total; empty for a single one. The last one takes the remainder of the rounding. */
export function splitBudget(total: bigint, milestoneBps: readonly number[]): bigint[] {
  const amounts = milestoneBps.map((share) => (total * BigInt(share)) / wholeBps);
  const sum = amounts.reduce((one, other) => one + other, 0n);
  return amounts.map((amount, at) => (at === amounts.length - 1 ? amount + total - sum : amount));
}
