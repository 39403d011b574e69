// The form of a new task as typed, and the post that it describes once all fields are valid.

import { type Artifact, artifactSchema } from '@svc/sdk/documents';
import { type Market, marketParameters, protocolConstants, SvcError } from '@svc/sdk/domain';
import { buildWorkDocument, findWorkMistakes } from '@svc/sdk/internal/rules/work';
import type { Hex } from 'viem';
import * as z from 'zod';
import { parseAmount, parseNumber, splitList } from '../../data/formValues.ts';
import { templates } from './templates.ts';

const text = z.string().max(50_000);

/** Also what this browser keeps: a draft of an earlier version of this page may lack fields or have others. */
export const draftSchema = z.object({
  title: text,
  description: text,
  criteria: text,
  /** Separated by commas. */
  tags: text,
  /** TOK of each milestone, in order. */
  milestones: z.array(text).min(1).max(protocolConstants.maxMilestones).readonly(),
  /** What is delivered for each of several milestones; those that are missing are empty. */
  milestoneTexts: z.array(text).max(protocolConstants.maxMilestones).readonly(),
  /** Days from now; counts where no date is chosen. */
  days: text,
  /** The chosen date, as a field of local date and time writes it; empty where the days count. */
  due: text,
  /** The exact deadline of the terms that are changed, in Unix seconds; null once another one is chosen. */
  until: z.int().nullable().default(null),
  reviewHours: text,
  funding: z.enum(['now', 'later']),
});

export type Draft = z.infer<typeof draftSchema>;

/** What a listing asks for beside the fields of a post. */
const listingFormSchema = z.object({
  /** The least price, TOK; empty where the amount of the form is the only one. */
  least: text,
  /** How long proposals are taken. */
  openDays: text,
  /** The exact end of the listing that is changed, in Unix seconds; null once other days are chosen. */
  until: z.int().nullable(),
});

export type ListingForm = z.infer<typeof listingFormSchema>;

export const emptyListing: ListingForm = { least: '', openDays: '3', until: null };

/** A valid draft: the arguments of post-task, and the terms that they make. */
export type Post = NonNullable<ReturnType<typeof parseDraft>['post']>;

export type DraftErrors = Partial<Readonly<Record<keyof Draft, string>>>;

export const emptyDraft: Draft = {
  title: '',
  description: '',
  criteria: '',
  tags: '',
  milestones: [''],
  milestoneTexts: [],
  days: '7',
  due: '',
  until: null,
  reviewHours: String(marketParameters.standard.usualReviewSeconds / 3_600),
  funding: 'now',
};

const hour = 3_600;
const day = 86_400;
/** The newest block may be this much older than the page's clock. */
const clockTolerance = 60;

/** The field of each term that the catalog checks. */
const fieldOf: Readonly<Record<string, keyof Draft>> = {
  totalAmountTok: 'milestones',
  milestones: 'milestones',
  deadline: 'days',
  reviewPeriod: 'reviewHours',
};

/** Unix seconds of the deadline; NaN while the date is not whole. */
export function deadlineOf({ days, due, until }: Pick<Draft, 'days' | 'due' | 'until'>, now: number): number {
  if (until !== null) return until;
  if (due !== '') return Math.floor(new Date(due).getTime() / 1_000);
  return now + Math.round((parseNumber(days) ?? 0) * day);
}

/** As a field of days shows it. */
export function daysUntil(moment: number, now: number): string {
  return String(Math.round(((moment - now) / day) * 10) / 10);
}

