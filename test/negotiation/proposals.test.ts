// Attacks on proposals: for another listing, with other words, milestones or review time, after acceptBy, after withdrawal, with
// a second negotiation id, and more signatures than bonds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PrivateKeyAccount } from 'viem/accounts';
import { hashCanonical, toCanonical } from '#sdk/domain/canonical.ts';
import { buildTermsTypedData } from '#sdk/domain/terms.ts';
import {
  buildEnvelope,
  type Head,
  noHead,
  parseWire,
  type SignedEnvelope,
  signEnvelope,
} from '#sdk/negotiation/envelope.ts';
import {
  compareWithListing,
  countFreeBonds,
  listLiveSignatures,
  readProposal,
  requireFreeBond,
  splitBudget,
} from '#sdk/negotiation/proposals.ts';
import { hashTermsDocument, type TaskDocument, toContractTerms } from '#sdk/negotiation/terms.ts';
import { buildTranscripts } from '#sdk/negotiation/transcript.ts';
import type { ListingDocument } from '#sdk/schemas/listings.ts';
import {
  buildTerms,
  negotiationId,
  now,
  nowSeconds,
  poster,
  stranger,
  worker,
} from '../support/negotiating.ts';

const day = 86_400;
const tok = (amount: number) => BigInt(amount) * 10n ** 18n;
const place = { chainId: 8453, registry: '0x7a5c00000000000000000000000000000000f00d' } as const;
const id = `0x${'5e'.repeat(32)}`;

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

type Said = {
  readonly by: PrivateKeyAccount;
  readonly type: string;
  readonly payload: Record<string, unknown>;
};

async function talk(said: readonly Said[], id = negotiationId) {
  const signed: SignedEnvelope[] = [];
  let head: Head = noHead;
  for (const { by, type, payload } of said) {
    const sender = { evmAddress: by.address, xmtpPublicKey: '' };
    const envelope = buildEnvelope({ type, negotiationId: id, sender, payload }, head, now);
    const one = await signEnvelope(envelope, (typedData) => by.signTypedData(typedData as never));
    signed.push(one);
    head = { sequence: envelope.sequence, hash: one.hash };
  }
  const [transcript = assert.fail('no conversation')] = buildTranscripts(signed).transcripts;
  return { transcript, signed };
}

function propose(
  { terms, document: words } = offerOf(),
  more: Record<string, unknown> = { about: id },
): Said {
  const payload = {
    terms,
    document: words,
    settlementDigest: hashTermsDocument(terms),
    expiresAt: terms.acceptBy,
  };
  return { by: worker, type: 'TaskProposal', payload: { ...payload, ...more } };
}

async function accept(offerHash: string, { terms } = offerOf(), by = worker): Promise<Said> {
  const { terms: contractTerms, place: where } = toContractTerms(terms);
  const signature = await by.signTypedData(buildTermsTypedData(contractTerms, where));
  return {
    by,
    type: 'TaskAcceptance',
    payload: { offerHash, settlementDigest: hashTermsDocument(terms), signature },
  };
}

const read = async (said: readonly Said[], known: Partial<Parameters<typeof readProposal>[1]> = {}) =>
  readProposal((await talk(said)).transcript, { listing, place, now, ...known });

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
  assert.deepEqual(
    dear.differences.map(({ field }) => field),
    ['totalAmountTokWei', 'deadline'],
  );
});

