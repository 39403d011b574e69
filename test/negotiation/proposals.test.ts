// Attacks on proposals: for another listing, with other words, milestones or review time, after acceptBy, after withdrawal, with
// a second negotiation id, and more signatures than bonds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PrivateKeyAccount } from 'viem/accounts';
import { hashCanonical, toCanonical } from '#sdk/domain/canonical.ts';
import { noHead, parseWire } from '#sdk/negotiation/envelope.ts';
import {
  compareWithListing,
  countFreeBonds,
  listLiveSignatures,
  readProposal,
  requireFreeBond,
} from '#sdk/negotiation/proposals.ts';
import { splitBudget } from '#sdk/rules/offer.ts';
import { hashTermsDocument, type TaskDocument } from '#sdk/rules/terms.ts';
import type { ListingDocument } from '#sdk/schemas/listings.ts';
import {
  buildAcceptance,
  buildOffer,
  buildTerms,
  type Line,
  now,
  nowSeconds,
  poster,
  stranger,
  transcriptOf,
  worker,
  write,
  writeAll,
} from '../support/negotiating.ts';

const day = 86_400;
const tok = (amount: number) => BigInt(amount) * 10n ** 18n;
const place = { chainId: 8453, registry: '0x7a5c00000000000000000000000000000000f00d' } as const;
const id = `0x${'5e'.repeat(32)}` as const;

const task: TaskDocument = {
  schema: 'svc-task-v1',
  title: 'Draw ten birds',
  description: 'For a field guide.',
  criteria: 'Ten pictures.',
  milestones: ['Sketches', 'Pictures'],
  tags: ['art'],
};

const document: ListingDocument = {
  schema: 'svc-listing-v1',
  market: 'standard',
  task,
  budget: { minTokWei: String(tok(400)), maxTokWei: String(tok(800)) },
  milestoneBps: [3_000, 7_000],
  deadline: nowSeconds + 20 * day,
  reviewPeriod: 3 * day,
};

const listing = { id, poster: poster.address, document };

function offerOf(change: Parameters<typeof buildTerms>[0] = {}, words: TaskDocument = task) {
  const totalAmount = change?.totalAmount ?? tok(600);
  const terms = buildTerms({
    totalAmount,
    milestones: splitBudget(totalAmount, document.milestoneBps).map((amount) => ({ amount })),
    criteriaHash: hashCanonical(words),
    deadline: nowSeconds + 10 * day,
    reviewPeriod: document.reviewPeriod,
    scope: 'open',
    ...change,
  });
  return { terms, document: words };
}

const propose = ({ terms, document: words } = offerOf(), more: object = { about: id }): Line => [
  worker,
  'TaskProposal',
  { ...buildOffer(terms, words), ...more },
];
const note = (by: PrivateKeyAccount, payload: object): Line => [by, 'Note', { text: 'x', ...payload }];

const read = async (said: readonly Line[], known: Partial<Parameters<typeof readProposal>[1]> = {}) =>
  readProposal(transcriptOf(await writeAll(said)), { listing, place, now, ...known });
const stateOf = async (...of: Parameters<typeof read>) => (await read(...of))?.state;

test('a proposal at another price and day is plain: one click may be offered', async () => {
  const proposal = await read([propose()]);
  assert.deepEqual(
    [proposal?.state, proposal?.comparison.isPlain, proposal?.worker],
    ['open', true, worker.address],
  );
  const dear = compareWithListing(
    document,
    offerOf({ totalAmount: tok(900), deadline: nowSeconds + 30 * day }),
  );
  assert.deepEqual([dear.isPlain, dear.isAboveBudget, dear.isAfterDeadline], [true, true, true]);
  const fields = dear.differences.map(({ field }) => field);
  assert.deepEqual(fields, ['totalAmountTokWei', 'deadline']);
});

test('changed words, a shorter review, a heavier first milestone, a private task: never one click', () => {
  const total = tok(600);
  const file = { name: 'a.txt', mediaType: 'text/plain', bytes: 1, sha256: 'ab'.repeat(32) };
  const cases: readonly [string, ReturnType<typeof offerOf>][] = [
    ['title', offerOf({}, { ...task, title: 'Draw two birds' })],
    ['criteria', offerOf({}, { ...task, criteria: 'Ten pictures. ' })],
    ['description', offerOf({}, { ...task, description: '' })],
    ['tags', offerOf({}, { ...task, tags: [] })],
    ['milestone text 1', offerOf({}, { ...task, milestones: ['Pictures', 'Sketches'] })],
    ['artifacts', offerOf({}, { ...task, artifacts: [file] })],
    ['blind', offerOf({}, { ...task, blind: `0x${'11'.repeat(32)}` })],
    ['reviewPeriod', offerOf({ reviewPeriod: day })],
    ['scope', offerOf({ scope: 'private' })],
    ['milestone amount 1', offerOf({ milestones: [{ amount: total - tok(100) }, { amount: tok(100) }] })],
    ['milestone amount 1', offerOf({ milestones: [] }, { ...task, milestones: [] })],
  ];
  for (const [field, offer] of cases) {
    const { isPlain, differences } = compareWithListing(document, offer);
    assert.equal(isPlain, false, field);
    assert.ok(
      differences.some((one) => one.field === field),
      `${field}: ${differences.map((one) => one.field)}`,
    );
  }
});

