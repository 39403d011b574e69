// Proves that an envelope which is refused for a reason that passes is taken in once it has, that nobody can use that to fill
// a disk or to push others out, and that neither a malformed signature nor an unreachable chain stops a mailbox.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import type { Hex } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { createConversationReader, type MailSource } from '#sdk/client/conversationReader.ts';
import { toCanonical } from '#sdk/domain/canonical.ts';
import { type VerifyDigest, verifyPlainAccount } from '#sdk/domain/verifyDigest.ts';
import type { SignedEnvelope } from '#sdk/negotiation/envelope.ts';
import { createMailReader } from '#sdk/negotiation/mailReader.ts';
import { readNegotiation } from '#sdk/negotiation/negotiation.ts';
import { openMailbox } from '#service/cli/negotiation.ts';
import { readConfig } from '#service/config.ts';
import { createLocalTransport, type Transport } from '#service/messages/transport.ts';
import { createXmtpTransport } from '#service/messages/xmtp.ts';
import {
  buildAcceptance,
  buildOffer,
  headAfter,
  negotiationId,
  now,
  openAgent,
  poster,
  stranger,
  worker,
  write,
} from '../support/negotiating.ts';
import { type RpcStub, startRpcStub } from '../support/rpcStub.ts';
import { createFolder } from '../support/svc.ts';

const minutes = (count: number) => new Date(now.getTime() + count * 60_000);
const days = (count: number) => minutes(count * 24 * 60);
const evidence = { capability: 'x', evidence: ['y'] };

/** The worker at its mailbox, with a clock and a chain that can be wrong. */
function open(context: TestContext, folder: string, transport: Transport) {
  let clock = now;
  let verify: VerifyDigest = verifyPlainAccount;
  const agent = openAgent(context, folder, worker, {
    transport,
    verify: (...question) => verify(...question),
    now: () => clock,
  });
  const { store } = agent;
  return {
    store,
    receive: (at: Date, by: VerifyDigest = verifyPlainAccount) => {
      [clock, verify] = [at, by];
      return agent.receive();
    },
    hashes: () => agent.findTranscript(negotiationId)?.entries.map(({ hash }) => hash) ?? [],
    counted: () => {
      const transcript = agent.findTranscript(negotiationId);
      assert.ok(transcript);
      const { acceptances, unusable, loose } = readNegotiation(transcript);
      const hashesOf = (list: readonly { readonly hash: string }[]) => list.map(({ hash }) => hash);
      return { acceptances: hashesOf(acceptances), unusable: hashesOf(unusable), loose: hashesOf(loose) };
    },
    reasons: () => store.loadRefused().map(({ reason, isUndecided }) => [reason, isUndecided]),
  };
}

function openLocal(context: TestContext) {
  const folder = createFolder(context);
  const transport = createLocalTransport(join(folder, 'mail.sqlite'), worker.address);
  const post = async (...letters: readonly SignedEnvelope[]) => {
    for (const signed of letters) await transport.send(worker.address, toCanonical(signed));
  };
  return { ...open(context, folder, transport), post };
}

/** Like the network's client: each message is brought once, unless everything is asked for. */
function openXmtp(context: TestContext) {
  let letters: readonly string[] = [];
  const transport = createXmtpTransport({ network: 'dev' }, async () => ({
    installationId: 'ab12',
    send: async () => undefined,
    listSince: async () => {
      const texts = letters;
      letters = [];
      return texts;
    },
  }));
  const post = async (...signed: readonly SignedEnvelope[]) => {
    letters = signed.map((one) => toCanonical(one));
  };
  return { ...open(context, createFolder(context), transport), post };
}

for (const [name, openBox] of [
  ['the local mailbox', openLocal],
  ['XMTP', openXmtp],
] as const) {
  test(`over ${name}, a clock that was behind and is set right loses no envelope`, async (context) => {
    const mailbox = openBox(context);
    const offer = await write(poster, 'TaskProposal', buildOffer());
    const acceptance = await write(poster, 'TaskAcceptance', await buildAcceptance(poster), headAfter(offer));
    await mailbox.post(offer, acceptance);
    await mailbox.receive(minutes(-11));
    assert.deepEqual(mailbox.hashes(), []);
    assert.deepEqual(mailbox.reasons(), [
      ['time', true],
      ['time', true],
    ]);
    await mailbox.receive(now);
    assert.deepEqual(mailbox.hashes(), [offer.hash, acceptance.hash]);
    assert.deepEqual(mailbox.reasons(), []);
  });
}

