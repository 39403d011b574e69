// What a poster has typed, and the task that it makes once every field is right.
import type { PostArguments } from '@svc/sdk/chain';
import type { Market } from '@svc/sdk/domain';
import {
  buildDocumentUri,
  hashCriteria,
  marketParameters,
  parseTok,
  protocolConstants,
} from '@svc/sdk/domain';
import { showDuration, showTok } from '../../data/format.ts';

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
export type Faults = Partial<Readonly<Record<keyof Draft, string>>>;

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

export function readDraft(
  draft: Draft,
  market: Market,
  now: number,
): { readonly post: Post | null; readonly faults: Faults } {
  const faults: Record<string, string> = {};
  const figures = marketParameters[market];
  if (draft.title.trim() === '') faults.title = 'A task needs a title.';
  if (draft.criteria.trim() === '')
    faults.criteria = 'Say what will be accepted: it is what the terms are bound to.';
  const milestones = readMilestones(draft.milestones);
  const total = milestones?.reduce((sum, amount) => sum + amount, 0n) ?? 0n;
  if (milestones === null) faults.milestones = 'Each amount is a plain number of TOK, such as 1500 or 0.5.';
  else if (total < figures.minTotalTokWei)
    faults.milestones = `A task of this market pays at least ${showTok(figures.minTotalTokWei)} TOK.`;
  else if (milestones.some((amount) => amount < figures.minTotalTokWei / 10n))
    faults.milestones = `A milestone pays at least ${showTok(figures.minTotalTokWei / 10n)} TOK.`;
  const days = readNumber(draft.days);
  const longest = protocolConstants.maxDurationSeconds / day;
  if (days === null || days <= 0 || days >= longest)
    faults.days = `The deadline is more than 0 and less than ${longest} days ahead.`;
  const review = (readNumber(draft.reviewHours) ?? 0) * hour;
  if (review < figures.minReviewSeconds || review > figures.maxReviewSeconds)
    faults.reviewHours = `A review takes ${showDuration(figures.minReviewSeconds)} to ${showDuration(figures.maxReviewSeconds)}.`;
  const uri = readUri(draft);
  if (typeof uri !== 'string') faults.description = uri.message;
  if (Object.keys(faults).length > 0 || milestones === null || typeof uri !== 'string')
    return { post: null, faults };
  return {
    faults,
    post: {
      totalAmountTokWei: total,
      deadline: now + Math.round((days ?? 0) * day),
      reviewPeriod: Math.round(review),
      criteriaHash: hashCriteria(draft.criteria),
      // One single milestone is written as no list at all.
      milestonesTokWei: milestones.length === 1 ? [] : milestones,
      uri,
      fundNowTokWei: draft.funding === 'now' ? total : 0n,
    },
  };
}

function readMilestones(texts: readonly string[]): bigint[] | null {
  try {
    return texts.map((text) => parseTok(text.trim()));
  } catch {
    return null;
  }
}

function readUri(draft: Draft): string | Error {
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

function readNumber(text: string): number | null {
  return /^[0-9]{1,4}(\.[0-9]{1,3})?$/.test(text.trim()) ? Number(text) : null;
}
