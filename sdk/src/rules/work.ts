// The work as people and programs give it: what it pays, in TOK or dollars, when it is due, and its words. One schema for posts, offers and
// listings, with its defaults and everything that is wrong with it.
import * as z from 'zod';
import { buildTaskDocument } from '../documents/buildDocument.ts';
import { formatMoment, formatPriceE8, formatTok, maxAmount } from '../domain/amount.ts';
import type { Market } from '../domain/market.ts';
import { marketParameters, protocolConstants } from '../domain/parameters.ts';
import { findAcceptanceMistake } from '../domain/terms.ts';
import { toShown } from '../domain/text.ts';
import type { Artifact } from '../schemas/documents.ts';
import type { Mistake } from './mistakes.ts';
import {
  durationArgument,
  hashArgument,
  type Moment,
  momentArgument,
  textArgument,
  tokArgument,
  tokWeiArgument,
  usdArgument,
} from './values.ts';

const hour = 3_600;
const day = 24 * hour;

/** What terms have where nothing else is said. */
export const workDefaults = {
  reviewSeconds: marketParameters.standard.usualReviewSeconds,
  /** For which both may sign an offer. */
  acceptSeconds: day,
} as const;

/** An amount as it was given: dollars become TOK at the published price. */
type Amount = { readonly tokWei: bigint } | { readonly usd: bigint };
export type GivenMilestone = { readonly amount: Amount; readonly description?: string | undefined };

const described = z
  .strictObject({
    amountTok: tokArgument.optional(),
    amountTokWei: tokWeiArgument.optional(),
    amountUsd: usdArgument.optional(),
    description: textArgument.optional(),
  })
  .refine(
    ({ amountTok, amountTokWei, amountUsd }) =>
      [amountTok, amountTokWei, amountUsd].filter((amount) => amount !== undefined).length === 1,
    { error: 'give amountTok, amountTokWei or amountUsd' },
  )
  .transform(
    ({ amountTok, amountTokWei = amountTok, amountUsd = 0n, description }): GivenMilestone => ({
      amount: amountTokWei === undefined ? { usd: amountUsd } : { tokWei: amountTokWei },
      description,
    }),
  );

const plain = tokArgument.transform((tokWei): GivenMilestone => ({ amount: { tokWei } }));

/** A field that is not known is named: without it the milestone would have another text, or none. */
function nameUnknownOfMilestone(issue: z.core.$ZodRawIssue): string {
  const { errors = [] } = issue as { readonly errors?: readonly (readonly z.core.$ZodIssue[])[] };
  const unknown = errors.flat().flatMap((one) => (one.code === 'unrecognized_keys' ? one.keys : []));
  if (unknown.length === 0) return 'must be amounts in TOK';
  return `there is no such field: ${unknown.map(toShown).join(', ')}; a milestone has amountTok, amountTokWei or amountUsd, and description`;
}

/** The contracts refuse a list of one milestone; `readPayment` makes it an empty list. */
export const milestonesArgument = z
  .array(z.union([plain, described], { error: nameUnknownOfMilestone }), {
    error: 'must be a list of amounts',
  })
  .max(protocolConstants.maxMilestones, `are at most ${protocolConstants.maxMilestones}`)
  .default([])
  .describe('amounts in TOK that add up to the total, such as 300,700');

/** The words of a task. */
export const wordFields = {
  title: textArgument.optional().describe('title of the task'),
  description: textArgument.default('').describe('what is to be done'),
  criteria: textArgument.optional().describe('what the work must meet; binds both parties'),
  tags: z.array(textArgument, { error: 'must be a list' }).max(20, 'are at most 20').default([]),
};

/** When the work is due, and how long a delivery may be looked at. */
export const timeFields = {
  deadline: momentArgument.describe('when the work is due: Unix seconds, a date, or such as +7d'),
  reviewPeriod: durationArgument
    .default(workDefaults.reviewSeconds)
    .describe(`time to look at a delivery; default ${workDefaults.reviewSeconds / day}d`),
};

export const workFields = {
  totalAmountTok: tokArgument.optional().describe('what the whole work pays, in TOK'),
  totalAmountTokWei: tokWeiArgument.optional(),
  totalAmountUsd: usdArgument.optional().describe('or in dollars, at the published price'),
  milestones: milestonesArgument,
  ...timeFields,
  ...wordFields,
  criteriaHash: hashArgument.optional().describe('of texts that are elsewhere, instead of criteria'),
};

/** What goes into escrow at once. */
export const fundFields = {
  fundNowTok: tokArgument.optional().describe('TOK into escrow at once; default none'),
  fundNowTokWei: tokWeiArgument.optional(),
  fundNowUsd: usdArgument.optional(),
};

export type GivenWork = Partial<z.output<z.ZodObject<typeof workFields>>>;
export type Words = z.output<z.ZodObject<typeof wordFields>>;

