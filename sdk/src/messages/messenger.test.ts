// Proves what the messenger signs, and how often, over a conversation that other messages reach at any moment.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { SvcError } from '../domain/errors.ts';
import { noHead, type SignedEnvelope } from '../negotiation/envelope.ts';
import { buildTranscripts } from '../negotiation/transcript.ts';
import { buildOffer } from '../rules/offer.ts';
import { hashTermsDocument } from '../rules/terms.ts';
import { createMessenger, type MessengerNeeds, type Step } from './messenger.ts';
import { addSignature, type Draft, draftEnvelope } from './writer.ts';

const registry = (digit: string) => ({ taskRegistry: `0x${digit.repeat(40)}` as Hex });
const registries = { chainId: 8453, contracts: { standard: registry('1'), micro: registry('2') } };
const [poster, worker] = [
  privateKeyToAccount(generatePrivateKey()),
  privateKeyToAccount(generatePrivateKey()),
];
const negotiationId = '5f0c9a52-6a3e-4a53-9c6c-0d9b8a1f7f10';
const rich = {
  deposit: { balance: 100n, locked: 0n },
  tokWei: 10n ** 24n,
  allowances: { tokRouter: 10n ** 24n },
  staking: { credits: 0n },
  figures: { entryUsdc: 10n, bondUsdc: 5n, accessFeeTokWei: 1n },
};

function buildTerms(totalAmountTok: string) {
  const fields = {
    title: 'A map',
    criteria: 'One map.',
    totalAmountTok,
    deadline: '+3d',
    scope: 'open',
  } as const;
  const parties = {
    market: 'standard',
    poster: poster.address,
    worker: worker.address,
    negotiationId,
  } as const;
  const place = { chainId: 8453, registry: registries.contracts.standard.taskRegistry };
  return buildOffer({ ...fields, ...parties }, place, { now: Math.floor(Date.now() / 1_000) });
}

type Waiting = { readonly id: number };

/** One conversation, append only; `before` runs before a message is taken. */
function openWorld(options: Partial<MessengerNeeds<number, Waiting>> = {}) {
  const held: SignedEnvelope[] = [];
  const signed: string[] = [];
  const world = { held, signed, before: async () => {}, isOwnerLate: false };
  const head = () => ({ sequence: held.length, hash: held.at(-1)?.hash ?? noHead.hash });
  const take = (message: SignedEnvelope): number => {
    if (held.some(({ hash }) => hash === message.hash)) return held.length;
    if (message.envelope.previousHash !== head().hash) throw new SvcError('PLACE_TAKEN', { head: head() });
    return held.push(message);
  };
  /** As the poster, from another device. */
  const say = async (type: string, payload: object) => {
    const sender = { evmAddress: poster.address, xmtpPublicKey: '' };
    const draft = { type, negotiationId, sender, payload: payload as never };
    const { envelope, typedData } = draftEnvelope(draft, head(), new Date());
    return take(await addSignature(envelope, await poster.signTypedData(typedData)));
  };
  const sign = async (typedData: { readonly primaryType: string }) => {
    if (world.isOwnerLate) return { waiting: { id: signed.length } };
    signed.push(typedData.primaryType);
    return worker.signTypedData(typedData as never);
  };
  const read = () => buildTranscripts(held).transcripts;
  const messenger = createMessenger<number, Waiting>({
    address: worker.address,
    find: async () => read()[0],
    sign: ({ typedData }) => sign(typedData),
    signTerms: (typedData) => sign(typedData),
    send: async (message) => {
      await world.before();
      return take(message);
    },
    facts: openFacts(),
    ...options,
  });
  return Object.assign(world, {
    messenger,
    say,
    head,
    offer: (tok: string) => say('TaskProposal', buildTerms(tok)),
  });
}

const note = (root: string): Draft => ({ type: 'Note', payload: { text: 'hello' }, place: { root } });

test('a taken place is tried again ten times, with one message in the end; then it is an error', async () => {
  const world = openWorld();
  await world.offer('600');
  let others = 0;
  world.before = async () => {
    if (others++ < 9) await world.say('Note', { text: `other ${others}` });
  };
  const { hash: root } = world.held[0] ?? assert.fail();
  const filed = await world.messenger.write(note(root));
  assert.equal(filed.is, 'delivered');
  assert.deepEqual([others, world.held.length, world.held.at(-1)?.envelope.payload.text], [10, 11, 'hello']);
  others = -100;
  await assert.rejects(world.messenger.write(note(root)), { code: 'PLACE_TAKEN' });
  assert.equal(world.held.filter(({ envelope }) => envelope.payload.text === 'hello').length, 1);
});

