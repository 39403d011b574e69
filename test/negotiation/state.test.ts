// Proves the state that follows from a transcript: offer, agreement, vetoes, deliveries and next messages.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hex } from 'viem';
import { SvcError } from '#sdk/domain/errors.ts';
import type { SignedEnvelope } from '#sdk/negotiation/envelope.ts';
import { findTaskOf, readNegotiation } from '#sdk/negotiation/negotiation.ts';
import { findAcceptable, listNext, statusOf } from '#sdk/negotiation/nextMessages.ts';
import { hashTermsDocument } from '#sdk/rules/terms.ts';
import { buildNegotiationReport } from '#service/cli/inbox.ts';
import {
  buildAcceptance,
  buildOffer,
  buildTerms,
  documentOf,
  headAfter,
  type Line,
  now,
  nowSeconds,
  poster,
  stranger,
  transcriptOf,
  worker,
  write,
  writeAll,
  writeTalk,
} from '../support/negotiating.ts';

const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
const veto = { supervisor: stranger.address, reason: 'Over budget.' };
const other = buildTerms({ totalAmount: 450n * 10n ** 18n });

/** The chain was asked and refuses no signature. */
const chain = { refused: new Set<Hex>(), taskId: undefined };

async function talkOf(...lines: Line[]) {
  const transcript = transcriptOf(await writeAll(lines));
  assert.deepEqual(transcript.refused, []);
  return readNegotiation(transcript, chain);
}

async function acceptBy(account: typeof poster, terms = buildTerms(), at = now): Promise<Line> {
  return [account, 'TaskAcceptance', await buildAcceptance(account, terms), { at }];
}

const notesOf = ({ loose }: ReturnType<typeof readNegotiation>) =>
  loose.map(({ by, settlementDigest }) => [by, settlementDigest]);

const proposal: Line = [poster, 'TaskProposal', buildOffer()];
const counter: Line = [worker, 'TaskCounterOffer', buildOffer(other)];

test('a proposal, a counter-offer and the acceptance of both make an agreement', async () => {
  const talk = (await writeTalk()).slice(0, 5);
  const state = readNegotiation(transcriptOf(talk), chain);
  assert.equal(statusOf(state, now), 'agreed');
  assert.deepEqual(state.agreement, {
    offerHash: talk[2]?.hash,
    terms: other,
    document: documentOf(),
    settlementDigest: hashTermsDocument(other),
    posterSignature: (await buildAcceptance(poster, other)).signature,
    workerSignature: (await buildAcceptance(worker, other)).signature,
  });
});

test('an acceptance of a replaced offer does not count, but stays valid on chain', async () => {
  const state = await talkOf(proposal, await acceptBy(worker), counter, await acceptBy(poster));
  assert.equal(statusOf(state, now), 'offered');
  assert.equal(state.agreement, null);
  assert.deepEqual(
    state.loose.map(({ by, settlementDigest, acceptBy }) => ({ by, settlementDigest, acceptBy })),
    [worker, poster].map(({ address: by }) => ({
      by,
      settlementDigest: hashTermsDocument(buildTerms()),
      acceptBy: nowSeconds + 86_400,
    })),
  );
});

test('the same terms offered again are another offer, which an acceptance of the first one does not accept', async () => {
  const state = await talkOf(
    proposal,
    await acceptBy(worker),
    [poster, 'TaskCounterOffer', buildOffer()],
    await acceptBy(poster),
  );
  assert.deepEqual([state.agreement, state.acceptances.length], [null, 1]);
});

test('an agreement stands until another one is reached', async () => {
  const agreed = [proposal, await acceptBy(worker), await acceptBy(poster)];
  const open = await talkOf(...agreed, counter);
  assert.equal(statusOf(open, now), 'offered');
  assert.equal(open.agreement?.settlementDigest, hashTermsDocument(buildTerms()));
  assert.deepEqual(open.loose, []);
  const again = await talkOf(
    ...agreed,
    counter,
    await acceptBy(worker, other),
    await acceptBy(poster, other),
  );
  assert.equal(again.agreement?.settlementDigest, hashTermsDocument(other));
  // Both signatures under the first one still make a task on chain.
  assert.deepEqual(notesOf(again), [
    [worker.address, hashTermsDocument(buildTerms())],
    [poster.address, hashTermsDocument(buildTerms())],
  ]);
});

test('an acceptance that lost its place counts, unless the offer was replaced at the same time', async () => {
  const [first] = (await writeAll([proposal])) as [SignedEnvelope];
  const head = headAfter(first);
  const payload = await buildAcceptance(worker, undefined, first.hash);
  const accepted = await write(worker, 'TaskAcceptance', payload, head);
  const countered = await write(poster, 'TaskCounterOffer', buildOffer(other), head);
  for (const order of [
    [first, accepted, countered],
    [first, countered, accepted],
  ]) {
    const state = readNegotiation(transcriptOf(order));
    assert.equal(state.offer?.settlementDigest, hashTermsDocument(other));
    assert.deepEqual(state.acceptances, []);
    assert.deepEqual(notesOf(state), [[worker.address, hashTermsDocument(buildTerms())]]);
    assert.equal(state.loose[0]?.acceptBy, nowSeconds + 86_400);
  }
  const greeted = await write(poster, 'Greeting', {}, head);
  const held = readNegotiation(transcriptOf([first, accepted, greeted]));
  assert.deepEqual([held.acceptances.length, held.loose], [1, []]);
});