test('a wallet whose contract the chain did not show at first is believed once it does', async (context) => {
  const mailbox = openLocal(context);
  const offer = await write(poster, 'TaskProposal', buildOffer());
  const byContract = { ...offer, signature: `0x${'5a'.repeat(200)}` } as const;
  await mailbox.post(byContract);
  await mailbox.receive(now);
  assert.deepEqual(mailbox.reasons(), [['signature', true]]);
  await mailbox.receive(minutes(1), () => Promise.reject(new Error('the chain is away')));
  assert.deepEqual(mailbox.reasons(), [['signature', true]], 'a chain that cannot be asked decides nothing');
  await mailbox.receive(minutes(2), async () => true);
  assert.deepEqual(mailbox.hashes(), [offer.hash]);
  assert.deepEqual(mailbox.reasons(), []);
});

test('an acceptance whose signature fails keeps its place without effect, and counts once the chain confirms it', async (context) => {
  const mailbox = openLocal(context);
  const offer = await write(poster, 'TaskProposal', buildOffer());
  const payload = { ...(await buildAcceptance(poster)), offerHash: offer.hash, signature: '0x5a5a' };
  const acceptance = await write(poster, 'TaskAcceptance', payload, headAfter(offer));
  const note = await write(poster, 'Note', { text: 'And more.' }, headAfter(acceptance));
  await mailbox.post(offer, acceptance, note);
  await mailbox.receive(now);
  assert.deepEqual(mailbox.hashes(), [offer.hash, acceptance.hash, note.hash]);
  assert.deepEqual(mailbox.counted(), { acceptances: [], unusable: [acceptance.hash], loose: [] });
  await mailbox.receive(minutes(1), () => Promise.reject(new Error('the chain is away')));
  assert.deepEqual(mailbox.counted().unusable, [acceptance.hash]);
  await mailbox.receive(minutes(2), async () => true);
  assert.deepEqual(mailbox.counted(), { acceptances: [acceptance.hash], unusable: [], loose: [] });
  await mailbox.receive(minutes(3));
  assert.deepEqual(mailbox.counted().acceptances, [acceptance.hash], 'a chain that lags undoes nothing');
});

test('what cannot become right is refused for good, and what did not in a week as well', async (context) => {
  const mailbox = openLocal(context);
  const offer = await write(poster, 'TaskProposal', buildOffer());
  await mailbox.post({ ...offer, hash: `0x${'00'.repeat(32)}` }, { ...offer, signature: '0x5a' });
  await mailbox.receive(now);
  assert.deepEqual(mailbox.reasons(), [
    ['hash', false],
    ['signature', true],
  ]);
  await mailbox.receive(days(8));
  assert.deepEqual(mailbox.reasons(), [
    ['hash', false],
    ['signature', false],
  ]);
  await mailbox.receive(days(9), async () => true);
  assert.deepEqual(mailbox.hashes(), []);
});

test('a flood from unknown senders takes bounded space and displaces no message of a running negotiation', async (context) => {
  const mailbox = openXmtp(context);
  const offer = await write(poster, 'TaskProposal', buildOffer());
  await mailbox.post(offer);
  await mailbox.receive(now);
  const late = await write(poster, 'CapabilityProof', evidence, headAfter(offer), { at: minutes(11) });
  const flood = [];
  for (let count = 0; count < 34; count += 1) {
    const talk = { negotiationId: crypto.randomUUID(), at: minutes(60) };
    const ahead = await write(stranger, 'CapabilityProof', evidence, undefined, talk);
    const forged = `0x${String(count).padStart(2, '0').repeat(65)}` as const;
    flood.push(ahead, { ...ahead, signature: forged }, { ...late, signature: forged });
  }
  await mailbox.post(late, ...flood);
  await mailbox.receive(now);
  assert.ok(mailbox.store.loadUndecided().length <= 128);
  await mailbox.receive(minutes(11));
  assert.deepEqual(mailbox.hashes(), [offer.hash, late.hash]);
});

/** An honest acceptance whose signature fails at first, and more of a stranger than one check takes. */
async function openFlood(context: TestContext) {
  const mailbox = openXmtp(context);
  const offer = await write(poster, 'TaskProposal', buildOffer());
  const payload = { ...(await buildAcceptance(poster)), offerHash: offer.hash, signature: '0x5a5a' };
  const acceptance = await write(poster, 'TaskAcceptance', payload, headAfter(offer));
  const flood = [];
  for (let count = 0; count < 70; count += 1) {
    const talk = { negotiationId: crypto.randomUUID() };
    const opening = await write(stranger, 'CapabilityProof', evidence, undefined, talk);
    const forged = { ...payload, offerHash: opening.hash };
    flood.push(opening, await write(stranger, 'TaskAcceptance', forged, headAfter(opening), talk));
  }
  await mailbox.post(offer, acceptance, ...flood);
  await mailbox.receive(now);
  return { mailbox, acceptance };
}