test('a proposal is one for the listing that its first offer names, and for no other', async () => {
  const foreign = propose(offerOf(), { about: `0x${'77'.repeat(32)}` });
  const [by, , payload] = propose(offerOf({ totalAmount: tok(500) }));
  assert.equal(await read([foreign]), null);
  assert.equal(await read([propose(offerOf(), {})]), null);
  assert.equal(
    await read([foreign, [by, 'TaskCounterOffer', payload]]),
    null,
    'a later message does not move it',
  );
});

test('terms for another registry, market, poster or worker are not valid for the listing', async () => {
  const elsewhere = { chainId: 1, registry: place.registry } as const;
  assert.equal(await stateOf([propose()], { place: elsewhere }), 'invalid');
  assert.equal(await stateOf([propose(offerOf({ market: 'micro' }))]), 'invalid');
  assert.equal(await read([propose()], { listing: { ...listing, poster: stranger.address } }), null);
});

test('after acceptBy, after a withdrawal and after a task nothing can be accepted', async () => {
  const offer = offerOf();
  const [first = assert.fail()] = await writeAll([propose(offer)]);
  const said: Line[] = [
    propose(offer),
    [worker, 'TaskAcceptance', await buildAcceptance(worker, offer.terms, first.hash)],
  ];
  const binding = await read(said);
  assert.deepEqual([binding?.state, binding?.signature !== null], ['binding', true]);
  const late = new Date((offer.terms.acceptBy + 1) * 1_000);
  assert.equal(await stateOf(said, { now: late }), 'ended');
  assert.equal(await stateOf(said, { taskId: 'v2:standard:9' }), 'tasked');
  const withdraws = first.hash;
  assert.equal(await stateOf([...said, note(worker, { withdraws })]), 'withdrawn');
  assert.equal(await stateOf([...said, note(poster, { withdraws })]), 'binding', 'of the other party');
  const another = note(worker, { withdraws: `0x${'99'.repeat(32)}` });
  assert.equal(await stateOf([...said, another]), 'binding', 'another offer');
});

test('the poster chooses or declines an unsigned proposal; its own words change nothing of the offer', async () => {
  const [{ hash } = assert.fail()] = await writeAll([propose()]);
  assert.equal(await stateOf([propose(), note(poster, { chooses: hash })]), 'chosen');
  assert.equal(await stateOf([propose(), note(worker, { chooses: hash })]), 'open', 'not by the worker');
  assert.equal(await stateOf([propose(), note(poster, { declines: hash })]), 'declined');
});

test('one offer under a second negotiation id is refused by every reader', async () => {
  const second = crypto.randomUUID();
  const [by, type, payload] = propose();
  await assert.rejects(async () => write(by, type, payload, noHead, { negotiationId: second }), /salt/);
  const { envelope, signature } = await write(by, type, payload);
  const moved = { ...envelope, negotiationId: second };
  const parsed = parseWire(toCanonical({ envelope: moved, hash: hashCanonical(moved), signature }));
  assert.ok('refusal' in parsed && /salt/.test(parsed.refusal.detail), JSON.stringify(parsed));
});

test('live signatures are counted over all conversations, and free bonds limit them', async () => {
  const offer = offerOf();
  const [by, , replaced] = propose(offerOf({ totalAmount: tok(500) }));
  const transcript = transcriptOf(
    await writeAll([
      propose(offer),
      [worker, 'TaskAcceptance', await buildAcceptance(worker, offer.terms)],
      [by, 'TaskCounterOffer', replaced],
    ]),
  );
  const count = (at = now, ended?: ReadonlySet<string>) =>
    listLiveSignatures([transcript], worker.address, at, ended).length;
  assert.equal(count(), 1, 'a replaced offer is still signed');
  assert.equal(count(now, new Set([hashTermsDocument(offer.terms).toLowerCase()])), 0, 'revoked, or a task');
  assert.equal(count(new Date((offer.terms.acceptBy + 1) * 1_000)), 0);
  requireFreeBond(1, 2);
  for (const [live, free] of [
    [2, 2],
    [0, 0],
    [3, 1],
  ] as const)
    assert.throws(() => requireFreeBond(live, free), /top up, or take a signature back/);
  const figures = { entryUsdc: 25n, bondUsdc: 5n };
  assert.deepEqual(
    [
      [24n, 0n],
      [25n, 0n],
      [25n, 20n],
      [25n, 25n],
    ].map(([balance = 0n, locked = 0n]) => countFreeBonds({ balance, locked }, figures)),
    [0, 5, 1, 0],
  );
});
