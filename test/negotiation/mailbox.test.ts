// Proves that a mailbox loses nothing and doubles nothing: over processes, kills and times without a transport.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import type { PrivateKeyAccount } from 'viem/accounts';
import { SvcError } from '#sdk/domain/errors.ts';
import { verifyPlainAccount } from '#sdk/domain/verifyDigest.ts';
import { formatWire } from '#sdk/negotiation/envelope.ts';
import { verifyTranscript } from '#sdk/negotiation/verifyTranscript.ts';
import { createNegotiationStore } from '#service/messages/negotiationStore.ts';
import { createLocalTransport, type Transport } from '#service/messages/transport.ts';
import { negotiationId, openAgent, poster, posterKey, worker, workerKey } from '../support/negotiating.ts';
import { createFolder, startScript } from '../support/svc.ts';

const proof = { type: 'CapabilityProof', negotiationId, payload: { capability: 'x', evidence: ['y'] } };

type Wrap = (transport: Transport) => Transport;

function open(context: TestContext, folder: string, account: PrivateKeyAccount, wrap: Wrap = (own) => own) {
  const transport = wrap(createLocalTransport(join(folder, 'mail.sqlite'), account.address));
  return openAgent(context, folder, account, { transport });
}

const lastHash = (agent: ReturnType<typeof open>) => entriesOf(agent).at(-1)?.hash as `0x${string}`;
const entriesOf = (agent: ReturnType<typeof open>) => agent.findTranscript(negotiationId)?.entries ?? [];

test('garbage is refused with its reason and stops nothing', async (context) => {
  const folder = createFolder(context);
  const [ours, theirs] = [open(context, folder, poster), open(context, folder, worker)];
  await ours.transport.send(worker.address, '{"not":"an envelope"}');
  const { signed } = await ours.send(proof, poster.signTypedData, worker.address);
  await ours.transport.send(worker.address, formatWire({ ...signed, signature: `0x${'00'.repeat(65)}` }));
  await theirs.receive();
  assert.deepEqual(
    theirs.store.loadRefused().map(({ reason }) => reason),
    ['shape', 'signature'],
  );
  assert.deepEqual(entriesOf(theirs), [signed]);
});

test('while the transport is away, envelopes wait in the outbox and go out in order, once', async (context) => {
  const folder = createFolder(context);
  let isAway = true;
  const unreliable: Wrap = (own) => ({
    ...own,
    send: async (to, text) => {
      if (isAway) throw new SvcError('TRANSPORT_UNREACHABLE', { transport: 'local', reason: 'it is away' });
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
  const senders = [1, 2].map(() => startProcess(context, folder, 'send', posterKey, worker.address, '6'));
  const printed = (await Promise.all(senders.map(({ lines }) => lines))).flat();
  const theirs = open(context, folder, worker);
  await theirs.receive();
  assert.equal(printed.length, 12);
  assert.deepEqual(new Set(entriesOf(theirs).map(({ hash }) => hash)), new Set(printed));
  const texts = entriesOf(theirs).map(formatWire);
  assert.deepEqual(
    (await verifyTranscript(texts, { now: new Date(), verify: verifyPlainAccount, head: lastHash(theirs) }))
      .findings,
    [],
  );
});

test('killed while sending and while receiving, again and again, nothing is lost and nothing doubled', async (context) => {
  const folder = createFolder(context);
  const printed: string[] = [];
  for (let round = 0; round < 2; round += 1) {
    const sender = startProcess(context, folder, 'send', posterKey, worker.address, '1000');
    const receiver = startProcess(context, folder, 'receive', workerKey, '', '0');
    // Another place each time, wherever it is just then.
    await sender.atLine(3 + round * 2);
    await receiver.atLine(1 + round);
    for (const { child } of [sender, receiver]) child.kill('SIGKILL');
    printed.push(...(await sender.lines));
    await receiver.lines;
  }
  const [ours, theirs] = [open(context, folder, poster), open(context, folder, worker)];
  await ours.flush();
  await theirs.receive();
  const hashes = entriesOf(theirs).map(({ hash }) => hash);
  // A send that was killed before it could say so may have happened, but only in its right place.
  assert.deepEqual(entriesOf(ours), entriesOf(theirs));
  assert.ok(printed.length >= 8);
  for (const hash of printed) assert.equal(hashes.filter((other) => other === hash).length, 1);
  assert.deepEqual(theirs.store.loadRefused(), []);
  assert.deepEqual(ours.store.loadOutbox('local'), []);
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

function startProcess(context: TestContext, folder: string, ...args: string[]) {
  const [task = '', key = '', to = '', count = ''] = args;
  const { child } = startScript(context, 'mailProcess', folder, task, key, to, negotiationId, count);
  const seen: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => seen.push(line));
  const ended = once(reader, 'close');
  return {
    child,
    /** All whole lines that it printed, once it has ended. */
    lines: ended.then(() => seen.filter((line) => line.length === 66)),
    atLine: async (line: number) => {
      while (seen.length < line)
        await Promise.race([once(reader, 'line'), ended.then(() => failEarly(seen))]);
    },
  };
}

function failEarly(seen: readonly string[]): never {
  throw new Error(`The process ended after ${seen.length} lines.`);
}
