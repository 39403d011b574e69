// Proves that each reason for a refusal is found, and that no envelope is built that would be refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hex } from 'viem';
import { hashCanonical, toCanonical } from '#sdk/domain/canonical.ts';
import { verifyPlainAccount } from '#sdk/domain/verifyDigest.ts';
import {
  buildEnvelope,
  hashSigned,
  noHead,
  type SignedEnvelope,
  signEnvelope,
  verifyKeySignature,
} from '#sdk/negotiation/envelope.ts';
import { buildLinkTypedData, checkArrival } from '#sdk/negotiation/verifyEnvelope.ts';
import { withDigest } from '#sdk/rules/terms.ts';
import type { Envelope } from '#sdk/schemas/envelope.ts';
import {
  buildAcceptance,
  buildOffer,
  buildTerms,
  documentOf,
  goodSpellings,
  negotiationId,
  now,
  poster,
  spell,
  stranger,
  worker,
  write,
} from '../support/negotiating.ts';

const sender = { evmAddress: poster.address, xmtpPublicKey: '' };

/** An envelope that anybody could write: changed at will, then hashed and signed as it should be. */
async function forge(changes: object = {}): Promise<string> {
  const envelope = {
    schemaVersion: 'svc-xmtp-v1',
    type: 'TaskProposal',
    negotiationId,
    sequence: 1,
    previousHash: noHead.hash,
    sender,
    timestamp: now.toISOString(),
    payload: buildOffer(),
    ...changes,
  } as Envelope;
  const hash = hashCanonical(envelope);
  const signed: SignedEnvelope = { envelope, hash, signature: '0x' };
  return toCanonical({ envelope, hash, signature: await poster.sign({ hash: digestOf(signed) }) });
}

/** Where there is no such digest, the shape is wrong before anybody asks who signed. */
function digestOf(signed: SignedEnvelope) {
  try {
    return hashSigned(signed);
  } catch {
    return signed.hash;
  }
}

/** Why a text is refused; null: it is taken. */
async function reasonOf(text: string) {
  const arrival = await checkArrival(text, now, verifyPlainAccount);
  return 'refusal' in arrival ? arrival.refusal.reason : null;
}

const reasonOfPayload = async (type: string, payload: object) => {
  const addressed = 'terms' in payload || 'to' in payload ? payload : { to: worker.address, ...payload };
  return reasonOf(await forge({ type, payload: addressed }));
};
const reasonOfOffer = (payload: object) => reasonOfPayload('TaskProposal', payload);

/** Why an envelope that is accepted has no effect. */
async function unusableOf(type: string, payload: object) {
  const text = await forge({ type, payload: { to: worker.address, ...payload } });
  const arrival = await checkArrival(text, now, verifyPlainAccount);
  assert.ok('signed' in arrival);
  return arrival.unusable?.reason ?? null;
}

test('a valid envelope is accepted; size, version, time, hash and form of others are refused by name', async () => {
  const good = await forge();
  const { envelope, signature } = await write(poster, 'TaskProposal', buildOffer());
  const filled = (length: number) => ({ payload: { ...buildOffer(), rationale: 'é'.repeat(length) } });
  const ahead = (seconds: number) => ({ timestamp: new Date(now.getTime() + seconds * 1_000).toISOString() });
  const shouting = { ...sender, evmAddress: `0x${poster.address.slice(2).toUpperCase()}` };
  const unknown = { type: 'toString', payload: { a: [], to: worker.address } };
  const cases: readonly (readonly [string | null, string])[] = [
    [null, good],
    [null, await forge({ taskId: 'v2:micro:1' })],
    [null, await forge({ sender: shouting })],
    [null, await forge(unknown)],
    [null, await forge(filled(130_000))],
    ['size', await forge(filled(131_072))],
    ['version', await forge({ schemaVersion: 'svc-xmtp-v2' })],
    [null, await forge(ahead(600))],
    ['time', await forge(ahead(601))],
    [null, await forge(ahead(-86_400))],
    ['hash', toCanonical({ envelope, hash: `0x${'1'.repeat(64)}`, signature })],
    // An offer that shows another end than the chain enforces.
    ['payload', await forge({ payload: { ...buildOffer(), expiresAt: buildTerms().acceptBy - 1 } })],
    ['form', JSON.stringify(JSON.parse(good), null, 1)],
    ['form', good.replace('"sequence":1', '"sequence":1e0')],
    ['form', good.replace('"sequence":1', '"sequence":2,"sequence":1')],
    ['form', good.replace('"hash":', '"hash":"0x00","hash":')],
  ];
  for (const [at, [reason, text]] of cases.entries()) assert.equal(await reasonOf(text), reason, `${at}`);
  for (const text of ['', 'null', '1', good.slice(1), ` ${good}`, `${good}\n`])
    assert.notEqual(await reasonOf(text), null);
});