/** What the chain says where the terms are to count. */
export type WorkFacts = {
  readonly market: Market;
  /** Unix seconds of the chain. */
  readonly now: number;
  /** The smallest total; that of the market's parameters unless given. */
  readonly minTotalTokWei?: bigint;
  /** The published price of TOK; without one nothing can be given in dollars. */
  readonly priceE8?: bigint | null;
};

const centOfTok = 10n ** 16n;

/** TOK wei for dollars with 6 decimals, rounded up to a hundredth of a TOK. */
export function convertUsd(usd: bigint, priceE8: bigint): bigint {
  const least = (usd * 10n ** 20n + priceE8 - 1n) / priceE8;
  return ((least + centOfTok - 1n) / centOfTok) * centOfTok;
}

/** Of `<name>Tok`, `<name>TokWei` and `<name>Usd`: the one that is given. */
function findAmount(given: object, name: string): Amount | Mistake | undefined {
  const fields = given as Readonly<Record<string, bigint | undefined>>;
  const units = ['Tok', 'TokWei', 'Usd'].filter((unit) => fields[`${name}${unit}`] !== undefined);
  const [unit, other] = units;
  if (unit === undefined) return undefined;
  if (other !== undefined) return { at: `${name}${unit}`, says: `give it or ${name}${other}, not both` };
  const amount = fields[`${name}${unit}`] as bigint;
  return unit === 'Usd' ? { usd: amount } : { tokWei: amount };
}

const isMistake = (found: object): found is Mistake => 'says' in found;

type Found = { readonly tokWei?: bigint; readonly mistakes: readonly Mistake[] };

/** An amount in TOK wei, from any unit. */
export function readAmount(given: object, name: string, priceE8: WorkFacts['priceE8']): Found {
  const found = findAmount(given, name);
  if (found === undefined) return { mistakes: [] };
  if (isMistake(found)) return { mistakes: [found] };
  const tokWei = toTokWei(found, priceE8);
  if (tokWei === null) return { mistakes: [priceless(`${name}Usd`)] };
  return tokWei > maxAmount ? { mistakes: [{ at: `${name}Usd`, says: tooLarge }] } : { tokWei, mistakes: [] };
}

const toTokWei = (amount: Amount, priceE8: WorkFacts['priceE8']): bigint | null => {
  if ('tokWei' in amount) return amount.tokWei;
  return priceE8 == null || priceE8 === 0n ? null : convertUsd(amount.usd, priceE8);
};

const tooLarge = 'is more than the contracts can hold';

const priceless = (at: string): Mistake => ({
  at,
  says: 'the market publishes no price of TOK; give the amount in TOK',
});

export type Milestone = { readonly amount: bigint; readonly description?: string | undefined };

export type Payment = {
  /** Undefined where nothing was given. */
  readonly total: bigint | undefined;
  /** Empty for a single one. */
  readonly milestones: readonly Milestone[];
  readonly mistakes: readonly Mistake[];
};

/** What the work pays, in TOK wei. Milestones in dollars add up to a total in dollars, each rounded by itself. */
export function readPayment(given: GivenWork, priceE8: WorkFacts['priceE8']): Payment {
  const { milestones: parts = [], totalAmountUsd } = given;
  const own = readAmount(given, 'totalAmount', priceE8);
  const amounts = parts.map(({ amount }) => toTokWei(amount, priceE8));
  const lacksPrice = amounts.includes(null) ? [priceless('milestones')] : [];
  const mistakes = [...own.mistakes, ...lacksPrice];
  if (mistakes.length > 0) return { total: own.tokWei, milestones: [], mistakes };
  const milestones = parts.map(({ description }, at) => ({ amount: amounts[at] ?? 0n, description }));
  const sum = milestones.length === 0 ? undefined : milestones.reduce((all, { amount }) => all + amount, 0n);
  const usd = parts.map(({ amount }) => ('usd' in amount ? amount.usd : null));
  const isInUsd = totalAmountUsd !== undefined && parts.length > 0 && !usd.includes(null);
  const isSameUsd = isInUsd && usd.reduce((all: bigint, one) => all + (one ?? 0n), 0n) === totalAmountUsd;
  const total = isSameUsd ? sum : (own.tokWei ?? sum);
  return { total, milestones: milestones.length === 1 && total === sum ? [] : milestones, mistakes };
}

/** The words of the task document; null without a title. A single milestone has no text of its own. */
export function readWords(
  given: Words,
  milestones: readonly { readonly description?: string | undefined }[],
) {
  const { title, description, criteria = '', tags } = given;
  if (title === undefined) return null;
  const parts = milestones.length < 2 ? [] : milestones.map((part) => part.description ?? '');
  return { title, description, criteria, milestones: parts, tags };
}