test('a flood of acceptances whose signatures fail keeps no honest one from counting', async (context) => {
  const { mailbox, acceptance } = await openFlood(context);
  for (let minute = 1; minute <= 2; minute += 1) await mailbox.receive(minutes(minute));
  const isOfPoster: VerifyDigest = async (signer, ...question) =>
    signer === poster.address || verifyPlainAccount(signer, ...question);
  for (let minute = 3; minute <= 5; minute += 1) await mailbox.receive(minutes(minute), isOfPoster);
  assert.deepEqual(mailbox.counted(), { acceptances: [acceptance.hash], unusable: [], loose: [] });
});

test('neither does one of a wallet that has a new owner since, nor forged copies of the honest one', async (context) => {
  const { mailbox, acceptance } = await openFlood(context);
  const forged = `0x${'6b'.repeat(65)}` as const;
  await mailbox.post({ ...acceptance, signature: forged });
  await mailbox.receive(minutes(1));
  const isOfPoster: VerifyDigest = async (signer, _digest, signature) =>
    signer === poster.address && signature !== forged;
  for (let minute = 2; minute <= 5; minute += 1) await mailbox.receive(minutes(minute), isOfPoster);
  assert.deepEqual(mailbox.counted(), { acceptances: [acceptance.hash], unusable: [], loose: [] });
});

test('who reads a gateway’s mailbox checks each message without effect again, however many come after it', async () => {
  let verify: VerifyDigest = verifyPlainAccount;
  const reader = createMailReader(worker.address, (...question) => verify(...question));
  const offer = await write(poster, 'TaskProposal', buildOffer());
  const payload = { ...(await buildAcceptance(poster)), offerHash: offer.hash, signature: '0x5a5a' };
  const acceptance = await write(poster, 'TaskAcceptance', payload, headAfter(offer));
  const letters = [[offer, acceptance]];
  for (let count = 0; count < 40; count += 1) {
    const talk = { negotiationId: crypto.randomUUID() };
    const opening = await write(stranger, 'CapabilityProof', evidence, undefined, talk);
    const forged = { ...payload, offerHash: opening.hash };
    letters.push([opening, await write(stranger, 'TaskAcceptance', forged, headAfter(opening), talk)]);
  }
  const mails = letters.flatMap(([first, second]) =>
    [first, second].map((signed, at) => ({
      ...{ position: 1, hash: signed?.hash as Hex, root: first?.hash as Hex, sequence: at + 1 },
      ...{ wire: toCanonical(signed), receivedAt: 1 },
    })),
  );
  await reader.add(mails, now);
  verify = async (signer, ...question) =>
    signer === poster.address || verifyPlainAccount(signer, ...question);
  for (let minute = 1; minute <= 2; minute += 1) await reader.add([], minutes(minute));
  const [transcript] = reader
    .read()
    .transcripts.filter(({ negotiationId: id }) => id === offer.envelope.negotiationId);
  const { acceptances } = readNegotiation(transcript ?? assert.fail());
  assert.deepEqual(
    acceptances.map(({ hash }) => hash),
    [acceptance.hash],
  );
});

test('a message that could not be proved is checked again although nothing new comes', async (context) => {
  context.mock.timers.enable({ apis: ['Date'], now });
  let isAway = true;
  const reader = createConversationReader(worker.address, async () => !isAway);
  const offer = await write(poster, 'TaskProposal', buildOffer());
  const signed = { ...offer, signature: `0x${'5a'.repeat(200)}` } as const;
  const place = { position: 1, hash: offer.hash, root: offer.hash, sequence: 1, receivedAt: 1, block: 1 };
  const source: MailSource = {
    conversations: () => assert.fail(),
    conversation: async () => ({
      messages: [{ ...place, wire: toCanonical(signed) }],
      ...{ earlier: 0, taskId: null },
    }),
  };
  for (const hidden of [1, 0]) {
    await reader.find(source, { root: offer.hash, head: 1 });
    assert.equal(reader.read().hidden, hidden);
    isAway = false;
    context.mock.timers.tick(60_000);
  }
});

