// Each trick that once worked on a negotiation, as an attack that must fail.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashCanonical } from '#sdk/domain/canonical.ts';
import { normaliseKeySignature } from '#sdk/domain/verifyDigest.ts';
import {
  formatWire,
  type SignedEnvelope,
  signEnvelope,
  verifyKeySignature,
} from '#sdk/negotiation/envelope.ts';
import { findTaskOf, readNegotiation } from '#sdk/negotiation/negotiation.ts';
import { statusOf } from '#sdk/negotiation/nextMessages.ts';
import { hashTermsDocument } from '#sdk/negotiation/terms.ts';
import {
  buildAcceptance,
  buildOffer,
  buildTerms,
  documentOf,
  headAfter,
  negotiationId,
  now,
  openAgent,
  poster,
  stranger,
  transcriptOf,
  worker,
  write,
  writeAll,
} from '../support/negotiating.ts';
import { createFolder } from '../support/svc.ts';

const chain = { refused: new Set<`0x${string}`>(), taskId: undefined };
const read = (arrivals: readonly SignedEnvelope[]) => readNegotiation(transcriptOf(arrivals), chain);

test('two offers with other words for a milestone have two digests, and an acceptance is of one offer', async () => {
  const parts = [200n, 300n].map((amount) => ({ amount: amount * 10n ** 18n }));
  const words = documentOf(2);
  const swapped = { ...words, milestones: ['Part 1', 'Part 2, with a year of support'] };
  const [terms, others] = [words, swapped].map((document) =>
    buildTerms({ milestones: parts, criteriaHash: hashCanonical(document) }),
  ) as [ReturnType<typeof buildTerms>, ReturnType<typeof buildTerms>];
  assert.notEqual(hashTermsDocument(terms), hashTermsDocument(others));
  // The same terms offered again are another offer: the acceptance of the first does not count for it.
  const [first] = (await writeAll([[poster, 'TaskProposal', buildOffer()]])) as [SignedEnvelope];
  const accepted = await write(
    worker,
    'TaskAcceptance',
    await buildAcceptance(worker, undefined, first.hash),
    headAfter(first),
  );
  const again = await write(poster, 'TaskCounterOffer', buildOffer(), headAfter(accepted));
  const ofPoster = await write(
    poster,
    'TaskAcceptance',
    await buildAcceptance(poster, undefined, again.hash),
    headAfter(again),
  );
  const state = read([first, accepted, again, ofPoster]);
  assert.deepEqual([state.agreement, state.acceptances.length], [null, 1]);
});

test('a task id that a party names is no task until the chain says so', async () => {
  const offer = await write(poster, 'TaskProposal', buildOffer());
  const named = await write(worker, 'Note', { text: 'Done.' }, headAfter(offer), { taskId: 'v2:standard:1' });
  const right = await write(poster, 'Note', { text: 'No.' }, headAfter(named), { taskId: 'v2:standard:7' });
  const state = read([offer, named, right]);
  assert.deepEqual([state.taskId, state.namedTasks], [undefined, ['v2:standard:1', 'v2:standard:7']]);
  assert.equal(statusOf(state, now), 'offered');
  const linked = readNegotiation(transcriptOf([offer, named, right]), { ...chain, taskId: 'v2:standard:7' });
  assert.equal(statusOf(linked, now), 'tasked');
});

test('a conversation leads to the task of one of its offers, never to one whose digest a party only signs', async () => {
  const foreign = buildTerms({ totalAmount: 9n });
  const entries = await writeAll([
    [poster, 'TaskProposal', buildOffer()],
    [worker, 'TaskAcceptance', await buildAcceptance(worker, foreign)],
  ]);
  const tasks = [foreign, buildTerms()].map((terms, at) => ({
    id: `v2:standard:${at + 1}`,
    settlementDigest: hashTermsDocument(terms).toUpperCase().replace('0X', '0x'),
  }));
  const transcript = transcriptOf(entries);
  assert.equal(transcript.entries.length, 2);
  assert.equal(findTaskOf(transcript, tasks.slice(0, 1)), undefined);
  assert.equal(findTaskOf(transcript, [{}, { settlementDigest: null }, ...tasks]), tasks[1]);
});

test('an opening that was sent to one wallet is refused by another', async (context) => {
  const ours = openAgent(context, createFolder(context), stranger, { now: () => now });
  const opening = await write(poster, 'Note', { text: 'For the worker.' });
  const offer = await write(poster, 'TaskProposal', buildOffer());
  for (const signed of [opening, offer]) await ours.transport.send(stranger.address, formatWire(signed));
  await ours.receive();
  assert.deepEqual(ours.listTranscripts(), []);
  assert.deepEqual(
    ours.store.loadRefused().map(({ reason }) => reason),
    ['addressee', 'addressee'],
  );
});

test('another wallet that uses a negotiation id first displaces nobody', async (context) => {
  const folder = createFolder(context);
  const clock = { now: () => now };
  const [ours, theirs] = [poster, worker].map((one) => openAgent(context, folder, one, clock)) as [
    ReturnType<typeof openAgent>,
    ReturnType<typeof openAgent>,
  ];
  const squatting = await write(stranger, 'Note', { text: 'I was first.', to: worker.address });
  const towardsUs = await write(stranger, 'Note', { text: 'Me too.', to: poster.address });
  await theirs.transport.send(worker.address, formatWire(squatting));
  await ours.transport.send(poster.address, formatWire(towardsUs));
  for (const agent of [ours, theirs]) await agent.receive();
  const offer = { type: 'TaskProposal', negotiationId, payload: buildOffer() };
  const { signed, to } = await ours.send(offer, poster.signTypedData, worker.address);
  assert.equal(to, worker.address);
  await theirs.receive();
  assert.equal(theirs.listTranscripts().length, 2);
  // By id it is unclear which one is meant, until the worker answers; by root it never is.
  assert.throws(() => theirs.findTranscript(negotiationId), { code: 'NEGOTIATION_AMBIGUOUS' });
  const answer = { type: 'Note', negotiationId: signed.hash, payload: { text: 'Gladly.' } };
  const sent = await theirs.send(answer, worker.signTypedData);
  assert.deepEqual([sent.to, sent.signed.envelope.negotiationId], [poster.address, negotiationId]);
  assert.equal(theirs.findTranscript(negotiationId)?.root, signed.hash);
  await ours.receive();
  assert.equal(ours.findTranscript(negotiationId)?.entries.length, 2);
});

test('a message has one wire text: a high s and v of 0 or 1 are refused, and repaired when sending', async () => {
  const good = await write(poster, 'Note', { text: 'Hello.' });
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const [r, s, v] = [
    good.signature.slice(2, 66),
    BigInt(`0x${good.signature.slice(66, 130)}`),
    Number.parseInt(good.signature.slice(130), 16),
  ];
  const hex = (value: bigint | number, length: number) => value.toString(16).padStart(length, '0');
  const spellings = [
    `0x${r}${hex(order - s, 64)}${hex(55 - v, 2)}`,
    `0x${r}${hex(s, 64)}${hex(v - 27, 2)}`,
    `0x${r}${hex(s + (v === 28 ? 1n << 255n : 0n), 64)}`,
  ] as const;
  for (const signature of spellings as readonly `0x${string}`[]) {
    assert.equal(await verifyKeySignature({ ...good, signature }), false);
    assert.equal(normaliseKeySignature(signature), good.signature);
    assert.deepEqual(await signEnvelope(good.envelope, async () => signature), good);
  }
});