/** As a field of local date and time takes it; empty for no moment. */
export function toLocalText(seconds: number): string {
  const date = new Date(seconds * 1_000);
  if (Number.isNaN(date.getTime())) return '';
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

export function parseDraft(draft: Draft, market: Market, now: number, artifacts: readonly Artifact[] = []) {
  const errors: Partial<Record<keyof Draft, string>> = {};
  const amounts = parseAmounts(draft.milestones);
  const total = amounts?.reduce((sum, amount) => sum + amount, 0n) ?? 0n;
  // The contracts expect an empty list for a single milestone.
  const milestones = amounts === null || amounts.length === 1 ? [] : amounts;
  const chosen = deadlineOf(draft, now);
  const deadline = Number.isNaN(chosen) ? now : chosen;
  const reviewPeriod = Math.round((parseNumber(draft.reviewHours) ?? 0) * hour);
  const terms = {
    totalAmountTokWei: total,
    milestones: milestones.map((tokWei) => ({ amount: { tokWei } })),
    deadline: () => deadline,
    reviewPeriod,
    acceptBy: () => deadline,
  };
  for (const { at, says } of findWorkMistakes(terms, { market, now: now - clockTolerance })) {
    const field = fieldOf[at];
    if (field !== undefined) errors[field] ??= `It ${says.replace(/(\d)([hd])\b/g, '$1 $2')}.`;
  }
  if (draft.title.trim() === '') errors.title = 'Enter a title.';
  if (draft.criteria.trim() === '')
    errors.criteria = 'Say what you will accept. The criteria are part of the terms.';
  for (const field of listUntouched(draft))
    errors[field] ??= 'Replace the hints of the template by your own words.';
  if (amounts === null) errors.milestones = 'Enter each amount as a plain number, such as 25 or 25.50.';
  if (deadline <= now)
    errors.days =
      draft.due === '' ? 'Enter a number of days above 0.' : 'Choose a date and a time that are not over.';
  const tags = splitList(draft.tags);
  const texts = {
    title: draft.title.trim(),
    description: draft.description,
    criteria: draft.criteria,
    tags,
  };
  const parts = milestones.map((amount, index) => {
    const description = draft.milestoneTexts[index]?.trim() ?? '';
    return { amountTokWei: String(amount), ...(description !== '' && { description }) };
  });
  let criteriaHash: Hex | undefined;
  /** Of the words on chain; null where they are none. */
  let bytes: number | null = null;
  try {
    const built = buildWorkDocument({ ...texts, title: texts.title || '-', artifacts }, parts);
    criteriaHash = built?.hash;
    bytes = built?.bytes.length ?? null;
  } catch (error) {
    errors.description = (error as Error).message;
    if (error instanceof SvcError && error.code === 'DOCUMENT_TOO_LARGE') bytes = Number(error.details.bytes);
  }
  if (Object.keys(errors).length > 0 || criteriaHash === undefined) return { post: null, errors, bytes };
  const args = {
    ...texts,
    ...(artifacts.length > 0 && { artifacts }),
    market,
    totalAmountTokWei: String(total),
    milestones: parts,
    deadline: String(deadline),
    reviewPeriod: String(reviewPeriod),
    fundNowTokWei: draft.funding === 'now' ? String(total) : '0',
  };
  return {
    errors,
    bytes,
    post: { args, deadline, reviewPeriod, criteriaHash, milestonesTokWei: milestones },
  };
}

/** Fields that still hold the words of a template: those say nothing about the work. */
function listUntouched({ title, description }: Draft): ('title' | 'description')[] {
  const isOf = (text: string, given: string) => given.trim() !== '' && text.trim() === given.trim();
  return [
    ...(title.includes('…') || templates.some(({ draft }) => isOf(title, draft.title))
      ? ['title' as const]
      : []),
    ...(templates.some(({ draft }) => isOf(description, draft.description)) ? ['description' as const] : []),
  ];
}

/** What is left to do in the form, in a sentence. */
export function describeErrors(draft: Draft, errors: DraftErrors): string {
  const names = (Object.keys(fieldNames) as (keyof Draft)[]).filter((name) => errors[name] !== undefined);
  const isEmpty = (name: keyof Draft) => [draft[name]].flat().some((text) => String(text).trim() === '');
  const list = (label: string, fields: readonly (keyof Draft)[]) =>
    fields.length === 0 ? [] : [`${label}: ${fields.map((name) => fieldNames[name]).join(', ')}.`];
  return [
    ...list(
      'To correct',
      names.filter((name) => !isEmpty(name)),
    ),
    ...list('Still to fill in', names.filter(isEmpty)),
  ].join(' ');
}

/** As the form calls those that can be wrong, in its order. */
const fieldNames: Partial<Readonly<Record<keyof Draft, string>>> = {
  title: 'Title',
  description: 'The work',
  criteria: 'Accepted when',
  milestones: 'Reward',
  days: 'Due',
  reviewHours: 'Review time',
};

function parseAmounts(texts: readonly string[]): bigint[] | null {
  const amounts = texts.map(parseAmount);
  return amounts.every((amount) => amount !== null) ? amounts : null;
}

/** With the files that were uploaded for it. */
const savedSchema = z.object({
  draft: draftSchema,
  listing: listingFormSchema.default(emptyListing),
  artifacts: z.array(artifactSchema).max(100).readonly(),
  /** Files that were chosen and not uploaded. */
  missing: z
    .array(z.object({ name: text, bytes: z.number() }))
    .max(200)
    .readonly()
    .default([]),
});

/** Of what this browser keeps until it is posted; throws for what is no draft. */
export const parseSavedPost = (kept: unknown) => savedSchema.parse(kept);

export function isBlank(draft: Draft): boolean {
  return JSON.stringify(draft) === JSON.stringify(emptyDraft);
}
