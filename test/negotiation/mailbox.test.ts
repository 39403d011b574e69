// Proves that a mailbox loses nothing and doubles nothing: over processes, kills and times without a transport; and takes in only
// what is meant for it.

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { PrivateKeyAccount } from 'viem/accounts';
import { verifyPlainAccount } from '#sdk/domain/verifyDigest.ts';
import { formatWire } from '#sdk/negotiation/envelope.ts';
import { verifyTranscript } from '#sdk/negotiation/verifyTranscript.ts';
import { OperatorError } from '#service/errors/operatorError.ts';
import { createNegotiationStore } from '#service/messages/negotiationStore.ts';
import { createLocalTransport, type Transport } from '#service/messages/transport.ts';
import { createInterrupter, interrupted } from '../support/interrupter.ts';
import {
  buildOffer,
  negotiationId,
  now,
  openAgent,
  poster,
  stranger,
  worker,
  write,
} from '../support/negotiating.ts';
import { createFolder } from '../support/svc.ts';

const proof = { type: 'CapabilityProof', negotiationId, payload: { capability: 'x', evidence: ['y'] } };

type Wrap = (transport: Transport) => Transport;

function open(context: TestContext, folder: string, account: PrivateKeyAccount, wrap: Wrap = (own) => own) {
  const transport = wrap(createLocalTransport(join(folder, 'mail.sqlite'), account.address));
  return openAgent(context, folder, account, { transport });
}

const lastHash = (agent: ReturnType<typeof open>) => entriesOf(agent).at(-1)?.hash as `0x${string}`;
const entriesOf = (agent: ReturnType<typeof open>) => agent.findTranscript(negotiationId)?.entries ?? [];

test('while the transport is away, envelopes wait in the outbox and go out in order, once', async (context) => {
  const folder = createFolder(context);
  let isAway = true;
  const unreliable: Wrap = (own) => ({
    ...own,
    send: async (to, text) => {
      if (isAway)
        throw new OperatorError('TRANSPORT_UNREACHABLE', { transport: 'local', reason: 'it is away' });
      await own.send(to, text);
    },
  });
  const ours = open(context, folder, poster, unreliable);
  const theirs = open(context, folder, worker);
  const first = await ours.send(proof, poster.signTypedData, worker.address);
  assert.match(first.kept ?? '', /it is away/);
  const second = await ours.send(proof, poster.signTypedData);
  assert.equal(ours.store.loadOutbox('local').length, 2);
  assert.deepEqual([...(await ours.flush()).keys()], [worker.address.toLowerCase()]);
  isAway = false;
  assert.equal((await ours.flush()).size, 0);
  assert.deepEqual(ours.store.loadOutbox('local'), []);
  await ours.flush();
  await theirs.receive();
  assert.deepEqual(entriesOf(theirs), [first.signed, second.signed]);
});

test('an envelope that a transport brings too late is found by reading everything again', async (context) => {
  const folder = createFolder(context);
  const ours = open(context, folder, poster);
  const { signed: first } = await ours.send(proof, poster.signTypedData, worker.address);
  const { signed: second } = await ours.send(proof, poster.signTypedData);
  // The first one is returned only to reads of everything, from the third read on.
  const asked: (string | null)[] = [];
  const late: Wrap = (own) => ({
    ...own,
    receive: async (cursor) => {
      asked.push(cursor);
      const { texts, cursor: next } = await own.receive(null);
      return { texts: cursor === null && asked.length > 2 ? texts : texts.slice(1), cursor: next };
    },
  });
  const theirs = open(context, folder, worker, late);
  await theirs.receive();
  assert.deepEqual(entriesOf(theirs), []);
  assert.deepEqual(theirs.listUnrooted(), [second]);
  await theirs.receive();
  // The same gap is not sought again at once.
  assert.deepEqual(asked, [null, null, '2']);
  const again = open(context, folder, worker, late);
  await again.receive();
  assert.deepEqual(entriesOf(again), [first, second]);
});

test('several processes of one agent that send at once make one unbroken chain', async (context) => {
  const folder = createFolder(context);
  const senders = [1, 2].map(() => open(context, folder, poster));
  const sent = await Promise.all(
    Array.from({ length: 12 }, (_, at) =>
      (senders[at % 2] as (typeof senders)[number]).send(proof, poster.signTypedData, worker.address),
    ),
  );
  const theirs = open(context, folder, worker);
  await theirs.receive();
  assert.deepEqual(
    new Set(entriesOf(theirs).map(({ hash }) => hash)),
    new Set(sent.map(({ signed }) => signed.hash)),
  );
  const texts = entriesOf(theirs).map(formatWire);
  assert.deepEqual(
    (await verifyTranscript(texts, { now: new Date(), verify: verifyPlainAccount, head: lastHash(theirs) }))
      .findings,
    [],
  );
});

test('a sender and a receiver that end at any call lose nothing and double nothing', async (context) => {
  const folder = createFolder(context);
  const sent: string[] = [];
  const send = async (agent: ReturnType<typeof open>) => {
    const { signed } = await agent.send(proof, poster.signTypedData, worker.address);
    sent.push(signed.hash);
  };
  for (const account of [poster, worker]) {
    let calls = 0;
    for (let at = 1; calls >= at - 1; at++)
      for (const when of ['before', 'after'] as const) {
        const interrupter = createInterrupter({ at, when });
        const ending = openAgent(context, folder, account, { wrap: interrupter.wrap });
        await (account === poster ? send(ending) : ending.receive()).catch((error) =>
          assert.match(String(error), new RegExp(interrupted.message)),
        );
        calls = interrupter.calls();
        await send(open(context, folder, poster));
      }
    assert.ok(calls > 3, `${calls} calls`);
  }
  const [ours, theirs] = [open(context, folder, poster), open(context, folder, worker)];
  await ours.flush();
  await theirs.receive();
  const hashes = entriesOf(theirs).map(({ hash }) => hash);
  assert.deepEqual(entriesOf(ours), entriesOf(theirs));
  for (const hash of sent) assert.equal(hashes.filter((other) => other === hash).length, 1);
  assert.deepEqual([theirs.store.loadRefused(), ours.store.loadOutbox('local')], [[], []]);
});

test('a mailbox that cannot be opened keeps the envelope in the outbox; a store that cannot is named', async (context) => {
  const folder = createFolder(context);
  mkdirSync(join(folder, 'mail.sqlite'));
  const ours = open(context, folder, poster);
  const { kept } = await ours.send(proof, poster.signTypedData, worker.address);
  assert.match(kept ?? '', /^Messages cannot be sent through the local mailbox now/);
  assert.equal(ours.store.loadOutbox('local').length, 1);
  assert.throws(() => createNegotiationStore(folder, poster.address), { code: 'FILE_UNUSABLE' });
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
  const ours = openAgent(context, folder, poster, clock);
  const theirs = openAgent(context, folder, worker, clock);
  for (const agent of [ours, theirs]) {
    const to = agent === ours ? poster.address : worker.address;
    await agent.transport.send(to, formatWire(await write(stranger, 'Note', { text: 'I was first.', to })));
    await agent.receive();
  }
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
