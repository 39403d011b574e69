// The form of an offer as typed: from an open task, from the offer that it answers, or empty.
import { formatTok, type Market } from '@svc/sdk/domain';
import type { TermsDocument } from '@svc/sdk/schemas';
import type { Task } from '#data/market.ts';
import { type Draft, type DraftErrors, emptyDraft, parseDraft } from '../post/draft.ts';
import type { ReadableOffer } from './OfferCard.tsx';

export type OfferDraft = {
  readonly draft: Draft;
  readonly market: Market;
  readonly role: 'poster' | 'worker';
  readonly scope: 'open' | 'private';
  /** How long the offer can be accepted. */
  readonly validDays: string;
  /** Why, for the other party. */
  readonly rationale: string;
};

const day = 86_400;
const hour = 3_600;

export function startOffer(role: OfferDraft['role'], market: Market): OfferDraft {
  return { draft: emptyDraft, market, role, scope: 'private', validDays: '2', rationale: '' };
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
  { terms, document }: ReadableOffer,
  role: OfferDraft['role'],
  now: number,
): OfferDraft {
  return {
    ...startOffer(role, terms.market),
    scope: terms.scope,
    draft: {
      ...describeWork(terms, document),
      days: String(Math.max(1, Math.round((terms.deadline - now) / day))),
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
  kept: { readonly draft: Draft; readonly deadline: number } | null,
): {
  readonly args: Readonly<Record<string, unknown>> | null;
  readonly errors: DraftErrors;
  readonly validError?: string;
} {
  const { post, errors } = parseDraft(draft, market, now);
  const valid = /^[0-9]{1,2}(\.[0-9]{1,3})?$/.test(validDays.trim()) ? Number(validDays) : 0;
  const validError = valid > 0 && valid <= 30 ? undefined : 'Enter a number of days from 0.1 to 30.';
  if (post === null || validError !== undefined)
    return { args: null, errors, ...(validError !== undefined && { validError }) };
  const { fundNowTokWei: _, ...args } = post.args as Record<string, unknown>;
  // Days from now change with every minute; a deadline that nobody touched stays.
  const isKept = kept?.draft.days === draft.days && kept.draft.due === draft.due;
  const deadline = kept !== null && isKept ? kept.deadline : post.deadline;
  const acceptBy = Math.min(now + Math.round(valid * day), deadline - 60);
  return { args: { ...args, deadline: String(deadline), scope, acceptBy: String(acceptBy) }, errors };
}
