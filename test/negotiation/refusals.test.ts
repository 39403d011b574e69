// Proves that each reason for a refusal is found, and that no envelope is built that would be refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hex } from 'viem';
import { hashCanonical, toCanonical } from '#sdk/domain/canonical.ts';
import { SvcError } from '#sdk/domain/errors.ts';
import { verifyPlainAccount } from '#sdk/domain/verifyDigest.ts';
import {
  buildEnvelope,
  hashSigned,
  noHead,
  parseWire,
  type SignedEnvelope,
} from '#sdk/negotiation/envelope.ts';
import { withDigest } from '#sdk/negotiation/terms.ts';
import { buildLinkTypedData, checkArrival } from '#sdk/negotiation/verifyEnvelope.ts';
import type { Envelope } from '#sdk/schemas/envelope.ts';
import {
  buildAcceptance,
  buildOffer,
  buildTerms,
  documentOf,
  negotiationId,
  now,
  poster,
  stranger,
  worker,
  write,
} from '../support/negotiating.ts';

/** An envelope that anybody could write: changed at will, then hashed and signed as it should be. */
async function forge(
  change: (envelope: Envelope) => unknown,
  type = 'TaskProposal',
  payload: object = buildOffer(),
) {
  const sender = { evmAddress: poster.address, xmtpPublicKey: '' };
  const good = {
    schemaVersion: 'svc-xmtp-v1',
    type,
    negotiationId,
    sequence: 1,
    previousHash: noHead.hash,
    sender,
  };
  const addressed = 'terms' in payload ? payload : { to: worker.address, ...payload };
  const envelope = change({
    ...good,
    timestamp: now.toISOString(),
    payload: addressed,
  } as Envelope) as Envelope;
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

async function reasonOf(text: string) {
  const arrival = await checkArrival(text, now, verifyPlainAccount);
  return 'refusal' in arrival ? arrival.refusal.reason : null;
}

/** Why an envelope that is accepted has no effect. */
async function unusableOf(text: string) {
  const arrival = await checkArrival(text, now, verifyPlainAccount);
  assert.ok('signed' in arrival);
  return arrival.unusable?.reason ?? null;
}

test('a valid envelope is accepted', async () => {
  assert.equal(await reasonOf(await forge((envelope) => envelope)), null);
  assert.equal(await reasonOf(await forge((envelope) => ({ ...envelope, taskId: 'v2:micro:1' }))), null);
  // Addresses count in any case.
  const shouting = { evmAddress: `0x${poster.address.slice(2).toUpperCase()}`, xmtpPublicKey: '' };
  assert.equal(await reasonOf(await forge((envelope) => ({ ...envelope, sender: shouting }))), null);
});

test('size: more than 256 KiB, counted in bytes', async () => {
  const filled = (length: number) => (envelope: Envelope) => ({
    ...envelope,
    payload: { ...envelope.payload, rationale: 'é'.repeat(length) },
  });
  assert.equal(await reasonOf(await forge(filled(130_000))), null);
  assert.equal(await reasonOf(await forge(filled(131_072))), 'size');
});

test('depth: a payload of more than 64 levels, which is not built either', async () => {
  const nested = (levels: number): object => (levels === 1 ? {} : { x: nested(levels - 1) });
  const lists = JSON.parse(`{"x":${'['.repeat(6_000)}${']'.repeat(6_000)}}`);
  const taken = async (payload: object) => reasonOf(await forge((envelope) => envelope, 'Greeting', payload));
  assert.equal(await taken(nested(64)), null);
  assert.equal(await taken(nested(65)), 'depth');
  assert.equal(await taken(lists), 'depth');
  const sender = { evmAddress: poster.address, xmtpPublicKey: '' };
  const build = (payload: object) =>
    buildEnvelope(
      { type: 'Greeting', payload: { to: worker.address, ...payload }, sender, negotiationId },
      noHead,
      now,
    );
  build(nested(64));
  for (const payload of [nested(65), lists, JSON.parse(`{"x":${'['.repeat(1e5)}${']'.repeat(1e5)}}`)])
    assert.throws(() => build(payload), { code: 'ENVELOPE_INVALID', message: /more than 64 levels deep/ });
});

test('form: any text but the canonical one', async () => {
  const text = await forge((envelope) => envelope);
  for (const other of [
    '',
    'null',
    '1',
    text.slice(1),
    ` ${text}`,
    `${text}\n`,
    text.replace('"sequence":1', '"sequence":1.0'),
  ])
    assert.notEqual(await reasonOf(other), null);
  assert.equal(await reasonOf(JSON.stringify(JSON.parse(text), null, 1)), 'form');
  assert.equal(await reasonOf(text.replace('"sequence":1', '"sequence":1e0')), 'form');
});

test('version: another schemaVersion', async () => {
  assert.equal(
    await reasonOf(await forge((envelope) => ({ ...envelope, schemaVersion: 'svc-xmtp-v2' }))),
    'version',
  );
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
    ['__proto__']: [{ admin: true }],
  };
  for (const [field, values] of Object.entries(wrong)) {
    for (const value of values) {
      const text = await forge((envelope) => {
        const { [field as keyof Envelope]: _, ...rest } = envelope;
        return value === undefined
          ? rest
          : JSON.parse(
              JSON.stringify(rest).replace(/\}$/, `,${JSON.stringify(field)}:${JSON.stringify(value)}}`),
            );
      });
      assert.equal(await reasonOf(text), 'shape', `${field} ${JSON.stringify(value)}`);
    }
  }
});