test('changed words, a shorter review, a heavier first milestone, a private task: never one click', () => {
  const total = tok(600);
  const cases: readonly [string, ReturnType<typeof offerOf>][] = [
    ['title', offerOf({}, { ...task, title: 'Draw two birds' })],
    ['criteria', offerOf({}, { ...task, criteria: 'Ten pictures. ' })],
    ['description', offerOf({}, { ...task, description: '' })],
    ['tags', offerOf({}, { ...task, tags: [] })],
    ['milestone text 1', offerOf({}, { ...task, milestones: ['Pictures', 'Sketches'] })],
    [
      'artifacts',
      offerOf(
        {},
        {
          ...task,
          artifacts: [{ name: 'a.txt', mediaType: 'text/plain', bytes: 1, sha256: 'ab'.repeat(32) }],
        },
      ),
    ],
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
  const other = `0x${'77'.repeat(32)}`;
  assert.equal(await read([propose(offerOf(), { about: other })]), null);
  assert.equal(await read([propose(offerOf(), {})]), null);
  const { transcript, signed } = await talk([propose(offerOf(), { about: other })]);
  assert.equal(readProposal(transcript, { listing, place, now }), null);
  const moved = { ...propose(offerOf({ totalAmount: tok(500) })), type: 'TaskCounterOffer' };
  assert.equal(
    await read([propose(offerOf(), { about: other }), moved]),
    null,
    'a later message does not move it',
  );
  assert.equal(signed.length, 1);
});

test('terms for another registry, market, poster or worker are not valid for the listing', async () => {
  const elsewhere = { chainId: 1, registry: place.registry } as const;
  assert.equal((await read([propose()], { place: elsewhere }))?.state, 'invalid');
  assert.equal((await read([propose(offerOf({ market: 'micro' }))]))?.state, 'invalid');
  const foreign = { ...listing, poster: stranger.address };
  assert.equal(await read([propose()], { listing: foreign }), null);
});

test('after acceptBy, after a withdrawal and after a task nothing can be accepted', async () => {
  const offer = offerOf();
  const { signed } = await talk([propose(offer)]);
  const [first = assert.fail()] = signed;
  const said = [propose(offer), await accept(first.hash, offer)];
  const binding = await read(said);
  assert.deepEqual([binding?.state, binding?.signature !== null], ['binding', true]);
  const late = new Date((offer.terms.acceptBy + 1) * 1_000);
  assert.equal((await read(said, { now: late }))?.state, 'ended');
  assert.equal((await read(said, { taskId: 'v2:standard:9' }))?.state, 'tasked');
  const withdraw = (by: PrivateKeyAccount, withdraws: string) => ({
    by,
    type: 'Note',
    payload: { text: 'No.', withdraws },
  });
  assert.equal((await read([...said, withdraw(worker, first.hash)]))?.state, 'withdrawn');
  assert.equal((await read([...said, withdraw(poster, first.hash)]))?.state, 'binding', 'of the other party');
  assert.equal(
    (await read([...said, withdraw(worker, `0x${'99'.repeat(32)}`)]))?.state,
    'binding',
    'another offer',
  );
});

test('the poster chooses or declines an unsigned proposal; its own words change nothing of the offer', async () => {
  const { signed } = await talk([propose()]);
  const [first = assert.fail()] = signed;
  const note = (payload: Record<string, unknown>, by = poster) => ({
    by,
    type: 'Note',
    payload: { text: 'x', ...payload },
  });
  assert.equal((await read([propose(), note({ chooses: first.hash })]))?.state, 'chosen');
  assert.equal(
    (await read([propose(), note({ chooses: first.hash }, worker)]))?.state,
    'open',
    'not by the worker',
  );
  assert.equal((await read([propose(), note({ declines: first.hash })]))?.state, 'declined');
});

test('one offer under a second negotiation id is refused by every reader', async () => {
  const second = '0d9b8a1f-6a3e-4a53-9c6c-5f0c9a527f10';
  const sender = { evmAddress: worker.address, xmtpPublicKey: '' };
  const { payload } = propose();
  assert.throws(
    () => buildEnvelope({ type: 'TaskProposal', negotiationId: second, sender, payload }, noHead, now),
    /salt/,
  );
  const valid = buildEnvelope({ type: 'TaskProposal', negotiationId, sender, payload }, noHead, now);
  const envelope = { ...valid, negotiationId: second };
  const signed: SignedEnvelope = {
    envelope,
    hash: hashCanonical(envelope),
    signature: `0x${'ab'.repeat(65)}`,
  };
  const parsed = parseWire(toCanonical(signed));
  assert.ok('refusal' in parsed && /salt/.test(parsed.refusal.detail), JSON.stringify(parsed));
});

test('live signatures are counted over all conversations, and free bonds limit them', async () => {
  const offer = offerOf();
  const { signed } = await talk([propose(offer)]);
  const said = [propose(offer), await accept(signed[0]?.hash ?? '', offer)];
  const replaced = { ...propose(offerOf({ totalAmount: tok(500) })), type: 'TaskCounterOffer' };
  const { transcript } = await talk([...said, replaced]);
  assert.equal(
    listLiveSignatures([transcript], worker.address, now).length,
    1,
    'a replaced offer is still signed',
  );
  const ended = new Set([hashTermsDocument(offer.terms).toLowerCase()]);
  assert.equal(listLiveSignatures([transcript], worker.address, now, ended).length, 0, 'revoked, or a task');
  requireFreeBond(1, 2);
  for (const [live, free] of [
    [2, 2],
    [0, 0],
    [3, 1],
  ] as const)
    assert.throws(() => requireFreeBond(live, free), /top up, or take a signature back/);
  const late = new Date((offer.terms.acceptBy + 1) * 1_000);
  assert.equal(listLiveSignatures([transcript], worker.address, late).length, 0);
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
