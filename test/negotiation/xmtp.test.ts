// Proves the XMTP transport as far as it goes without its network: the codec, the failure, the way back.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client } from '@xmtp/node-sdk';
import fc from 'fast-check';
import { verifyPlainAccount } from '#sdk/domain/verifyDigest.ts';
import { formatWire } from '#sdk/negotiation/envelope.ts';
import { createAgent } from '#service/messages/agent.ts';
import { createBook } from '#service/messages/book.ts';
import { connectXmtp, createXmtpTransport, type XmtpClient } from '#service/messages/xmtp.ts';
import { envelopeCodec, isEnvelopeContent } from '#service/messages/xmtpCodec.ts';
import { buildOffer, negotiationId, poster, worker, write, writeTalk } from '../support/negotiating.ts';
import { createFolder } from '../support/svc.ts';

test('the content type is svc/negotiation-envelope:1.0, and no other is taken for it', () => {
  const { contentType } = envelopeCodec;
  const { authorityId, typeId, versionMajor, versionMinor } = contentType;
  assert.equal(`${authorityId}/${typeId}:${versionMajor}.${versionMinor}`, 'svc/negotiation-envelope:1.0');
  assert.ok(isEnvelopeContent(contentType));
  assert.ok(isEnvelopeContent({ ...contentType, versionMinor: 3 }));
  assert.ok(!isEnvelopeContent({ ...contentType, versionMajor: 2 }));
  assert.ok(!isEnvelopeContent({ ...contentType, authorityId: 'xmtp.org' }));
  assert.ok(!isEnvelopeContent(undefined));
});

test('every text comes back from the codec as it went in', async () => {
  const texts = fc.string({ unit: 'grapheme' });
  fc.assert(
    fc.property(texts, (text) => assert.equal(envelopeCodec.decode(envelopeCodec.encode(text)), text)),
  );
  for (const text of ['\ufeff{}', ...(await writeTalk()).map(formatWire)])
    assert.equal(envelopeCodec.decode(envelopeCodec.encode(text)), text);
});

test('the fallback is one line for people, also of what is no envelope', async () => {
  const signed = await write(poster, 'TaskProposal', buildOffer());
  assert.equal(
    envelopeCodec.encode(formatWire(signed)).fallback,
    `TaskProposal, message 1 of the task negotiation ${negotiationId}.`,
  );
  assert.equal(envelopeCodec.fallback('\u001b[2J'), 'A message of a task negotiation.');
});

test('broken bytes decode to something that is refused, never to a failure', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (content) => {
      assert.equal(typeof envelopeCodec.decode({ parameters: {}, content }), 'string');
    }),
  );
});

test('without a network the real SDK fails within seconds, the envelope is kept and the reason told', async (context) => {
  const folder = createFolder(context);
  assert.equal(typeof Client.create, 'function');
  const book = createBook(join(folder, 'negotiations.sqlite'), poster.address);
  context.after(() => book.close());
  const transport = createXmtpTransport({ network: 'local' }, () =>
    connectXmtp({
      address: poster.address,
      signMessage: (message) => poster.signMessage({ message }),
      network: 'local',
      databasePath: join(folder, 'xmtp.db3'),
      databaseKey: `0x${'11'.repeat(32)}`,
    }),
  );
  const agent = createAgent({
    address: poster.address,
    book,
    transport,
    verify: verifyPlainAccount,
    now: () => new Date(),
  });
  const message = { type: 'TaskProposal', negotiationId, payload: buildOffer() };
  const { kept, signed } = await agent.send(message, poster.signTypedData, worker.address);
  assert.equal(kept, 'No messages go through XMTP now: the network "local" does not answer.');
  assert.deepEqual(
    book.loadOutbox('xmtp').map(({ to, text }) => ({ to, text })),
    [{ to: worker.address.toLowerCase(), text: formatWire(signed) }],
  );
  // No installation was ever told, and an empty key is what the envelope says.
  assert.equal(signed.envelope.sender.xmtpPublicKey, '');
  await assert.rejects(agent.receive(), { code: 'TRANSPORT_UNREACHABLE' });
});

test('back on the network, the outbox goes out and what was missed is read, however far back it lies', async (context) => {
  const folder = createFolder(context);
  const book = createBook(join(folder, 'negotiations.sqlite'), worker.address);
  context.after(() => book.close());
  const talk = (await writeTalk()).slice(0, 4);
  const texts = talk.map(formatWire);
  const sent: string[] = [];
  const asked: bigint[] = [];
  let isOnline = false;
  // The first message was on the network before, but reaches this database only when everything is asked for.
  const client: XmtpClient = {
    installationId: 'ab12',
    send: async (_, text) => void sent.push(text),
    listSince: async (sinceNs) => {
      asked.push(sinceNs);
      return sinceNs === 0n && asked.length > 1 ? texts : texts.slice(1);
    },
  };
  const transport = createXmtpTransport({ network: 'dev' }, async () => {
    if (!isOnline) throw new Error('api client error: dns error');
    return client;
  });
  const agent = createAgent({
    address: worker.address,
    book,
    transport,
    verify: verifyPlainAccount,
    now: () => new Date(),
  });
  const other = {
    type: 'CapabilityProof',
    negotiationId: crypto.randomUUID(),
    payload: { capability: 'x', evidence: ['y'] },
  };
  const { kept } = await agent.send(other, worker.signTypedData, poster.address);
  assert.match(kept ?? '', /"dev" does not answer/);
  await assert.rejects(agent.receive(), { code: 'TRANSPORT_UNREACHABLE' });
  isOnline = true;
  assert.equal((await agent.flush()).size, 0);
  assert.equal(sent.length, 1);
  await agent.receive();
  assert.deepEqual(agent.findTranscript(negotiationId)?.entries, talk);
  assert.equal(await agent.readPublicKey(), 'ab12');
  await agent.receive();
  // Later readings start a little before the last one, so that nothing falls between two.
  assert.ok((asked.at(-1) as bigint) > 0n);
  assert.deepEqual(agent.findTranscript(negotiationId)?.entries, talk);
});

test('a clock that was ahead and is set back hides no message', async (context) => {
  const taken: { readonly text: string; readonly atNs: bigint }[] = [];
  const clock = context.mock.method(Date, 'now');
  const set = (iso: string) => clock.mock.mockImplementation(() => Date.parse(iso));
  const take = (text: string) => taken.push({ text, atNs: BigInt(Date.now()) * 1_000_000n });
  const transport = createXmtpTransport({ network: 'dev' }, async () => ({
    installationId: 'ab12',
    send: async () => undefined,
    listSince: async (sinceNs) => taken.filter(({ atNs }) => atNs > sinceNs).map(({ text }) => text),
  }));
  set('2026-05-01T13:00:00Z');
  take('while it was ahead');
  const first = await transport.receive(null);
  set('2026-05-01T12:00:00Z');
  take('once it was right');
  set('2026-05-01T12:02:00Z');
  const second = await transport.receive(first.cursor);
  assert.ok(second.texts.includes('once it was right'));
  assert.equal(second.cursor, String(BigInt(Date.parse('2026-05-01T12:02:00Z')) * 1_000_000n));
});