test('depth: a payload of more than 64 levels, which is not built either', async () => {
  const nested = (levels: number): object => (levels === 1 ? {} : { x: nested(levels - 1) });
  const lists = (levels: number) => JSON.parse(`{"x":${'['.repeat(levels)}${']'.repeat(levels)}}`);
  const build = (payload: object) =>
    buildEnvelope(
      { type: 'Greeting', payload: { to: worker.address, ...payload }, sender, negotiationId },
      noHead,
      now,
    );
  assert.equal(await reasonOfPayload('Greeting', nested(64)), null);
  build(nested(64));
  for (const payload of [nested(65), lists(6_000)])
    assert.equal(await reasonOfPayload('Greeting', payload), 'depth');
  for (const payload of [nested(65), lists(6_000), lists(1e5)])
    assert.throws(() => build(payload), { code: 'ENVELOPE_INVALID', message: /more than 64 levels deep/ });
});

test('shape: each field of the envelope that is missing, wrong or not in the specification', async () => {
  const wrong: Record<string, unknown[]> = {
    type: [undefined, '', 1],
    negotiationId: [undefined, 'not-a-uuid', 7],
    taskId: [7, null],
    sequence: [undefined, 0, -1, 1.5, '1'],
    previousHash: [undefined, '0x', `0x${'0'.repeat(63)}`, `0x${'g'.repeat(64)}`],
    timestamp: [undefined, 'yesterday', 1_793_348_694, '2026-02-30T00:00:00Z'],
    sender: [undefined, {}, { evmAddress: poster.address }, { evmAddress: '0x1', xmtpPublicKey: '' }],
    payload: [undefined, 'text', [], null],
    extra: [1],
  };
  for (const [field, values] of Object.entries(wrong))
    for (const value of values)
      assert.equal(await reasonOf(await forge({ [field]: value })), 'shape', `${field} ${value}`);
  const inherited = JSON.parse('{"__proto__":{"admin":true}}');
  assert.equal(await reasonOf(await forge(inherited)), 'shape', 'a name that every object has');
});

test('recipient: a first message that names nobody, its sender, or other wallets', async () => {
  assert.equal(await reasonOfPayload('Note', { text: 'Hello.', to: worker.address }), null);
  for (const to of [undefined, null, '', 7, '0x1', poster.address])
    assert.equal(await reasonOfPayload('Note', { text: 'Hello.', to }), 'recipient');
  assert.equal(await reasonOfOffer(buildOffer(buildTerms({ poster: stranger.address }))), 'recipient');
  assert.equal(await reasonOfOffer({ ...buildOffer(), to: worker.address }), null);
  assert.equal(await reasonOfOffer({ ...buildOffer(), to: stranger.address }), 'recipient');
});

test('digest: terms that do not match the digest, or are inconsistent', async () => {
  const terms = buildTerms();
  const parts = [200n, 300n].map((amount) => ({ amount: amount * 10n ** 18n }));
  const split = buildTerms({ milestones: parts });
  for (const sly of [
    { ...buildOffer(), terms: buildTerms({ totalAmount: 499n }) },
    buildOffer({ ...split, milestones: [...split.milestones].reverse() }),
    buildOffer({ ...terms, milestones: split.milestones }),
    buildOffer(buildTerms({ milestones: [{ amount: 500n * 10n ** 18n }] })),
    buildOffer(buildTerms({ milestones: [{ amount: 1n }, { amount: 2n }] })),
    buildOffer(buildTerms({ totalAmount: 0n })),
    { ...buildOffer(), terms: { ...terms, totalAmountTokWei: String(2n ** 96n) } },
    buildOffer(buildTerms({ worker: poster.address })),
    buildOffer({ ...terms, settlementDigest: `0x${'ab'.repeat(32)}` }),
  ])
    assert.equal(await reasonOfOffer(sly), 'digest');
  // Terms and digest must agree even in a kind that needs no terms, whatever the type of the digest.
  for (const settlementDigest of [5, null, { toString: 5 }, []]) {
    const payload = { capability: 'x', evidence: ['y'], terms, settlementDigest };
    assert.equal(await reasonOfPayload('CapabilityProof', payload), 'digest');
  }
  for (const good of [buildTerms({ totalAmount: 2n ** 96n - 1n }), split])
    assert.equal(await reasonOfOffer(buildOffer(good)), null);
});