test('forged messages of conversations that a stranger opens displace none of a negotiation that this wallet answered', async (context) => {
  const mailbox = openXmtp(context);
  const offer = await write(poster, 'TaskProposal', buildOffer());
  const answer = await write(worker, 'Note', { text: 'Yes.' }, headAfter(offer));
  const late = await write(poster, 'CapabilityProof', evidence, headAfter(answer));
  const talks = {
    stranger: { negotiationId: crypto.randomUUID() },
    poster: { negotiationId: crypto.randomUUID() },
  };
  const unanswered = await write(stranger, 'CapabilityProof', evidence, undefined, talks.stranger);
  const other = await write(poster, 'CapabilityProof', evidence, undefined, talks.poster);
  const reply = await write(worker, 'Note', { text: 'No.' }, headAfter(other), talks.poster);
  const forged = [
    await write(stranger, 'CapabilityProof', evidence, headAfter(unanswered), talks.stranger),
    await write(poster, 'CapabilityProof', evidence, headAfter(reply), talks.poster),
  ];
  const flood = forged.flatMap((one) =>
    Array.from({ length: 34 }, (_, count): SignedEnvelope => {
      const signature: Hex = `0x${String(count).padStart(2, '0').repeat(65)}`;
      return { ...one, signature };
    }),
  );
  await mailbox.post(offer, answer, unanswered, other, reply);
  await mailbox.receive(now);
  await mailbox.post({ ...late, signature: `0x${'5a'.repeat(200)}` }, ...flood);
  await mailbox.receive(now);
  assert.ok(mailbox.store.loadUndecided().length <= 3 * 32);
  await mailbox.receive(minutes(1), async () => true);
  assert.deepEqual(mailbox.hashes(), [offer.hash, answer.hash, late.hash]);
});

/** Ends like ERC-6492 and ERC-8010 wrap signatures, with nothing behind it that could be unwrapped. */
const unreadable = ['6492', '8010'].map((magic): Hex => `0x${'00'.repeat(64)}${magic.repeat(16)}`);

let chain: RpcStub;
before(async () => {
  // There is code at no address, and nothing that is called answers.
  chain = await startRpcStub({ eth_getCode: '0x', eth_call: '0x' });
});
after(() => chain.close());

function openAtChain(context: TestContext) {
  const folder = createFolder(context);
  const config = readConfig({ SVC_DATA_DIR: folder, SVC_RPC_URL: chain.url });
  const mail = createLocalTransport(join(folder, 'mail.sqlite'), worker.address);
  const mailbox = openMailbox(config, 'local', worker.address);
  context.after(async () => {
    await mail.close();
    await mailbox.close();
  });
  const post = async (by: PrivateKeyAccount, signature?: Hex) => {
    const talk = { negotiationId: crypto.randomUUID() };
    const signed = await write(by, 'CapabilityProof', { capability: 'x', evidence: ['y'] }, undefined, talk);
    await mail.send(worker.address, toCanonical({ ...signed, ...(signature && { signature }) }));
    return signed.hash;
  };
  const hashes = () =>
    mailbox.agent.listTranscripts().flatMap(({ entries }) => entries.map(({ hash }) => hash));
  return { ...mailbox, post, hashes };
}

test('a malformed signature is refused and stops nothing', async (context) => {
  const { agent, store, post, hashes } = openAtChain(context);
  for (const signature of unreadable) await post(stranger, signature);
  const good = await post(poster);
  await agent.receive();
  assert.deepEqual(hashes(), [good]);
  assert.deepEqual(
    store.loadRefused().map(({ reason }) => reason),
    ['signature', 'signature'],
  );
});

test('while the chain is unreachable, messages of plain accounts are accepted, and the rest later', async (context) => {
  const { agent, store, post, hashes } = openAtChain(context);
  chain.behave((_, response) => !!response.writeHead(503).end());
  context.after(() => chain.behave(() => false));
  for (const digit of ['1', '2', '3']) await post(stranger, `0x${digit.repeat(130)}`);
  const good = await post(poster);
  const asked = chain.requests.length;
  await assert.rejects(agent.receive(), { code: 'CHAIN_UNREACHABLE' });
  assert.deepEqual(hashes(), [good]);
  assert.deepEqual(store.loadRefused(), []);
  assert.ok(chain.requests.length - asked <= 2, 'a chain that is away is not asked about each of them');
  chain.behave(() => false);
  await agent.receive();
  assert.deepEqual(hashes(), [good]);
  assert.equal(store.loadRefused().length, 3);
});
