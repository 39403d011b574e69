// The form of an offer as typed: from an open task, from the offer that it answers, or empty.

import { formatTok, type Market, markets, protocolConstants } from '@svc/sdk/domain';
import { scopes } from '@svc/sdk/internal/domain/state';
import type { Offer, TermsDocument } from '@svc/sdk/negotiation';
import * as z from 'zod';
import { parseNumber } from '../../data/formValues.ts';
import type { Task } from '../../data/market.ts';
import {
  type Draft,
  type DraftErrors,
  daysUntil,
  draftSchema,
  emptyDraft,
  parseDraft,
} from '../post/draft.ts';

const text = z.string().max(50_000);

const offerSchema = z.object({
  draft: draftSchema,
  market: z.enum(markets),
  role: z.enum(['poster', 'worker']),
  scope: z.enum(scopes),
  /** How long the offer can be accepted. */
  validDays: text,
  /** Why, for the other party. */
  rationale: text,
  /** The hash of the offer that it answers. */
  answers: z.string().nullable(),
});

export type OfferDraft = z.infer<typeof offerSchema>;

/** Of what this browser keeps; throws for what is no draft. */
export const parseSavedOffer = (kept: unknown): OfferDraft => offerSchema.parse(kept);

const day = 86_400;
const hour = 3_600;
const { maxAcceptanceSeconds } = protocolConstants;
/** The newest block may be this much older than the page's clock. */
const clockTolerance = 60;

/** Unix seconds until which an offer of these days can be accepted, or what is wrong with the days. */
export function endOffer(
  validDays: string,
  now: number,
): { readonly acceptBy: number; readonly error?: string } {
  const seconds = Math.round((parseNumber(validDays) ?? 0) * day);
  const most = maxAcceptanceSeconds / day;
  if (seconds <= 0 || seconds > maxAcceptanceSeconds)
    return { acceptBy: now, error: `Enter a number of days from 0.1 to ${most}.` };
  return { acceptBy: now + Math.min(seconds, maxAcceptanceSeconds - clockTolerance) };
}

export function startOffer(role: OfferDraft['role'], market: Market): OfferDraft {
  return {
    draft: emptyDraft,
    market,
    role,
    scope: 'private',
    validDays: '2',
    rationale: '',
    answers: null,
  };
}

/** The same work as an open task; the applicant changes what should differ. */
export function startFromTask(task: Task, now: number): OfferDraft {
  const texts = task.milestones.map(({ description = '' }) => description);
  const days = String(Math.max(1, Math.round((task.deadline - now) / day)));
  return {
    ...startOffer('worker', task.market),
    scope: 'open',
    draft: { ...describeWork(task, { ...task, milestones: texts }), days },
  };
}

export function startCounter(
  { hash, terms, document }: Pick<Offer, 'hash' | 'terms' | 'document'>,
  role: OfferDraft['role'],
  now: number,
): OfferDraft {
  return {
    ...startOffer(role, terms.market),
    scope: terms.scope,
    answers: hash,
    draft: {
      ...describeWork(terms, document),
      days: daysUntil(terms.deadline, now),
      // Days from now change with every minute; a deadline that nobody touched stays.
      until: terms.deadline,
    },
  };
}

/** Of a task document, or of a task whose words may not be known. */
type Words = {
  readonly [Name in 'title' | 'description' | 'criteria']?: string | undefined;
} & { readonly [Name in 'milestones' | 'tags']?: readonly string[] | undefined };

type WorkTerms = Pick<TermsDocument, 'totalAmountTokWei' | 'reviewPeriod'> & {
  readonly milestones: readonly { readonly amountTokWei: string }[];
};

function describeWork(
  { milestones, totalAmountTokWei, reviewPeriod }: WorkTerms,
  { title = '', description = '', criteria = '', tags = [], milestones: texts = [] }: Words,
): Draft {
  const amounts = milestones.length === 0 ? [totalAmountTokWei] : milestones.map((one) => one.amountTokWei);
  return {
    ...emptyDraft,
    title,
    description,
    criteria,
    tags: tags.join(', '),
    milestones: amounts.map((wei) => formatTok(BigInt(wei))),
    milestoneTexts: texts,
    reviewHours: toText(reviewPeriod / hour),
  };
}

function toText(value: number): string {
  return String(Math.max(0, Math.round(value * 1_000) / 1_000));
}

/** Arguments of build-task-terms except the wallets and the conversation, or the mistakes of the form. */
export function parseOffer(
  { draft, market, scope, validDays }: OfferDraft,
  now: number,
): {
  readonly args: Readonly<Record<string, unknown>> | null;
  readonly errors: DraftErrors;
  readonly bytes: number | null;
  readonly validError?: string;
} {
  const { post, errors, bytes } = parseDraft(draft, market, now);
  const end = endOffer(validDays, now);
  if (end.error !== undefined) return { args: null, errors, bytes, validError: end.error };
  if (post === null) return { args: null, errors, bytes };
  const { fundNowTokWei: _, ...args } = post.args as Record<string, unknown>;
  const acceptBy = Math.min(end.acceptBy, post.deadline - 60);
  return { args: { ...args, scope, acceptBy: String(acceptBy) }, errors, bytes };
}