test('an acceptance is also listed while an earlier message is missing, or when its terms were never offered', async () => {
  const [first, , accepted] = (await writeAll([
    proposal,
    [worker, 'Greeting', {}],
    await acceptBy(worker),
  ])) as SignedEnvelope[];
  const gap = transcriptOf([first, accepted] as SignedEnvelope[]);
  assert.deepEqual(notesOf(readNegotiation(gap)), [[worker.address, hashTermsDocument(buildTerms())]]);
  const unseen = await talkOf(proposal, await acceptBy(worker, other));
  assert.deepEqual(
    [notesOf(unseen), unseen.loose[0]?.acceptBy],
    [[[worker.address, hashTermsDocument(other)]], null],
  );
});

test('an offer and an agreement end with acceptBy of the terms', async () => {
  const short = await talkOf([poster, 'TaskProposal', buildOffer(buildTerms({ acceptBy: nowSeconds + 60 }))]);
  assert.equal(statusOf(short, later(60)), 'offered');
  assert.equal(statusOf(short, later(61)), 'expired');
  const terms = buildTerms({ acceptBy: nowSeconds + 60 });
  const entries = await writeAll([
    [poster, 'TaskProposal', buildOffer(terms)],
    await acceptBy(poster, terms),
    // A timestamp before the end revives nothing.
    await acceptBy(worker, terms, later(-1)),
  ]);
  const reportAt = (seconds: number) =>
    buildNegotiationReport(transcriptOf(entries as SignedEnvelope[]), later(seconds));
  assert.deepEqual([reportAt(60).status, reportAt(60).agreement !== null], ['signed', true]);
  assert.deepEqual([reportAt(61).status, reportAt(61).agreement], ['expired', null]);
});

test('under a veto nothing is accepted, until the same party withdraws it for the same supervisor', async () => {
  const vetoed = [proposal, await acceptBy(worker), [poster, 'SupervisorVeto', veto] satisfies Line] as const;
  const state = await talkOf(...vetoed, await acceptBy(poster));
  assert.equal(statusOf(state, now), 'vetoed');
  assert.equal(state.agreement, null);
  const signers = state.loose.map(({ by }) => by);
  assert.deepEqual(signers, [poster.address]);
  const byOther = await talkOf(...vetoed, [worker, 'SupervisorVeto', { ...veto, withdrawn: true }]);
  assert.equal(statusOf(byOther, now), 'vetoed');
  const withdrawn = { ...veto, withdrawn: true };
  const free = await talkOf(...vetoed, [poster, 'SupervisorVeto', withdrawn], await acceptBy(poster));
  assert.equal(statusOf(free, now), 'agreed');
});

test('a message written at the same time does not remove a veto; a withdrawal does', async () => {
  const [first] = (await writeAll([proposal])) as [SignedEnvelope];
  const head = headAfter(first);
  const vetoed = await write(worker, 'SupervisorVeto', veto, head);
  const countered = await write(poster, 'TaskCounterOffer', buildOffer(other), head);
  const accepted = await write(
    poster,
    'TaskAcceptance',
    await buildAcceptance(poster, other),
    headAfter(countered),
  );
  for (const order of [
    [first, vetoed, countered, accepted],
    [first, countered, vetoed, accepted],
    [first, countered, accepted, vetoed],
  ]) {
    const state = readNegotiation(transcriptOf(order));
    assert.equal(statusOf(state, now), 'vetoed');
    assert.throws(() => findAcceptable(state, worker.address, now), { code: 'NEGOTIATION_CLOSED' });
    const end = { ...veto, withdrawn: true };
    const withdrawn = await write(worker, 'SupervisorVeto', end, headAfter(accepted));
    const free = readNegotiation(transcriptOf([...order, withdrawn]));
    assert.deepEqual(free.vetoes, []);
    assert.equal(findAcceptable(free, worker.address, now).settlementDigest, hashTermsDocument(other));
  }
});

test('a veto for an old place cancels no agreement', async () => {
  const agreed = await writeAll([proposal, await acceptBy(worker), await acceptBy(poster)]);
  const late = await write(worker, 'SupervisorVeto', veto, headAfter(agreed[0]));
  const state = readNegotiation(transcriptOf([...agreed, late]));
  assert.deepEqual([state.vetoes.length, statusOf(state, now)], [1, 'forked']);
  assert.equal(state.agreement?.settlementDigest, hashTermsDocument(buildTerms()));
});

test('a task id that a party names is no task until the chain says so', async () => {
  const named = (by: typeof poster, taskId: string): Line => [by, 'Note', { text: 'Done.' }, { taskId }];
  const transcript = transcriptOf(
    await writeAll([proposal, named(worker, 'v2:standard:1'), named(poster, 'v2:standard:7')]),
  );
  const state = readNegotiation(transcript, chain);
  assert.deepEqual([state.taskId, state.namedTasks], [undefined, ['v2:standard:1', 'v2:standard:7']]);
  assert.equal(statusOf(state, now), 'offered');
  const linked = readNegotiation(transcript, { ...chain, taskId: 'v2:standard:7' });
  assert.equal(statusOf(linked, now), 'tasked');
});