test('document: words that the digest does not cover, or that are missing', async () => {
  const [words, terms] = [documentOf(), buildTerms()];
  assert.equal(await reasonOfOffer(buildOffer(terms, { ...words, title: 'Test two programs' })), 'document');
  const { blind: _, ...open } = words;
  const naked = buildTerms({ criteriaHash: hashCanonical(open) });
  assert.equal(await reasonOfOffer(buildOffer(naked, open)), 'document', 'a private task is blinded');
  const guessed = { ...words, blind: `0x${'0'.repeat(64)}` };
  const zero = buildTerms({ criteriaHash: hashCanonical(guessed) });
  assert.equal(await reasonOfOffer(buildOffer(zero, guessed)), 'document', 'and not by zeros');
  const shown = withDigest({ ...naked, scope: 'open' });
  assert.equal(await reasonOfOffer(buildOffer(shown, open)), null);
  const two = { ...words, milestones: ['One', 'Two'] };
  const ofTwo = buildTerms({ criteriaHash: hashCanonical(two) });
  assert.equal(await reasonOfOffer(buildOffer(ofTwo, two)), 'document');
  assert.equal(await reasonOfOffer({ ...buildOffer(), document: undefined }), 'payload');
  const { settlementDigest: __, ...bare } = terms;
  assert.equal(await reasonOfOffer(buildOffer(bare)), null, 'terms of before carry no digest');
  // Terms hold nothing that the digest does not cover.
  for (const more of [{ criteriaText: 'x' }, { bonus: '1' }])
    assert.equal(await reasonOfOffer({ ...buildOffer(), terms: { ...terms, ...more } }), 'payload');
});

test('document: a delivery or evidence whose document has another hash, or is about another milestone', async () => {
  const taskId = 'v2:standard:7';
  const document = { schema: 'svc-delivery-v1', taskId, milestone: 0, note: 'Done.', artifacts: [] };
  const delivery = { milestone: 0, proofHash: hashCanonical(document), document };
  for (const [reason, changes] of [
    [null, {}],
    ['document', { document: { ...document, note: 'Half.' } }],
    ['document', { milestone: 1 }],
  ] as const)
    assert.equal(await reasonOfPayload('DeliveryNotice', { ...delivery, ...changes }), reason);
  const evidence = { schema: 'svc-evidence-v1', taskId, name: 'Log', description: 'x', artifacts: [] };
  for (const [reason, filed] of [
    [null, evidence],
    ['document', document],
  ] as const) {
    const payload = { claim: 'quality', evidenceHashes: [hashCanonical(filed)], document: evidence };
    assert.equal(await reasonOfPayload('DisputeEvidence', payload), reason);
  }
});

test('an acceptance or a link with a signature of another wallet, or for other terms, keeps its place and has no effect', async () => {
  const good = await buildAcceptance(poster);
  // Some wallets write v as 0 or 1.
  const v = { '1b': '00', '1c': '01' }[good.signature.slice(-2)];
  const other = await buildAcceptance(poster, buildTerms({ totalAmount: 1n }));
  for (const [reason, payload] of [
    [null, good],
    [null, { ...good, signature: `${good.signature.slice(0, -2)}${v}` }],
    ['acceptance', await buildAcceptance(worker)],
    ['acceptance', { ...good, signature: other.signature }],
    ['acceptance', { ...good, signature: '0x00' }],
  ] as const)
    assert.equal(await unusableOf('TaskAcceptance', payload), reason);
  const link = { xmtpPublicKey: 'ab', evmAddress: stranger.address, issuedAt: 1 };
  for (const [reason, by] of [
    [null, stranger],
    ['link', poster],
  ] as const) {
    const signature = await by.signTypedData(buildLinkTypedData(link));
    assert.equal(await unusableOf('IdentityLink', { ...link, signature }), reason);
  }
});

test('verify decides about smart wallets, and a verify that throws is not a refusal', async () => {
  const envelope = (await write(poster, 'CapabilityProof', { capability: 'x', evidence: ['y'] })).envelope;
  const signed = { ...envelope, sender: { evmAddress: stranger.address, xmtpPublicKey: '' } };
  const signature: Hex = `0x${'5a'.repeat(200)}`;
  const text = toCanonical({ envelope: signed, hash: hashCanonical(signed), signature });
  const asked: unknown[] = [];
  const arrival = await checkArrival(text, now, async (signer, digest, given) => {
    asked.push([signer, digest, given]);
    return true;
  });
  assert.ok('signed' in arrival);
  assert.deepEqual(asked, [[stranger.address, hashSigned(arrival.signed), signature]]);
  assert.equal(await reasonOf(text), 'signature');
  await assert.rejects(checkArrival(text, now, () => Promise.reject(new Error('the chain is away'))));
});

test('no envelope is built that would be refused', () => {
  for (const [type, payload, id = negotiationId] of [
    ['TaskProposal', {}],
    ['', {}],
    ['Greeting', {}, 'none'],
    ['Greeting', { text: '\ud800' }],
    ['Greeting', { number: Number.NaN }],
    ['Greeting', { big: 1n }],
  ] as const)
    assert.throws(() => buildEnvelope({ type, payload, sender, negotiationId: id }, noHead, now), {
      code: 'ENVELOPE_INVALID',
    });
});

test('a message has one wire text: other spellings of its signature are refused, and repaired when sending', async () => {
  const good = await write(poster, 'Note', { text: 'Hello.' });
  const spelled = spell(good.signature);
  for (const name of goodSpellings.slice(1)) {
    const signature = spelled[name] ?? assert.fail(name);
    assert.equal(await verifyKeySignature({ ...good, signature }), false, name);
    assert.deepEqual(await signEnvelope(good.envelope, async () => signature), good, name);
  }
});