test('recipient: a first message that names nobody, its sender, or other wallets', async () => {
  const note = async (to: unknown) =>
    reasonOf(await forge((envelope) => envelope, 'Note', { text: 'Hello.', to }));
  assert.equal(await note(worker.address), null);
  for (const to of [undefined, null, '', 7, '0x1', poster.address]) assert.equal(await note(to), 'recipient');
  const offer = async (terms: ReturnType<typeof buildTerms>, to?: string) =>
    reasonOf(
      await forge((envelope) => envelope, 'TaskProposal', { ...buildOffer(terms), ...(to && { to }) }),
    );
  assert.equal(await offer(buildTerms({ poster: stranger.address })), 'recipient');
  assert.equal(await offer(buildTerms(), worker.address), null);
  assert.equal(await offer(buildTerms(), stranger.address), 'recipient');
});

test('hash: the hash of another envelope', async () => {
  const { envelope, signature } = await write(poster, 'TaskProposal', buildOffer());
  assert.equal(await reasonOf(toCanonical({ envelope, hash: `0x${'1'.repeat(64)}`, signature })), 'hash');
});

test('digest: terms that do not match the digest, or are inconsistent', async () => {
  const terms = buildTerms();
  const parts = [200n, 300n].map((amount) => ({ amount: amount * 10n ** 18n }));
  const split = buildTerms({ milestones: parts });
  const sly = [
    { ...buildOffer(), terms: buildTerms({ totalAmount: 499n }) },
    buildOffer({ ...split, milestones: [...split.milestones].reverse() }),
    buildOffer({ ...terms, milestones: split.milestones }),
    buildOffer(buildTerms({ milestones: [{ amount: 500n * 10n ** 18n }] })),
    buildOffer(buildTerms({ milestones: [{ amount: 1n }, { amount: 2n }] })),
    buildOffer(buildTerms({ totalAmount: 0n })),
    { ...buildOffer(), terms: { ...terms, totalAmountTokWei: String(2n ** 96n) } },
    buildOffer(buildTerms({ totalAmount: 2n ** 96n - 1n })),
    buildOffer(buildTerms({ worker: poster.address })),
  ];
  const reasons = [];
  for (const payload of sly)
    reasons.push(await reasonOf(await forge((envelope) => envelope, 'TaskProposal', payload)));
  assert.deepEqual(reasons, [...Array(7).fill('digest'), null, 'digest']);
  // Terms and digest must agree even in a kind that needs no terms, whatever the type of the digest.
  for (const settlementDigest of [5, null, { toString: 5 }, []]) {
    const payload = { capability: 'x', evidence: ['y'], terms, settlementDigest };
    assert.equal(await reasonOf(await forge((envelope) => envelope, 'CapabilityProof', payload)), 'digest');
  }
  assert.equal(await reasonOf(await forge((envelope) => envelope, 'TaskProposal', buildOffer(split))), null);
});

test('document: words that the digest does not cover, or that are missing', async () => {
  const offer = async (payload: object) =>
    reasonOf(await forge((envelope) => envelope, 'TaskProposal', payload));
  const [words, terms] = [documentOf(), buildTerms()];
  assert.equal(await offer(buildOffer(terms, { ...words, title: 'Test two programs' })), 'document');
  const { blind: _, ...open } = words;
  const naked = buildTerms({ criteriaHash: hashCanonical(open) });
  assert.equal(await offer(buildOffer(naked, open)), 'document', 'a private task is blinded');
  const shown = withDigest({ ...naked, scope: 'open' });
  assert.equal(await offer(buildOffer(shown, open)), null);
  const two = { ...words, milestones: ['One', 'Two'] };
  assert.equal(await offer(buildOffer(buildTerms({ criteriaHash: hashCanonical(two) }), two)), 'document');
  assert.equal(await offer({ ...buildOffer(), document: undefined }), 'payload');
  const { settlementDigest: __, ...bare } = terms;
  assert.equal(await offer(buildOffer(bare)), null, 'terms of before carry no digest');
  const forged = { ...terms, settlementDigest: `0x${'ab'.repeat(32)}` };
  assert.equal(await offer(buildOffer(forged)), 'digest');
  // Terms hold nothing that the digest does not cover.
  for (const more of [{ criteriaText: 'x' }, { bonus: '1' }])
    assert.equal(await offer({ ...buildOffer(), terms: { ...terms, ...more } }), 'payload');
});