test('an acceptance names the offer that was read: one that comes while it is signed is not accepted', async () => {
  const world = openWorld();
  await world.offer('600');
  const { hash: root, envelope } = world.held[0] ?? assert.fail();
  const { settlementDigest } = envelope.payload as { settlementDigest: string };
  const meant = { root, settlementDigest };
  let isFirst = true;
  world.before = async () => {
    if (isFirst) await world.say('TaskCounterOffer', buildTerms('150'));
    isFirst = false;
  };
  await assert.rejects(world.messenger.accept(meant), { code: 'OFFER_CHANGED' });
  assert.equal(world.held.length, 2, 'nothing was sent');
  world.signed.length = 0;
  await assert.rejects(world.messenger.accept(meant), { code: 'OFFER_CHANGED' });
  assert.deepEqual(world.signed, []);
});

test('terms of another market, with its digest, are not signed', async () => {
  const world = openWorld();
  const { terms, document, expiresAt } = buildTerms('600');
  const lie = { ...terms, market: 'micro' as const };
  const settlementDigest = hashTermsDocument(lie);
  await world.say('TaskProposal', {
    terms: { ...lie, settlementDigest },
    document,
    expiresAt,
    settlementDigest,
  });
  const { hash: root } = world.held[0] ?? assert.fail();
  await assert.rejects(world.messenger.accept({ root, settlementDigest }), {
    code: 'TERMS_INVALID',
    message: /registry is that of another market: standard/,
  });
  assert.deepEqual(world.signed, []);
});

test('an own bond that is missing is said before anything is signed, and so is what the other side lacks', async () => {
  const poor = { ...rich, deposit: { balance: 9n, locked: 0n }, tokWei: 0n, allowances: { tokRouter: 0n } };
  const readSide = async () => poor;
  const facts = { ...openFacts(), readSide };
  const world = openWorld({ facts });
  await world.offer('600');
  const { hash: root, envelope } = world.held[0] ?? assert.fail();
  const { settlementDigest } = envelope.payload as { settlementDigest: string };
  await assert.rejects(world.messenger.accept({ root, settlementDigest }), { code: 'NOT_READY_TO_ACT' });
  assert.deepEqual(world.signed, []);
  const offer = await openWorld().messenger.readLacks({ terms: buildTerms('600').terms }, true);
  assert.deepEqual(offer, []);
  const lacks = await world.messenger.readLacks({ terms: buildTerms('600').terms }, true);
  assert.deepEqual(
    lacks.map((line) => line.replace(poster.address, 'P')),
    [
      'the poster P has too little free collateral (top-up)',
      'the poster P has 0 TOK, and the task needs 600.000000000000000001 TOK of it',
      'the poster P has not approved its access fee (approve-tok-router)',
    ],
  );
});

function openFacts(): MessengerNeeds<number, Waiting>['facts'] {
  return {
    registries: async () => registries,
    readTime: async () => Math.floor(Date.now() / 1_000),
    readSide: async () => rich,
    isRevoked: async () => false,
    readDigest: async () => undefined,
    listOffered: async () => ({ transcripts: [], taskOf: () => undefined }),
  };
}

test('an owner who signs 30 hours later: what came meanwhile costs no message, and a replaced offer is not accepted', async () => {
  const later = new Date(Date.now() + 30 * 3_600_000);
  let now = new Date();
  const world = openWorld({ now: () => now });
  await world.offer('600');
  const { hash: root, envelope } = world.held[0] ?? assert.fail();
  const { settlementDigest } = envelope.payload as { settlementDigest: string };
  world.isOwnerLate = true;
  const asked = await world.messenger.write(note(root));
  const step = JSON.parse(JSON.stringify(asked.is === 'waiting' ? asked.step : assert.fail())) as Step;
  assert.ok(step.is === 'message');
  await world.say('Note', { text: 'in between' });
  now = later;
  const { envelope: old } = step;
  const { typedData } = draftEnvelope(
    old,
    { sequence: old.sequence - 1, hash: old.previousHash as Hex },
    new Date(old.timestamp),
  );
  const signature = await worker.signTypedData(typedData);
  // In another process: its place is taken, so that the same words need another signature.
  const again = await world.messenger.finish(step, signature);
  assert.ok(again.is === 'waiting' && again.step.is === 'message');
  assert.equal(again.step.envelope.sequence, 3);
  assert.deepEqual(again.step.envelope.payload, old.payload);
  world.isOwnerLate = false;
  const filed = await world.messenger.finish(step, signature);
  assert.ok(filed.is === 'delivered');
  const { envelope: sent } = filed.signed;
  assert.deepEqual([sent.payload.text, sent.timestamp], ['hello', later.toISOString()]);

  world.isOwnerLate = true;
  const terms = await world.messenger.accept({ root, settlementDigest });
  assert.ok(terms.is === 'waiting' && terms.step.is === 'terms');
  await world.say('TaskCounterOffer', buildTerms('150'));
  await assert.rejects(world.messenger.finish(terms.step, '0x11'), { code: 'OFFER_CHANGED' });
  assert.equal(world.held.filter((one) => one.envelope.type === 'TaskAcceptance').length, 0);
});