/** The task document of an open task, inline; null without a title. */
export function buildWorkDocument(
  { artifacts = [], ...words }: Words & { readonly artifacts?: readonly Artifact[] | undefined },
  milestones: readonly { readonly description?: string | undefined }[],
) {
  const read = readWords(words, milestones);
  return read && buildTaskDocument({ ...read, ...(artifacts.length > 0 && { artifacts: [...artifacts] }) });
}

/** Whether an amount is given in dollars. */
export function needsPrice({ milestones = [], ...given }: GivenWork): boolean {
  const fields = Object.entries(given).some(([name, value]) => name.endsWith('Usd') && value !== undefined);
  return fields || milestones.some(({ amount }) => 'usd' in amount);
}

/** A dispute is decided by the criteria, so none goes out without them. */
export function findMissingCriteria({ title, criteria = '' }: GivenWork): Mistake[] {
  const isMissing = title !== undefined && criteria.trim() === '';
  return isMissing ? [{ at: 'criteria', says: 'is required, what the work must meet' }] : [];
}

/** What the schema does not show of amounts and times. Fields that are `wrong` count as given, and are not looked at. */
export function findWorkMistakes(
  given: GivenWork & { readonly acceptBy?: Moment | undefined },
  facts: WorkFacts,
  wrong: ReadonlySet<string> = new Set(),
): Mistake[] {
  const { total, milestones, mistakes } = readPayment(given, facts.priceE8);
  const isPriced = ['totalAmountTok', 'totalAmountTokWei', 'totalAmountUsd', 'milestones'].some((name) =>
    wrong.has(name),
  );
  const isMissing = total === undefined && !isPriced && mistakes.length === 0;
  const { now } = facts;
  const terms = {
    total,
    milestones: milestones.map(({ amount }) => amount),
    deadline: given.deadline?.(now),
    reviewPeriod: given.reviewPeriod,
    acceptBy: given.acceptBy?.(now),
  };
  return [
    ...(wrong.has('criteria') ? [] : findMissingCriteria(given)),
    ...(isMissing ? [{ at: 'totalAmountTok', says: 'is required' }] : []),
    ...mistakes,
    ...findOutOfBounds(terms, facts),
  ];
}

export type BoundedTerms = {
  readonly total: bigint;
  /** Empty for a single one. */
  readonly milestones: readonly bigint[];
  /** Unix seconds, as is `acceptBy`. */
  readonly deadline: number;
  readonly reviewPeriod: number;
  readonly acceptBy: number;
};

/** Mistakes in the terms that the contracts would refuse, found before anyone signs them. What is not given has none. */
function findOutOfBounds(
  terms: { readonly [Name in keyof BoundedTerms]?: BoundedTerms[Name] | undefined },
  { market, now, minTotalTokWei = marketParameters[market].minTotalTokWei }: WorkFacts,
): Mistake[] {
  const { minReviewSeconds, maxReviewSeconds } = marketParameters[market];
  const { maxDurationSeconds, maxMilestones } = protocolConstants;
  const least = minTotalTokWei / BigInt(maxMilestones);
  const { total, milestones = [], deadline = now + 1, reviewPeriod = minReviewSeconds, acceptBy } = terms;
  const end = acceptBy === undefined ? null : findAcceptanceMistake(acceptBy, now);
  const isReviewable = reviewPeriod >= minReviewSeconds && reviewPeriod <= maxReviewSeconds;
  const rules: readonly (readonly [at: string, isBroken: boolean, says: string])[] = [
    [
      'totalAmountTok',
      total !== undefined && total < minTotalTokWei,
      `must be ${formatTok(minTotalTokWei)} TOK or more`,
    ],
    ['totalAmountTok', total !== undefined && total > maxAmount, tooLarge],
    [
      'milestones',
      milestones.some((amount) => amount < least),
      `must each be ${formatTok(least)} TOK or more`,
    ],
    ['deadline', deadline <= now, `must be later than now, which is ${formatMoment(now)} on the chain`],
    ['deadline', deadline > now + maxDurationSeconds, `must be within ${maxDurationSeconds / day} days`],
    ['reviewPeriod', !isReviewable, `must be ${minReviewSeconds / hour}h to ${maxReviewSeconds / day}d`],
    ['acceptBy', end !== null, end ?? ''],
  ];
  return rules.flatMap(([at, isBroken, says]) => (isBroken ? [{ at, says }] : []));
}

/** Says what dollars became; nothing where none were given. */
export function explainUsd(given: GivenWork, { total }: Payment, priceE8: WorkFacts['priceE8']): string[] {
  const isInUsd =
    given.totalAmountUsd !== undefined || given.milestones?.some(({ amount }) => 'usd' in amount) === true;
  if (!isInUsd || total === undefined || priceE8 == null) return [];
  const price = `the published price of ${formatPriceE8(priceE8)} USD`;
  return [
    `The work pays ${formatTok(total)} TOK: the dollars at ${price}, rounded up to a hundredth. The terms are in TOK.`,
  ];
}
