// Proves that every change to a transcript is found and named.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { toCanonical } from '#sdk/domain/canonical.ts';
import { type VerifyDigest, verifyPlainAccount } from '#sdk/domain/verifyDigest.ts';
import {
  formatWire,
  hashSigned,
  parseWire,
  refusalReasons,
  type SignedEnvelope,
} from '#sdk/negotiation/envelope.ts';
import { verifyTranscript } from '#sdk/negotiation/verifyTranscript.ts';
import { now, parties, poster, stranger, worker, write, writeTalk } from '../support/negotiating.ts';

/** Half of a surrogate pair included. The units that fast-check calls binary take a second to build. */
const anyUnit = fc.nat({ max: 0xffff }).map((code) => String.fromCharCode(code));

let talk: SignedEnvelope[];
let texts: string[];

before(async () => {
  talk = await writeTalk();
  texts = talk.map(formatWire);
});

/** The same question has the same answer, and asking costs milliseconds. */
const answers = new Map<string, Promise<boolean>>();
const verify: VerifyDigest = (...question) => {
  const key = question.join();
  const answer = answers.get(key) ?? verifyPlainAccount(...question);
  answers.set(key, answer);
  return answer;
};

async function reasonsOf(changed: readonly string[]) {
  const options = { now, verify, parties, head: (talk.at(-1) as SignedEnvelope).hash };
  const { findings, entries } = await verifyTranscript(changed, options);
  for (const { refusal } of findings) assert.ok(Object.hasOwn(refusalReasons, refusal.reason));
  return { findings, entries, reasons: findings.map(({ refusal }) => refusal.reason) };
}

test('an untouched transcript has no findings, and upper case in a hash or signature is one', async () => {
  const { findings, entries } = await reasonsOf(texts);
  assert.deepEqual([findings, entries], [[], talk]);
  const [{ hash, signature }] = talk as [SignedEnvelope];
  for (const field of [hash, signature]) {
    const [text = ''] = texts;
    const shouting = text.replace(field, `0x${field.slice(2).toUpperCase()}`);
    assert.ok(['hash', 'signature', 'shape'].includes((await reasonsOf([shouting])).reasons[0] ?? ''));
  }
});

test('any single changed byte is found, in the envelope where it is', async () => {
  const anyByte = fc.record({
    index: fc.nat({ max: texts.length - 1 }),
    at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    byte: fc.nat({ max: 255 }),
  });
  await fc.assert(
    fc.asyncProperty(anyByte, async ({ index, at, byte }) => {
      const bytes = new TextEncoder().encode(texts[index] as string);
      const place = Math.floor(at * bytes.length);
      fc.pre(bytes[place] !== byte);
      bytes[place] = byte;
      const changed = texts.with(index, new TextDecoder().decode(bytes));
      const { findings } = await reasonsOf(changed);
      assert.equal(findings[0]?.index, index);
    }),
    { numRuns: 100 },
  );
});

test('any other order is found', async () => {
  const anyOrder = fc.shuffledSubarray([...texts.keys()], { minLength: texts.length });
  await fc.assert(
    fc.asyncProperty(anyOrder, async (order) => {
      const first = order.findIndex((from, to) => from !== to);
      fc.pre(first !== -1);
      const { findings } = await reasonsOf(order.map((index) => texts[index] as string));
      assert.deepEqual(findings[0], { index: first, refusal: { reason: 'gap', detail: refusalReasons.gap } });
    }),
    { numRuns: 30 },
  );
});

test('any dropped or repeated envelope is found, the last one by the expected head', async () => {
  for (const [index, text] of texts.entries()) {
    const [missing] = (await reasonsOf(texts.toSpliced(index, 1))).findings;
    assert.deepEqual([missing?.index, missing?.refusal.reason], [index, 'gap']);
    for (let at = index + 1; at <= texts.length; at += 1) {
      const { findings } = await reasonsOf(texts.toSpliced(at, 0, text));
      const refusal = { reason: 'duplicate', detail: refusalReasons.duplicate };
      assert.deepEqual(findings, [{ index: at, refusal }]);
    }
  }
});

test('the signature of another wallet, or under another envelope, is found, on every envelope', async () => {
  for (const [index, signed] of talk.entries()) {
    const others = [poster, worker, stranger].filter(
      (one) => one.address !== signed.envelope.sender.evmAddress,
    );
    const wrong = await Promise.all(others.map((one) => one.sign({ hash: hashSigned(signed) })));
    const foreign = talk[(index + 1) % talk.length] as SignedEnvelope;
    for (const signature of [...wrong, foreign.signature]) {
      const [found] = (await reasonsOf(texts.with(index, toCanonical({ ...signed, signature })))).findings;
      assert.deepEqual([found?.index, found?.refusal.reason], [index, 'signature']);
    }
  }
});

test('an envelope of another wallet, on another predecessor or of another negotiation is refused', async () => {
  const headAt = (place: number) => ({ sequence: 3, hash: (talk[place] as SignedEnvelope).hash });
  const cases = [
    ['stranger', await write(stranger, 'Note', { text: 'It fits.' }, headAt(2))],
    ['chain', await write(poster, 'Note', { text: 'as if the third had not been sent' }, headAt(1))],
    [
      'negotiation',
      await write(poster, 'Note', { text: 'x' }, headAt(2), { negotiationId: crypto.randomUUID() }),
    ],
  ] as const;
  for (const [reason, envelope] of cases) {
    const [found] = (await reasonsOf(texts.with(3, formatWire(envelope)))).findings;
    assert.deepEqual([found?.index, found?.refusal.reason], [3, reason]);
  }
});

test('the parser never throws', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: anyUnit }), fc.json()), (text) => {
      assert.ok('refusal' in parseWire(text));
    }),
  );
  for (const open of ['[', '{"a":']) assert.ok('refusal' in parseWire(open.repeat(40_000)));
  assert.ok('refusal' in parseWire(`${'['.repeat(100_000)}${']'.repeat(100_000)}`));
});
