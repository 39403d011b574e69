// A draft becomes a task only when the contracts would take it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashCriteria, parseDocumentUri, parseTok } from '@svc/sdk/domain';
import { type Draft, emptyDraft, readDraft } from './draft.ts';

const now = 1_800_000_000;
const good: Draft = { ...emptyDraft, title: 'Birds', criteria: 'Ten names.', milestones: ['100'] };
const faultsOf = (change: Partial<Draft>, market: 'standard' | 'micro' = 'standard') =>
  Object.keys(readDraft({ ...good, ...change }, market, now).faults);

test('a single amount is posted without a list of milestones, and funded in full at once', () => {
  const { post } = readDraft({ ...good, tags: ' a, b ,, ' }, 'standard', now);
  assert.equal(post?.totalAmountTokWei, parseTok('100'));
  assert.deepEqual(post?.milestonesTokWei, []);
  assert.equal(post?.fundNowTokWei, parseTok('100'));
  assert.equal(post?.deadline, now + 7 * 86_400);
  assert.equal(post?.criteriaHash, hashCriteria('Ten names.'));
  assert.deepEqual(parseDocumentUri(post?.uri ?? '')?.tags, ['a', 'b']);
});

test('several milestones add up exactly', () => {
  const { post } = readDraft({ ...good, milestones: ['60.000000000000000001', '40'] }, 'standard', now);
  assert.equal(post?.totalAmountTokWei, parseTok('100.000000000000000001'));
  assert.equal(post?.milestonesTokWei.length, 2);
});

test('what the contracts would refuse is named at its field', () => {
  assert.deepEqual(faultsOf({ title: ' ' }), ['title']);
  assert.deepEqual(faultsOf({ criteria: '' }), ['criteria']);
  for (const amount of ['', '1e3', '-5', '1,000', '0x10', '99.999'])
    assert.deepEqual(faultsOf({ milestones: [amount] }), ['milestones'], amount);
  assert.deepEqual(faultsOf({ milestones: ['200', '9.99'] }), ['milestones']);
  assert.deepEqual(faultsOf({ milestones: ['5'] }, 'micro'), []);
  for (const days of ['0', '365', 'soon', '']) assert.deepEqual(faultsOf({ days }), ['days'], days);
  assert.deepEqual(faultsOf({ reviewHours: '11' }), ['reviewHours']);
  assert.deepEqual(faultsOf({ reviewHours: '169' }, 'micro'), ['reviewHours']);
  assert.deepEqual(faultsOf({ description: 'x'.repeat(9_000) }), ['description']);
});