test('document: a delivery or evidence whose document has another hash, or is about another milestone', async () => {
  const taskId = 'v2:standard:7';
  const delivery = { schema: 'svc-delivery-v1', taskId, milestone: 0, note: 'Done.', artifacts: [] };
  const deliver = async (changes: object) =>
    reasonOf(
      await forge((envelope) => envelope, 'DeliveryNotice', {
        milestone: 0,
        proofHash: hashCanonical(delivery),
        document: delivery,
        ...changes,
      }),
    );
  assert.equal(await deliver({}), null);
  assert.equal(await deliver({ document: { ...delivery, note: 'Half.' } }), 'document');
  assert.equal(await deliver({ milestone: 1 }), 'document');
  const evidence = { schema: 'svc-evidence-v1', taskId, name: 'Log', description: 'x', artifacts: [] };
  const file = async (evidenceHashes: readonly string[]) =>
    reasonOf(
      await forge((envelope) => envelope, 'DisputeEvidence', {
        claim: 'quality',
        evidenceHashes,
        document: evidence,
      }),
    );
  assert.equal(await file([hashCanonical(evidence)]), null);
  assert.equal(await file([hashCanonical(delivery)]), 'document');
});

test('payload: an offer that shows another end than the chain enforces', async () => {
  const payload = { ...buildOffer(), expiresAt: buildTerms().acceptBy - 1 };
  assert.equal(await reasonOf(await forge((envelope) => envelope, 'TaskProposal', payload)), 'payload');
});

test('acceptance: a signature of another wallet, or for other terms, keeps its place and has no effect', async () => {
  const accept = async (payload: object) =>
    unusableOf(await forge((envelope) => envelope, 'TaskAcceptance', payload));
  assert.equal(await accept(await buildAcceptance(poster)), null);
  assert.equal(await accept(await buildAcceptance(worker)), 'acceptance');
  // Some wallets write v as 0 or 1.
  const plain = await buildAcceptance(poster);
  const v = { '1b': '00', '1c': '01' }[plain.signature.slice(-2)];
  assert.equal(await accept({ ...plain, signature: `${plain.signature.slice(0, -2)}${v}` }), null);
  const { signature } = await buildAcceptance(poster, buildTerms({ totalAmount: 1n }));
  assert.equal(await accept({ ...(await buildAcceptance(poster)), signature }), 'acceptance');
  assert.equal(await accept({ ...(await buildAcceptance(poster)), signature: '0x00' }), 'acceptance');
});

test('link: an identity that its wallet has not signed', async () => {
  const link = { xmtpPublicKey: 'ab', evmAddress: stranger.address, issuedAt: 1 };
  const by = async (account: typeof poster) => ({
    ...link,
    signature: await account.signTypedData(buildLinkTypedData(link)),
  });
  const linked = async (account: typeof poster) =>
    unusableOf(await forge((envelope) => envelope, 'IdentityLink', await by(account)));
  assert.equal(await linked(stranger), null);
  assert.equal(await linked(poster), 'link');
});

test('time: more than ten minutes ahead', async () => {
  const ahead = (seconds: number) => (envelope: Envelope) => ({
    ...envelope,
    timestamp: new Date(now.getTime() + seconds * 1_000).toISOString(),
  });
  assert.equal(await reasonOf(await forge(ahead(600))), null);
  assert.equal(await reasonOf(await forge(ahead(601))), 'time');
  assert.equal(await reasonOf(await forge(ahead(-86_400))), null);
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

test('an unknown type is accepted with any payload', async () => {
  assert.equal(
    await reasonOf(
      await forge((envelope) => ({ ...envelope, type: 'toString', payload: { a: [], to: worker.address } })),
    ),
    null,
  );
});

test('no envelope is built that would be refused', () => {
  const sender = { evmAddress: poster.address, xmtpPublicKey: '' };
  const build = (type: string, payload: Record<string, unknown>, id = negotiationId) =>
    buildEnvelope({ type, payload, sender, negotiationId: id }, noHead, now);
  const isInvalid = (error: unknown) => error instanceof SvcError && error.code === 'ENVELOPE_INVALID';
  assert.throws(() => build('TaskProposal', {}), isInvalid);
  assert.throws(() => build('', {}), isInvalid);
  assert.throws(() => build('Greeting', {}, 'none'), isInvalid);
  assert.throws(() => build('Greeting', { text: '\ud800' }), isInvalid);
  assert.throws(() => build('Greeting', { number: Number.NaN }), isInvalid);
  assert.throws(() => build('Greeting', { big: 1n }), isInvalid);
});

test('the wire form survives a round trip', async () => {
  const signed = await write(poster, 'TaskProposal', buildOffer());
  assert.deepEqual(parseWire(toCanonical(signed)), { signed });
});
