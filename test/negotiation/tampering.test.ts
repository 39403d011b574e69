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
import { buildLinkTypedData } from '#sdk/negotiation/verifyEnvelope.ts';
import { verifyTranscript } from '#sdk/negotiation/verifyTranscript.ts';
import {
  negotiationId,
  now,
  parties,
  poster,
  stranger,
  worker,
  write,
  writeTalk,
} from '../support/negotiating.ts';

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

async function reasonsOf(changed: readonly string[], head = (talk.at(-1) as SignedEnvelope).hash) {
  const options = { now, verify, parties, head };
  const { findings, entries } = await verifyTranscript(changed, options);
  for (const { refusal } of findings) assert.ok(Object.hasOwn(refusalReasons, refusal.reason));
  return { findings, entries, reasons: findings.map(({ refusal }) => refusal.reason) };
}

test('an untouched transcript has no findings, with and without knowing its parties', async () => {
  assert.deepEqual((await reasonsOf(texts)).findings, []);
  const head = (talk.at(-1) as SignedEnvelope).hash;
  const { findings, entries } = await verifyTranscript(texts, { now, verify, head });
  assert.deepEqual(findings, []);
  assert.deepEqual(entries, talk);
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
    { numRuns: 120 },
  );
});

test('every byte of a signature and of a hash counts, upper case included', async () => {
  const text = texts[0] as string;
  for (const field of ['hash', 'signature']) {
    const start = text.indexOf(`"${field}":"0x`, text.indexOf('"timestamp"')) + field.length + 6;
    for (let place = start; place < text.indexOf('"', start); place += 7) {
      const digit = text[place] as string;
      const others = ['0', '9', 'a', 'f', digit.toUpperCase()].filter((other) => other !== digit);
      for (const other of others) {
        const { reasons } = await reasonsOf(
          [text.slice(0, place) + other + text.slice(place + 1)],
          undefined,
        );
        assert.ok(['hash', 'signature', 'shape'].includes(reasons[0] as string), reasons[0]);
      }
    }
  }
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
    { numRuns: 60 },
  );
});

test('any dropped envelope is found, the last one by the expected head', async () => {
  for (const index of texts.keys()) {
    const { findings } = await reasonsOf(texts.toSpliced(index, 1));
    assert.equal(findings[0]?.index, index);
    assert.equal(findings[0]?.refusal.reason, 'gap');
  }
});

test('any repeated envelope is found, wherever it is repeated', async () => {
  for (const [index, text] of texts.entries()) {
    for (let at = index + 1; at <= texts.length; at += 1) {
      const { findings } = await reasonsOf(texts.toSpliced(at, 0, text));
      assert.deepEqual(findings, [
        { index: at, refusal: { reason: 'duplicate', detail: refusalReasons.duplicate } },
      ]);
    }
  }
});

test('the signature of another wallet is found, on every envelope', async () => {
  for (const [index, signed] of talk.entries()) {
    for (const other of [poster, worker, stranger]) {
      if (other.address === signed.envelope.sender.evmAddress) continue;
      const signature = await other.sign({ hash: hashSigned(signed) });
      const { findings } = await reasonsOf(texts.with(index, toCanonical({ ...signed, signature })));
      assert.equal(findings[0]?.index, index);
      assert.equal(findings[0]?.refusal.reason, 'signature');
    }
  }
});

test('a signature of the sender under another envelope is found', async () => {
  for (const [index, signed] of talk.entries()) {
    const foreign = talk[(index + 1) % talk.length] as SignedEnvelope;
    const { findings } = await reasonsOf(
      texts.with(index, toCanonical({ ...signed, signature: foreign.signature })),
    );
    assert.equal(findings[0]?.refusal.reason, 'signature');
  }
});

test('an envelope of another wallet is refused, even when it fits', async () => {
  const head = { sequence: 3, hash: (talk[2] as SignedEnvelope).hash };
  const intruder = await write(
    stranger,
    'SupervisorVeto',
    { supervisor: stranger.address, reason: 'no' },
    head,
  );
  const { findings } = await reasonsOf(texts.with(3, formatWire(intruder)));
  assert.equal(findings[0]?.refusal.reason, 'stranger');
});

test('an envelope of a party that continues another one is found', async () => {
  const head = { sequence: 3, hash: (talk[1] as SignedEnvelope).hash };
  const fork = await write(poster, 'Note', { text: 'as if the third had not been sent' }, head);
  const { findings } = await reasonsOf(texts.with(3, formatWire(fork)));
  assert.deepEqual([findings[0]?.index, findings[0]?.refusal.reason], [3, 'chain']);
});

test('an envelope of another negotiation of the same parties is refused', async () => {
  const other = await write(poster, 'IdentityLink', await linkOf(), undefined, {
    negotiationId: '0d2b4e6c-8a1f-4c3d-9e5f-7b6a5c4d3e2f',
  });
  assert.notEqual(other.envelope.negotiationId, negotiationId);
  const { reasons } = await reasonsOf([...texts, formatWire(other)]);
  assert.deepEqual(reasons, ['negotiation']);
});

test('the parser never throws', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (text) => {
      assert.ok('refusal' in parseWire(text));
    }),
  );
  for (const open of ['[', '{"a":']) assert.ok('refusal' in parseWire(open.repeat(40_000)));
  assert.ok('refusal' in parseWire(`${'['.repeat(100_000)}${']'.repeat(100_000)}`));
});

async function linkOf() {
  const link = { xmtpPublicKey: 'ab', evmAddress: poster.address, issuedAt: 1 };
  return { ...link, signature: await poster.signTypedData(buildLinkTypedData(link)) };
}
