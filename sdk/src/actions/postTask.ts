// Posting an open task; also what it shares with agreed tasks: the arguments of the work, its texts and its bounds.
import type { Hex } from 'viem';
import * as z from 'zod';
import { encodeCall } from '../chain/encodeCall.ts';
import { buildTaskDocument } from '../documents/buildDocument.ts';
import { formatMoment, formatTok } from '../domain/amount.ts';
import { hashDocument, readInlineUri } from '../domain/document.ts';
import type { Market } from '../domain/market.ts';
import { marketParameters, protocolConstants } from '../domain/parameters.ts';
import { findAcceptanceMistake, hashCriteria } from '../domain/terms.ts';
import type { Artifact } from '../schemas/documents.ts';
import { type ActionContext, defineWalletAction } from './action.ts';
import {
  artifactsArgument,
  durationArgument,
  exampleWallets,
  hashArgument,
  type Moment,
  milestonesArgument,
  momentArgument,
  readPayment,
  refuse,
  takeTok,
  textArgument,
  tokArgument,
  tokWeiArgument,
} from './arguments.ts';
import { warnOfQuota } from './buyPlan.ts';
import { purchaseArguments } from './buyTok.ts';
import { entryCosts, warnOfDispute } from './costs.ts';

const hour = 3_600;
const day = 24 * hour;

/** The words of a task. */
export const textArguments = {
  title: textArgument.optional().describe('title of the task'),
  description: textArgument.default('').describe('what is to be done'),
  criteriaText: textArgument.optional().describe('what the work must meet; binds both parties'),
  tags: z.array(textArgument, { error: 'must be a list' }).max(20, 'are at most 20').default([]),
};

/** The work: what it pays, when it is due, and its texts. */
export const workArguments = {
  totalAmountTok: tokArgument.optional().describe('what the whole work pays, in TOK'),
  totalAmountTokWei: tokWeiArgument.optional(),
  milestones: milestonesArgument,
  deadline: momentArgument.describe('when the work is due: Unix seconds, a date, or such as +7d'),
  reviewPeriod: durationArgument
    .default(marketParameters.standard.usualReviewSeconds)
    .describe('time to look at a delivery; default 3d'),
  ...textArguments,
  criteriaHash: hashArgument.optional().describe('of texts that are elsewhere, instead of criteriaText'),
};

export type Texts = z.output<z.ZodObject<typeof textArguments>> & {
  /** A single milestone needs no separate text. */
  readonly milestones: readonly { readonly description?: string | undefined }[];
};

/** The words of the task document; null without a title. */
export function readWords({ title, description, criteriaText: criteria = '', tags, milestones }: Texts) {
  if (title === undefined) return null;
  const parts = milestones.length < 2 ? [] : milestones.map((part) => part.description ?? '');
  return { title, description, criteria, milestones: parts, tags };
}

/** A dispute is decided by the criteria, so none goes out without them. */
export function findMissingCriteria({ title, criteriaText = '' }: Partial<Texts>): string | false {
  return (
    title !== undefined && criteriaText.trim() === '' && 'criteriaText: is required, what the work must meet'
  );
}

/** The task document of these texts, inline; null without a title. */
export function buildTexts({
  artifacts = [],
  ...texts
}: Texts & { readonly artifacts?: readonly Artifact[] }) {
  const words = readWords(texts);
  return words && buildTaskDocument({ ...words, ...(artifacts.length > 0 && { artifacts: [...artifacts] }) });
}

export const postTask = defineWalletAction({
  name: 'post-task',
  title: 'Post a task',
  summary: 'post an open task that anyone may claim',
  effect: 'The task is listed, and any other wallet may claim it on exactly these terms.',
  by: ['anyone'],
  costs: entryCosts,
  risk: () =>
    'The fee is not returned. What is in escrow is paid when you accept, or when your review time passes in silence.',
  undo: 'Until somebody claims it you may cancel: escrow and bond come back, the fee does not.',
  becomes: () => 'POSTED',
  next:
    'A worker may claim it until the deadline; later it can be closed, and escrow comes back. After a claim you fund what ' +
    'is missing and start the work within a day. Then an unfunded task can be ended, and a funded one the worker may start.',
  calls: ['TaskRegistry.postTask'],
  input: {
    ...workArguments,
    artifacts: artifactsArgument,
    uri: textArgument
      .max(8_192, 'is too long')
      .optional()
      .describe('where the texts are, instead of a title'),
    fundNowTok: tokArgument.optional().describe('TOK into escrow at once; default none'),
    fundNowTokWei: tokWeiArgument.optional(),
    ...purchaseArguments,
  },
  example: {
    title: 'Translate a manual',
    description: 'From Danish to English, 20 pages.',
    criteriaText: 'Every page is there, and no sentence is left out.',
    totalAmountTok: '1500',
    deadline: '+7d',
    reviewPeriod: '3d',
    fundNowTok: '1500',
    from: exampleWallets.poster,
  },
  check: findMistakes,
  build: async (args, context) => {
    const name = 'post-task';
    const { from, contracts, reads } = context;
    const { total, milestones } = readPayment(takeTok(name, args, 'totalAmount'), args.milestones);
    const texts = buildTexts(args);
    const uri = texts?.uri ?? args.uri;
    const fundNow = takeTok(name, args, 'fundNow') ?? 0n;
    const mistakes = await findMistakes(args, context);
    if (mistakes.length > 0 || total === undefined || uri === undefined) refuse(name, ...mistakes);
    const deadline = args.deadline(await reads.readNow());
    const { reviewPeriod } = args;
    // Empty for one single milestone: the contracts refuse a list of one.
    const amounts = milestones.map(({ amount }) => amount);
    const criteriaHash = texts === null ? hashLinked(name, args, uri) : texts.hash;
    const warnings = await warnOfQuota(context, from);
    const params = {
      totalAmount: total,
      deadline: BigInt(deadline),
      reviewPeriod,
      criteriaHash,
      milestones: amounts,
      uri,
      fundNow,
    };
    return {
      encoded: encodeCall(contracts, 'TaskRegistry', 'postTask', [params]),
      engages: [from],
      warnings: [...warnings, warnOfDispute('poster', amounts.length === 0 ? [total] : amounts)],
      result: { criteriaHash },
    };
  },
});

