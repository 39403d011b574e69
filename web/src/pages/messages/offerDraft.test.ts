// A counter-offer begins with the terms that it answers, in figures that a person would write.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startCounter } from './offerDraft.ts';

const now = 1_800_000_000;
const day = 86_400;
const document = { title: 'Count the birds', description: '', criteria: 'All.', milestones: [], tags: [] };
const termsUntil = (deadline: number) => ({
  market: 'standard',
  scope: 'private',
  totalAmountTokWei: '1500000000000000000000',
  milestones: [],
  reviewPeriod: 2 * day,
  deadline,
});
const daysUntil = (deadline: number) =>
  startCounter({ terms: termsUntil(deadline), document } as never, 'worker', now).draft.days;

test('the days until the deadline are whole, also some seconds later', () => {
  assert.equal(daysUntil(now + 7 * day), '7');
  assert.equal(daysUntil(now + 7 * day - 90), '7');
  assert.equal(daysUntil(now + 60), '1', 'never none');
});

test('amounts and words are those of the offer', () => {
  const { draft, scope } = startCounter({ terms: termsUntil(now + day), document } as never, 'worker', now);
  assert.deepEqual([draft.title, draft.milestones, scope], ['Count the birds', ['1500'], 'private']);
});
