// Proves that neither a malformed signature nor an unreachable chain stops a mailbox.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import type { Hex } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { toCanonical } from '#sdk/domain/canonical.ts';
import { openMailbox } from '#service/cli/negotiation.ts';
import { readConfig } from '#service/config.ts';
import { createLocalTransport } from '#service/messages/transport.ts';
import { poster, stranger, worker, write } from '../support/negotiating.ts';
import { type RpcStub, startRpcStub } from '../support/rpcStub.ts';
import { createFolder } from '../support/svc.ts';

/** Ends like ERC-6492 and ERC-8010 wrap signatures, with nothing behind it that could be unwrapped. */
const unreadable = ['6492', '8010'].map((magic): Hex => `0x${'00'.repeat(64)}${magic.repeat(16)}`);

let chain: RpcStub;
before(async () => {
  // There is code at no address, and nothing that is called answers.
  chain = await startRpcStub({ eth_getCode: '0x', eth_call: '0x' });
});
after(() => chain.close());

function open(context: TestContext, ...rpcUrls: string[]) {
  const folder = createFolder(context);
  const config = readConfig({ SVC_DATA_DIR: folder, SVC_RPC_URL: rpcUrls.join() });
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
  const { agent, store, post, hashes } = open(context, chain.url);
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
  const { agent, store, post, hashes } = open(context, chain.url);
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
