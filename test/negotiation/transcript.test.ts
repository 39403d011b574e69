// Proves the order of envelopes: out of order, at the same time, after a task exists.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import type { SignedEnvelope } from '#sdk/negotiation/envelope.ts';
import { buildTranscript, findParties } from '#sdk/negotiation/transcript.ts';
import {
  buildOffer,
  buildTerms,
  headAfter,
  negotiationId,
  parties,
  poster,
  stranger,
  worker,
  write,
  writeAll,
  writeTalk,
} from '../support/negotiating.ts';

let talk: SignedEnvelope[];
before(async () => {
  talk = await writeTalk();
});

const capable = { capability: 'tests', evidence: ['this one'] };
const fold = (arrivals: readonly SignedEnvelope[]) => buildTranscript(negotiationId, parties, arrivals);
const reasonsOf = ({ refused }: ReturnType<typeof fold>) => refused.map(({ refusal }) => refusal.reason);

test('the order and number of arrivals do not change the transcript', () => {
  const arrivals = fc.shuffledSubarray([...talk, ...talk], { minLength: talk.length * 2 });
  fc.assert(
    fc.property(arrivals, (order) => {
      const { entries, waiting, refused } = fold(order);
      assert.deepEqual({ entries, waiting, refused }, { entries: talk, waiting: [], refused: [] });
    }),
  );
});

test('an envelope that arrives early waits outside the transcript', () => {
  const late = talk[2] as SignedEnvelope;
  const { entries, waiting } = fold(talk.filter((entry) => entry !== late));
  assert.deepEqual(entries, talk.slice(0, 2));
  assert.deepEqual(waiting, talk.slice(3));
});

test('thousands that arrive in reverse order are all accepted', () => {
  // Nobody asks here who signed: the signature is another part's business.
  const chain: SignedEnvelope[] = [];
  for (let sequence = 1; sequence <= 5_000; sequence += 1) {
    const { sequence: _, hash: previousHash } = headAfter(chain.at(-1));
    const { envelope, signature } = talk[0] as SignedEnvelope;
    const next = { ...envelope, type: 'Greeting', payload: {}, sequence, previousHash };
    chain.push({ envelope: next, hash: `0x${sequence.toString(16).padStart(64, '0')}`, signature });
  }
  const { entries, waiting, refused } = fold(chain.toReversed());
  assert.deepEqual([entries.length, waiting, refused], [5_000, [], []]);
  assert.equal(entries.at(-1), chain.at(-1));
});

test('when both write at once, the opener takes precedence on both sides, and the other party sends again', async () => {
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
  const [atOpener, atOther] = [
    fold([...start, ofOpener, ofOther, after]),
    fold([...start, ofOther, after, ofOpener]),
  ];
  assert.deepEqual(atOpener.entries, [...start, ofOpener]);
  assert.deepEqual(atOther.entries, atOpener.entries);
  assert.deepEqual(reasonsOf(atOpener), ['sequence', 'chain']);
  assert.deepEqual(reasonsOf(atOther), ['overtaken', 'overtaken']);
  const again = await write(worker, 'CapabilityProof', capable, headAfter(ofOpener));
  for (const order of [
    [ofOpener, ofOther, after, again],
    [ofOther, after, ofOpener, again],
  ])
    assert.deepEqual(fold([...start, ...order]).entries, [...start, ofOpener, again]);
});

test('the opener can replace neither envelopes it has seen nor its own', async () => {
  const { entries } = fold(talk);
  for (const place of [0, 2, 3]) {
    const head = headAfter(talk[place - 1]);
    const other = await write(poster, 'TaskCounterOffer', buildOffer(buildTerms({ totalAmount: 9n })), head);
    const after = fold([...talk, other]);
    assert.deepEqual(after.entries, entries);
    assert.deepEqual(reasonsOf(after), ['sequence']);
  }
});

test('the other party can replace nothing', async () => {
  const other = await write(worker, 'CapabilityProof', capable, headAfter(talk[3]));
  assert.deepEqual(reasonsOf(fold([...talk, other])), ['sequence']);
});

test('a valid envelope on another head is refused', async () => {
  const foreign = await write(worker, 'CapabilityProof', capable, {
    sequence: 7,
    hash: `0x${'9'.repeat(64)}`,
  });
  assert.deepEqual(reasonsOf(fold([...talk, foreign])), ['chain']);
});

test('terms between other wallets are refused', async () => {
  const terms = buildTerms({ worker: stranger.address });
  assert.deepEqual(reasonsOf(fold([await write(poster, 'TaskProposal', buildOffer(terms))])), ['stranger']);
});

test('only the opener sends the first envelope', async () => {
  assert.deepEqual(reasonsOf(fold([await write(worker, 'CapabilityProof', capable)])), ['stranger']);
});

test('once a task exists, every message but an offer must name it', async () => {
  const head = headAfter(talk.at(-1));
  const request = { milestone: 0, amountTokWei: '5' };
  const without = await write(worker, 'PaymentRequest', request, head);
  const other = await write(worker, 'PaymentRequest', request, head, { taskId: 'v2:standard:8' });
  const right = await write(worker, 'PaymentRequest', request, head, { taskId: 'v2:standard:7' });
  const offer = await write(worker, 'TaskCounterOffer', buildOffer(), head);
  assert.deepEqual(reasonsOf(fold([...talk, without])), ['task']);
  assert.deepEqual(reasonsOf(fold([...talk, other])), ['task']);
  assert.deepEqual(reasonsOf(fold([...talk, right])), []);
  assert.deepEqual(reasonsOf(fold([...talk, offer])), []);
});

test('the parties follow from the terms, or from the second sender', async () => {
  assert.deepEqual(findParties(talk.slice(0, 1)), parties);
  const chat = await writeAll([
    [worker, 'CapabilityProof', capable],
    [poster, 'CapabilityProof', capable],
  ]);
  assert.deepEqual(findParties(chat), { opener: worker.address, other: poster.address });
});
