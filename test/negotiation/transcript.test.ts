// Proves the order of envelopes: out of order, at the same time, from two devices, and in conversations that share an id.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import type { SignedEnvelope } from '#sdk/negotiation/envelope.ts';
import { readNegotiation } from '#sdk/negotiation/negotiation.ts';
import { findAcceptable, statusOf } from '#sdk/negotiation/nextMessages.ts';
import { buildTranscripts } from '#sdk/negotiation/transcript.ts';
import {
  buildOffer,
  buildTerms,
  headAfter,
  now,
  poster,
  stranger,
  transcriptOf,
  worker,
  write,
  writeTalk,
} from '../support/negotiating.ts';

let talk: SignedEnvelope[];
before(async () => {
  talk = await writeTalk();
});

const capable = { capability: 'tests', evidence: ['this one'] };
const hashesOf = (entries: readonly SignedEnvelope[]) => entries.map(({ hash }) => hash);

test('the order and number of arrivals do not change the transcript, also where both wrote at once', async () => {
  const head = headAfter(talk[1]);
  const beside = await write(poster, 'Note', { text: 'At the same time.' }, head);
  const again = await write(poster, 'Note', { text: 'Once more.' }, headAfter(beside));
  const all = [...talk, beside, again];
  const expected = transcriptOf(all);
  fc.assert(
    fc.property(fc.shuffledSubarray([...all, ...all], { minLength: all.length * 2 }), (order) => {
      assert.deepEqual(transcriptOf(order), expected);
    }),
  );
  assert.deepEqual([expected.entries, expected.aside], [talk, [beside, again]]);
  const early = transcriptOf(talk.toSpliced(2, 1));
  assert.deepEqual([early.entries, early.waiting], [talk.slice(0, 2), talk.slice(3)], 'what is early waits');
  assert.deepEqual(buildTranscripts(talk.slice(1)), { transcripts: [], unrooted: talk.slice(1) });
});

test('thousands that arrive in reverse order are all accepted', () => {
  // Nobody asks here who signed: the signature is another part's business.
  const chain: SignedEnvelope[] = [talk[0] as SignedEnvelope];
  for (let sequence = 2; sequence <= 5_000; sequence += 1) {
    const { sequence: _, hash: previousHash } = headAfter(chain.at(-1));
    const { envelope, signature } = talk[0] as SignedEnvelope;
    const next = { ...envelope, type: 'Greeting', payload: {}, sequence, previousHash };
    chain.push({ envelope: next, hash: `0x${sequence.toString(16).padStart(64, '0')}`, signature });
  }
  const { entries, waiting, refused } = transcriptOf(chain.toReversed());
  assert.deepEqual([entries.length, waiting, refused], [5_000, [], []]);
  assert.equal(entries.at(-1), chain.at(-1));
});

test('when both write at once, the opener goes first on both sides, and the rest stays beside the chain', async () => {
  const start = talk.slice(0, 2);
  const head = headAfter(start[1]);
  const ofOpener = await write(poster, 'TaskCounterOffer', buildOffer(buildTerms({ totalAmount: 7n })), head);
  const ofOther = await write(worker, 'CapabilityProof', capable, head);
  const after = await write(
    worker,
    'PaymentRequest',
    { milestone: 0, amountTokWei: '1' },
    headAfter(ofOther),
  );
  const { entries, aside, forks } = transcriptOf([...start, ofOther, after, ofOpener]);
  assert.deepEqual(entries, [...start, ofOpener]);
  assert.deepEqual(aside, [ofOther, after]);
  assert.deepEqual(forks, []);
  const again = await write(worker, 'CapabilityProof', capable, headAfter(ofOpener));
  assert.deepEqual(transcriptOf([...start, ofOther, after, ofOpener, again]).entries, [
    ...start,
    ofOpener,
    again,
  ]);
});

test('neither party can replace an envelope that the other has built upon', async () => {
  for (const place of [1, 2, 3, 4, 5]) {
    for (const by of [poster, worker]) {
      const late = await write(by, 'Note', { text: 'I was here first.' }, headAfter(talk[place - 1]));
      const { entries, aside } = transcriptOf([...talk, late]);
      assert.deepEqual(entries, talk, `${place}`);
      assert.deepEqual(aside, [late]);
    }
  }
});

test('one sender that writes twice at one place is reported, nothing is accepted, and both continue one chain', async () => {
  const start = talk.slice(0, 2);
  const head = headAfter(start[1]);
  const devices = [
    await write(worker, 'Note', { text: 'From the desk.' }, head),
    await write(worker, 'Note', { text: 'From the telephone.' }, head),
  ];
  const { entries, aside, forks } = transcriptOf([...start, ...devices]);
  assert.deepEqual(new Set(hashesOf(forks[0] ?? [])), new Set(hashesOf(devices)));
  assert.equal(entries.length, 3);
  assert.deepEqual(new Set(hashesOf([...entries.slice(2), ...aside])), new Set(hashesOf(devices)));
  for (const order of [devices, devices.toReversed()]) {
    const transcript = transcriptOf([...start, ...order]);
    assert.deepEqual(transcript.entries, entries);
    const state = readNegotiation(transcript);
    assert.equal(statusOf(state, now), 'forked');
    const refused = { code: 'NEGOTIATION_CLOSED', message: /two different messages/ };
    assert.throws(() => findAcceptable(state, poster.address, now), refused);
  }
  // The one that the other party answers stays, whichever it is.
  for (const answered of devices) {
    const reply = await write(poster, 'Note', { text: 'Thanks.' }, headAfter(answered));
    assert.deepEqual(transcriptOf([...start, ...devices, reply]).entries, [...start, answered, reply]);
  }
});

test('envelopes of strangers, between other wallets, of another negotiation or at a wrong sequence are refused', async () => {
  const last = headAfter(talk.at(-1));
  const between = buildOffer(buildTerms({ worker: stranger.address }));
  const say = (by: typeof poster, head = last, changes = {}) =>
    write(by, 'Note', { text: 'x' }, head, changes);
  const { entries, refused } = transcriptOf([
    ...talk,
    await say(stranger),
    await write(poster, 'TaskCounterOffer', between, last),
    await say(worker, last, { negotiationId: '0d2b4e6c-8a1f-4c3d-9e5f-7b6a5c4d3e2f' }),
    await say(worker, { ...last, sequence: last.sequence + 3 }),
  ]);
  assert.deepEqual(entries, talk);
  const shown = refused.map(({ refusal }) => refusal.reason);
  assert.deepEqual(shown, ['stranger', 'stranger', 'negotiation', 'gap']);
});
