// The form of a new task as typed, and the task that it describes once all fields are valid.
import type { PostArguments } from '@svc/sdk/chain';
import type { Market } from '@svc/sdk/domain';
import {
  buildDocumentUri,
  hashCriteria,
  marketParameters,
  parseTok,
  protocolConstants,
} from '@svc/sdk/domain';
import { showTok } from '#data/format.ts';
import { showDuration } from '#data/time.ts';

export type Draft = {
  readonly title: string;
  readonly description: string;
  readonly criteria: string;
  readonly tags: string;
  /** TOK of each milestone, in order. */
  readonly milestones: readonly string[];
  readonly days: string;
  readonly reviewHours: string;
  readonly funding: 'now' | 'later';
};

export type Post = PostArguments;
export type DraftErrors = Partial<Readonly<Record<keyof Draft, string>>>;

export const emptyDraft: Draft = {
  title: '',
  description: '',
  criteria: '',
  tags: '',
  milestones: [''],
  days: '7',
  reviewHours: '24',
  funding: 'now',
};

const hour = 3_600;
const day = 86_400;

export function parseDraft(
  draft: Draft,
  market: Market,
  now: number,
): { readonly post: Post | null; readonly errors: DraftErrors } {
  const errors: Record<string, string> = {};
  const figures = marketParameters[market];
  if (draft.title.trim() === '') errors.title = 'Enter a title.';
  if (draft.criteria.trim() === '')
    errors.criteria = 'Say what you will accept. The criteria are part of the terms.';
  const milestones = parseMilestones(draft.milestones);
  const total = milestones?.reduce((sum, amount) => sum + amount, 0n) ?? 0n;
  if (milestones === null)
    errors.milestones = 'Enter each amount as a plain number of TOK, such as 1500 or 0.5.';
  else if (total < figures.minTotalTokWei)
    errors.milestones = `A task on this market must pay at least ${showTok(figures.minTotalTokWei)} TOK.`;
  else if (milestones.some((amount) => amount < figures.minTotalTokWei / 10n))
    errors.milestones = `Each milestone must pay at least ${showTok(figures.minTotalTokWei / 10n)} TOK.`;
  const days = parseNumber(draft.days);
  const longest = protocolConstants.maxDurationSeconds / day;
  if (days === null || days <= 0 || days >= longest)
    errors.days = `Enter a number of days above 0 and below ${longest}.`;
  const review = (parseNumber(draft.reviewHours) ?? 0) * hour;
  if (review < figures.minReviewSeconds || review > figures.maxReviewSeconds)
    errors.reviewHours = `Enter ${reviewRange(market)}.`;
  const uri = buildUri(draft);
  if (typeof uri !== 'string') errors.description = uri.message;
  if (Object.keys(errors).length > 0 || milestones === null || typeof uri !== 'string')
    return { post: null, errors };
  return {
    errors,
    post: {
      totalAmountTokWei: total,
      deadline: now + Math.round((days ?? 0) * day),
      reviewPeriod: Math.round(review),
      criteriaHash: hashCriteria(draft.criteria),
      // The contracts expect an empty list for a single milestone.
      milestonesTokWei: milestones.length === 1 ? [] : milestones,
      uri,
      fundNowTokWei: draft.funding === 'now' ? total : 0n,
    },
  };
}

function parseMilestones(texts: readonly string[]): bigint[] | null {
  try {
    return texts.map((text) => parseTok(text.trim()));
  } catch {
    return null;
  }
}

function buildUri(draft: Draft): string | Error {
  const { title, description, criteria } = draft;
  const tags = draft.tags
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean);
  try {
    return buildDocumentUri({ title: title.trim() || '-', description, criteria, tags });
  } catch (error) {
    return error as Error;
  }
}

function parseNumber(text: string): number | null {
  return /^[0-9]{1,4}(\.[0-9]{1,3})?$/.test(text.trim()) ? Number(text) : null;
}

/** The review time that a market allows. */
export function reviewRange(market: Market): string {
  const { minReviewSeconds, maxReviewSeconds } = marketParameters[market];
  return `${showDuration(minReviewSeconds)} to ${showDuration(maxReviewSeconds)}`;
}
