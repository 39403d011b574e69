// The form of a listing: that of a post, with the least price and the time for proposals beside it.

import { type ListingDocument, listingDocumentSchema } from '@svc/sdk/client';
import { type Artifact, buildTaskDocument } from '@svc/sdk/documents';
import { formatTok, type Market } from '@svc/sdk/domain';
import { maxListingSeconds } from '@svc/sdk/internal/schemas/listings';
import { splitBudget } from '@svc/sdk/negotiation';
import { parseAmount } from '../../data/formValues.ts';
import type { Listing, ListingWords } from '../../data/listings.ts';
import { type Draft, daysUntil, emptyDraft, type ListingForm, type Post } from '../post/draft.ts';

const day = 86_400;
const wholeBps = 10_000;
export const maxOpenDays = maxListingSeconds / day;

type Posted = { market: Market; post: Post; artifacts: readonly Artifact[]; now: number };

/** The document and its end, or a sentence that says what to correct. */
export function parseListing(
  draft: Draft,
  { least, openDays, until }: ListingForm,
  { market, post, artifacts, now }: Posted,
): { readonly document: ListingDocument; readonly expiresAt: number } | string {
  const max = BigInt(String(post.args.totalAmountTokWei));
  const min = least.trim() === '' ? max : parseAmount(least);
  if (min === null || min > max) return 'The least price must be an amount of TOK up to the highest one.';
  const expiresAt = until ?? now + Math.round(Number(openDays) * day);
  if (!(expiresAt > now && expiresAt <= now + maxListingSeconds))
    return `Proposals can be taken for up to ${maxOpenDays} days.`;
  if (expiresAt >= post.deadline)
    return 'The deadline must be later than the days in which proposals are taken. Change one of them.';
  const { document: task } = buildTaskDocument({
    title: draft.title.trim(),
    description: draft.description,
    criteria: draft.criteria,
    milestones: post.milestonesTokWei.map((_, at) => draft.milestoneTexts[at]?.trim() ?? ''),
    tags: [...(post.args.tags as readonly string[])],
    ...(artifacts.length > 0 && { artifacts: [...artifacts] }),
  });
  const parsed = listingDocumentSchema.safeParse({
    schema: 'svc-listing-v1',
    market,
    task,
    budget: { minTokWei: String(min), maxTokWei: String(max) },
    milestoneBps: shareOut(post.milestonesTokWei, max),
    deadline: post.deadline,
    reviewPeriod: post.reviewPeriod,
  });
  if (!parsed.success) return `${parsed.error.issues[0]?.message ?? 'Something is missing'}.`;
  return { document: parsed.data, expiresAt };
}

/** Shares in hundredths of a percent that add up; the last one takes what is left by rounding. */
function shareOut(amounts: readonly bigint[], total: bigint): number[] {
  const shares = amounts.map((amount) => Number((amount * BigInt(wholeBps)) / total));
  const sum = shares.reduce((one, other) => one + other, 0);
  return shares.map((share, at) => (at === shares.length - 1 ? share + wholeBps - sum : share));
}

/** The form of a listing that is edited. Its deadline and its end stay until others are chosen. */
export function startListing(
  { expiresAt }: Pick<Listing, 'expiresAt'>,
  words: ListingWords,
  now: number,
): { readonly draft: Draft; readonly listing: ListingForm } {
  const { task, budget, milestoneBps, deadline, reviewPeriod } = words;
  const max = BigInt(budget.maxTokWei);
  const amounts = milestoneBps.length === 0 ? [max] : splitBudget(max, milestoneBps);
  return {
    draft: {
      ...emptyDraft,
      title: task.title,
      description: task.description,
      criteria: task.criteria,
      tags: task.tags.join(', '),
      milestones: amounts.map((amount) => formatTok(amount)),
      milestoneTexts: task.milestones,
      days: daysUntil(deadline, now),
      until: deadline,
      reviewHours: String(reviewPeriod / 3_600),
    },
    listing: {
      least: budget.minTokWei === budget.maxTokWei ? '' : formatTok(BigInt(budget.minTokWei)),
      openDays: daysUntil(expiresAt, now),
      until: expiresAt,
    },
  };
}