test('a conversation leads to the task of one of its offers, never to one whose digest a party only signs', async () => {
  const transcript = transcriptOf(await writeAll([proposal, await acceptBy(worker, other)]));
  assert.equal(transcript.entries.length, 2);
  const tasks = [other, buildTerms()].map((terms, at) => ({
    id: `v2:standard:${at + 1}`,
    settlementDigest: hashTermsDocument(terms).toUpperCase().replace('0X', '0x'),
  }));
  assert.equal(findTaskOf(transcript, tasks.slice(0, 1)), undefined);
  assert.equal(findTaskOf(transcript, [{}, { settlementDigest: null }, ...tasks]), tasks[1]);
});

test('findAcceptable throws with its reason', async () => {
  const cases: [Line[], Date, RegExp][] = [
    [[[poster, 'CapabilityProof', { capability: 'x', evidence: ['y'] }]], now, /no offer yet/],
    [[proposal, [poster, 'SupervisorVeto', veto]], now, /veto/],
    [[proposal], later(86_401), /expired/],
    [[proposal, await acceptBy(worker)], now, /already/],
    // Also a signature that counts in some days only is one that nobody can use today.
    [[proposal], later(-14 * 86_400), /within 14 days/],
  ];
  for (const [lines, at, message] of cases) {
    const state = await talkOf(...lines);
    assert.throws(
      () => findAcceptable(state, worker.address, at),
      (error: unknown) =>
        error instanceof SvcError && error.code === 'NEGOTIATION_CLOSED' && message.test(error.message),
    );
  }
  const { settlementDigest } = findAcceptable(await talkOf(proposal, counter), poster.address, now);
  assert.equal(settlementDigest, hashTermsDocument(other));
});

test('only the worker delivers and only the poster reviews', async () => {
  const proofHash: Hex = `0x${'77'.repeat(32)}`;
  const agreed = [proposal, await acceptBy(worker), await acceptBy(poster)];
  const task = { taskId: 'v2:standard:7' };
  const deliver: Line = [worker, 'DeliveryNotice', { milestone: 0, proofHash }, task];
  const stateAfter = async (...lines: Line[]) => (await talkOf(...agreed, ...lines)).deliveries[0]?.state;
  assert.equal(await stateAfter(deliver), 'delivered');
  assert.equal(
    (await talkOf(proposal, deliver)).deliveries[0]?.state,
    'delivered',
    'also before both have signed',
  );
  assert.equal(await stateAfter([poster, 'DeliveryNotice', { milestone: 0, proofHash }, task]), undefined);
  assert.equal(
    await stateAfter(deliver, [worker, 'AcceptDelivery', { milestone: 0, proofHash }, task]),
    'delivered',
  );
  const unseen = { milestone: 0, proofHash: `0x${'88'.repeat(32)}` };
  assert.equal(await stateAfter(deliver, [poster, 'AcceptDelivery', unseen, task]), 'delivered');
  const revise: Line = [poster, 'RevisionRequest', { milestone: 0, requestedChanges: 'More.' }, task];
  assert.equal(await stateAfter(deliver, revise), 'revision');
  const accept: Line = [poster, 'AcceptDelivery', { milestone: 0, proofHash }, task];
  assert.equal(await stateAfter(deliver, revise, deliver, accept), 'accepted');
});

test('the next messages follow from the status', async () => {
  const nextOf = async (lines: Line[], at = now) =>
    listNext(await talkOf(...lines), at).map(
      ({ by, type }) => `${by === poster.address ? 'poster' : 'worker'} ${type}`,
    );
  assert.deepEqual(await nextOf([proposal]), [
    'poster TaskAcceptance',
    'poster TaskCounterOffer',
    'worker TaskAcceptance',
    'worker TaskCounterOffer',
  ]);
  assert.deepEqual(await nextOf([proposal, await acceptBy(worker)]), [
    'poster TaskAcceptance',
    'poster TaskCounterOffer',
    'worker TaskCounterOffer',
  ]);
  assert.deepEqual(await nextOf([proposal], later(86_401)), [
    'poster TaskCounterOffer',
    'worker TaskCounterOffer',
  ]);
  assert.deepEqual(await nextOf([proposal, [worker, 'SupervisorVeto', veto]]), ['worker SupervisorVeto']);
  const task = { taskId: 'v2:standard:7' };
  const cancel = { workerBps: 5_000, validUntil: nowSeconds + 60, signature: '0x00' };
  const cancelled = await writeAll([proposal, [poster, 'MutualCancel', cancel, task]]);
  const tasked = readNegotiation(transcriptOf(cancelled), { ...chain, ...task });
  assert.deepEqual(
    listNext(tasked, now).map(({ type }) => type),
    ['DeliveryNotice', 'MutualCancel'],
  );
});
