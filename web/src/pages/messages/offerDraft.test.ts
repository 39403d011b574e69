// A counter-offer begins with the terms that it answers, in figures that a person would write.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findAcceptanceMistake } from '@svc/sdk/internal/domain/terms';
import { parseOffer, parseSavedOffer, startCounter } from './offerDraft.ts';

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
const counterOf = (deadline: number) =>
  startCounter({ hash: '0x5e', terms: termsUntil(deadline), document } as never, 'worker', now);

test('the days until the deadline are whole, also some seconds later, and it stays until another is chosen', () => {
  const deadline = now + 7 * day - 90;
  const counter = counterOf(deadline);
  assert.equal(counter.draft.days, '7');
  const kept = parseSavedOffer(JSON.parse(JSON.stringify(counter)));
  assert.equal(parseOffer(kept, now + 3_600).args?.deadline, String(deadline));
  const chosen = { ...counter, draft: { ...counter.draft, days: '8', until: null } };
  assert.equal(parseOffer(chosen, now).args?.deadline, String(now + 8 * day));
});

test('an offer ends when the contracts would no longer take it, at the latest', () => {
  const endOf = (validDays: string) => parseOffer({ ...counterOf(now + 60 * day), validDays }, now);
  assert.equal(endOf('2').args?.acceptBy, String(now + 2 * day));
  assert.equal(findAcceptanceMistake(Number(endOf('14').args?.acceptBy), now - 60), null, 'for older blocks');
  for (const days of ['15', '0', '', 'x']) assert.match(endOf(days).validError ?? '', /to 14/, days);
});

test('amounts and words are those of the offer', () => {
  const { draft, scope } = startCounter({ terms: termsUntil(now + day), document } as never, 'worker', now);
  assert.deepEqual([draft.title, draft.milestones, scope], ['Count the birds', ['1500'], 'private']);
});