/** What the schema does not show. Fields that are `wrong` count as given, and are not looked at. */
async function findMistakes(
  args: GivenWork & {
    readonly uri?: string | undefined;
    readonly artifacts?: readonly Artifact[] | undefined;
  },
  context: Pick<ActionContext, 'market' | 'reads'>,
  wrong: ReadonlySet<string> = new Set(),
): Promise<string[]> {
  const { criteriaHash, uri, artifacts = [] } = args;
  const { description = '', tags = [], milestones = [] } = args;
  const texts = buildTexts({ ...args, description, tags, milestones, artifacts });
  const isTitled = texts !== null || wrong.has('title');
  return [
    !wrong.has('criteriaText') && findMissingCriteria(args),
    texts !== null && uri !== undefined && 'uri: give it or a title, not both',
    !isTitled && artifacts.length > 0 && 'artifacts: give a title as well',
    !isTitled && uri === undefined && !wrong.has('uri') && 'title: is required, or uri',
    texts !== null &&
      wrong.size === 0 &&
      criteriaHash !== undefined &&
      criteriaHash !== texts.hash &&
      `criteriaHash: with a title it is ${texts.hash}, the hash of the whole task document; leave it out`,
    ...(await findWorkMistakes('post-task', args, context, wrong)),
  ].filter((mistake) => mistake !== false);
}

export type GivenWork = Partial<z.output<z.ZodObject<typeof workArguments>>>;

/** What both ways of agreeing on work check: its amounts and its times. */
export async function findWorkMistakes(
  action: string,
  args: GivenWork & { readonly acceptBy?: Moment | undefined },
  { market, reads }: Pick<ActionContext, 'market' | 'reads'>,
  wrong: ReadonlySet<string>,
): Promise<string[]> {
  const given = args.milestones ?? [];
  const { total, milestones } = readPayment(takeTok(action, args, 'totalAmount'), given);
  const isPriced = ['totalAmountTok', 'totalAmountTokWei', 'milestones'].some((name) => wrong.has(name));
  const [now, { minTotalTokWei }] = await Promise.all([reads.readNow(), reads.readFigures(market)]);
  const terms = {
    total,
    milestones: milestones.map(({ amount }) => amount),
    deadline: args.deadline?.(now),
    reviewPeriod: args.reviewPeriod,
    acceptBy: args.acceptBy?.(now),
  };
  const missing = total === undefined && !isPriced ? ['totalAmountTok: is required'] : [];
  return [...missing, ...findOutOfBounds(terms, { market, now, minTotalTokWei })];
}

/** Of a document that the poster has put elsewhere: the hash that is given, or that of the inline document itself. */
function hashLinked(
  action: string,
  {
    criteriaHash: given,
    criteriaText: text,
  }: { readonly criteriaHash?: Hex | undefined } & Pick<Texts, 'criteriaText'>,
  uri: string,
): Hex {
  const hash = text === undefined ? given : hashCriteria(text);
  if (given !== undefined && hash !== given) refuse(action, 'criteriaHash: is not the hash of criteriaText');
  const inline = readInlineUri(uri);
  return hash ?? (inline === null ? hashCriteria('') : hashDocument(inline.bytes));
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

/** What the chain says where the terms are to count. */
export type Bounds = { readonly market: Market; readonly now: number; readonly minTotalTokWei: bigint };

/** Mistakes in the terms that the contracts would refuse, found before anyone signs them. What is not given has none. */
export function findOutOfBounds(
  terms: { readonly [Name in keyof BoundedTerms]?: BoundedTerms[Name] | undefined },
  { market, now, minTotalTokWei }: Bounds,
): string[] {
  const { minReviewSeconds, maxReviewSeconds } = marketParameters[market];
  const { maxDurationSeconds, maxMilestones } = protocolConstants;
  const least = minTotalTokWei / BigInt(maxMilestones);
  const { total, milestones = [], deadline = now + 1, reviewPeriod = minReviewSeconds, acceptBy } = terms;
  const end = acceptBy === undefined ? null : findAcceptanceMistake(acceptBy, now);
  const isReviewable = reviewPeriod >= minReviewSeconds && reviewPeriod <= maxReviewSeconds;
  return [
    total !== undefined &&
      total < minTotalTokWei &&
      `totalAmountTok: must be ${formatTok(minTotalTokWei)} TOK or more`,
    milestones.some((amount) => amount < least) && `milestones: must each be ${formatTok(least)} TOK or more`,
    deadline <= now && `deadline: must be later than now, which is ${formatMoment(now)} on the chain`,
    deadline > now + maxDurationSeconds && `deadline: must be within ${maxDurationSeconds / day} days`,
    !isReviewable && `reviewPeriod: must be ${minReviewSeconds / hour}h to ${maxReviewSeconds / day}d`,
    end !== null && `acceptBy: ${end}`,
  ].filter((mistake) => mistake !== false);
}
