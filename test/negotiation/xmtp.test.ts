// The XMTP transport without its network: the codec, what the SDK is asked for, failures and recovery; with the package where it is installed.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { EncodedContent } from '@xmtp/node-sdk';
import fc from 'fast-check';
import { hexToBytes } from 'viem';
import { formatWire } from '#sdk/negotiation/envelope.ts';
import { placeXmtpDatabase } from '#service/cli/negotiation.ts';
import { readConfig } from '#service/config.ts';
import {
  connectXmtp,
  createXmtpTransport,
  envelopeCodec,
  isEnvelopeContent,
  type XmtpClient,
  type XmtpSdk,
} from '#service/messages/xmtp.ts';
import {
  buildOffer,
  negotiationId,
  openAgent,
  poster,
  worker,
  write,
  writeTalk,
} from '../support/negotiating.ts';
import { createFolder } from '../support/svc.ts';

/** Installed on demand. */
const sdk = await import('@xmtp/node-sdk').catch(() => null);
const options = {
  address: poster.address,
  signMessage: (message: string) => poster.signMessage({ message }),
  network: 'dev',
  databasePath: 'xmtp.db3',
  databaseKey: `0x${'11'.repeat(32)}`,
} as const;

test('the content type is svc/negotiation-envelope:1.0, and no other is accepted', () => {
  const { contentType } = envelopeCodec;
  const { authorityId, typeId, versionMajor, versionMinor } = contentType;
  assert.equal(`${authorityId}/${typeId}:${versionMajor}.${versionMinor}`, 'svc/negotiation-envelope:1.0');
  assert.ok(isEnvelopeContent(contentType));
  assert.ok(isEnvelopeContent({ ...contentType, versionMinor: 3 }));
  assert.ok(!isEnvelopeContent({ ...contentType, versionMajor: 2 }));
  assert.ok(!isEnvelopeContent({ ...contentType, authorityId: 'xmtp.org' }));
  assert.ok(!isEnvelopeContent(undefined));
});

test('the codec returns every text unchanged', async () => {
  const texts = fc.string({ unit: 'grapheme' });
  fc.assert(
    fc.property(texts, (text) => assert.equal(envelopeCodec.decode(envelopeCodec.encode(text)), text)),
  );
  for (const text of ['\ufeff{}', ...(await writeTalk()).map(formatWire)])
    assert.equal(envelopeCodec.decode(envelopeCodec.encode(text)), text);
});

test('without the package the error says how to install it', async () => {
  const missing = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
  const transport = createXmtpTransport({ network: 'dev' }, () =>
    connectXmtp(options, () => Promise.reject(missing)),
  );
  await assert.rejects(transport.readPublicKey(), {
    code: 'TRANSPORT_MISSING',
    message: 'XMTP support is not installed. Run: npm install @xmtp/node-sdk@5.5.0',
  });
  const broken = createXmtpTransport({ network: 'dev' }, () =>
    connectXmtp(options, () => Promise.reject(new Error('GLIBC_2.38 not found'))),
  );
  await assert.rejects(broken.readPublicKey(), { code: 'TRANSPORT_UNREACHABLE', message: /GLIBC_2\.38/ });
});

test('the real SDK fails within seconds without a network, and the envelope stays in the outbox', {
  skip: sdk === null && 'it is not installed: npm install --no-save @xmtp/node-sdk@5.5.0',
}, async (context) => {
  const folder = createFolder(context);
  const own = { ...options, network: 'local', databasePath: join(folder, 'xmtp.db3') } as const;
  const transport = createXmtpTransport({ network: 'local' }, () => connectXmtp(own));
  const agent = openAgent(context, folder, poster, { transport });
  const message = { type: 'TaskProposal', negotiationId, payload: buildOffer() };
  const { kept, signed } = await agent.send(message, poster.signTypedData, worker.address);
  assert.equal(kept, 'Messages cannot be sent through XMTP now: the network "local" does not answer.');
  const [waiting, ...others] = agent.store.loadOutbox('xmtp');
  assert.partialDeepStrictEqual(waiting, { to: worker.address.toLowerCase(), text: formatWire(signed) });
  // No installation was ever told, and an empty key is what the envelope says.
  assert.deepEqual([signed.envelope.sender.xmtpPublicKey, others], ['', []]);
  await assert.rejects(agent.receive(), { code: 'TRANSPORT_UNREACHABLE' });
});

test('the SDK gets the wallet, the database and the codec, and only envelopes are read', async () => {
  const text = formatWire(await write(poster, 'TaskProposal', buildOffer()));
  const sent: unknown[] = [];
  const dm = {
    send: async (content: EncodedContent) => String(sent.push(content)),
    messages: async ({ insertedAfterNs }: { readonly insertedAfterNs: bigint }) => [
      { contentType: envelopeCodec.contentType, content: `${text}${insertedAfterNs}` },
      { contentType: { ...envelopeCodec.contentType, typeId: 'text' }, content: 'hello' },
      { contentType: envelopeCodec.contentType, content: { text } },
      { content: 'without a type' },
    ],
  };
  const recipients: unknown[] = [];
  const conversations = {
    createDmWithIdentifier: async (identifier: unknown) => {
      recipients.push(identifier);
      return dm;
    },
    syncAll: async () => undefined,
    listDms: () => [dm],
  };
  const create: XmtpSdk['Client']['create'] = async (signer, given) => {
    const { env, dbPath, dbEncryptionKey, codecs } = given;
    assert.deepEqual([env, dbPath, codecs], ['dev', options.databasePath, [envelopeCodec]]);
    assert.deepEqual(dbEncryptionKey, new Uint8Array(32).fill(0x11));
    assert.deepEqual(signer.getIdentifier(), { identifier: poster.address.toLowerCase(), identifierKind: 0 });
    assert.deepEqual(
      await signer.signMessage('hello'),
      hexToBytes(await poster.signMessage({ message: 'hello' })),
    );
    return { installationId: 'ab12', conversations };
  };
  const client = await connectXmtp(options, async () => ({ Client: { create } }));
  assert.equal(client.installationId, 'ab12');
  await client.send(worker.address, text);
  assert.deepEqual(recipients, [{ identifier: worker.address.toLowerCase(), identifierKind: 0 }]);
  assert.deepEqual(sent, [envelopeCodec.encode(text)]);
  assert.deepEqual(await client.listSince(7n), [`${text}7`]);
});

test('XMTP_DB_PATH names the database; without it each wallet has one on each network', () => {
  const place = (env: Record<string, string>) =>
    placeXmtpDatabase(readConfig({ SVC_DATA_DIR: '/data', ...env }), poster.address);
  assert.equal(place({ XMTP_DB_PATH: '/kept/mail.db3' }), '/kept/mail.db3');
  assert.equal(place({ SVC_XMTP_ENV: 'dev' }), `/data/xmtp-dev-${poster.address.toLowerCase()}.db3`);
});

test('after an outage the outbox is sent and every missed message is read', async (context) => {
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
  const agent = openAgent(context, createFolder(context), worker, { transport });
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
