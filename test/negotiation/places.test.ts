// Proves what an agent does where a relay has another message at a place of the chain (PLACE_TAKEN), or lacks one (PLACE_GAP).

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { PrivateKeyAccount } from 'viem/accounts';
import { SvcError } from '#sdk/domain/errors.ts';
import { noHead, type SignedEnvelope } from '#sdk/negotiation/envelope.ts';
import { OperatorError } from '#service/errors/operatorError.ts';
import type { Transport } from '#service/messages/transport.ts';
import { negotiationId, openAgent, poster, worker } from '../support/negotiating.ts';
import { createFolder } from '../support/svc.ts';

/** One conversation, append only, as a gateway keeps it. */
function createRelay() {
  const held: string[] = [];
  const hashes: string[] = [noHead.hash];
  const relay = {
    held,
    isAway: false,
    /** As after a loss of the gateway's rows. */
    forget: () => {
      held.length = 0;
      hashes.length = 1;
    },
    send: async (text: string) => {
      if (relay.isAway)
        throw new OperatorError('TRANSPORT_UNREACHABLE', { transport: 'the gateway', reason: 'away' });
      const { envelope, hash } = JSON.parse(text) as SignedEnvelope;
      if (hashes.includes(hash)) return;
      const head = { sequence: held.length, hash: hashes.at(-1) as never };
      if (!hashes.includes(envelope.previousHash))
        throw new SvcError(envelope.sequence <= held.length ? 'PLACE_TAKEN' : 'PLACE_GAP', { head });
      if (envelope.sequence <= held.length) throw new SvcError('PLACE_TAKEN', { head });
      held.push(text);
      hashes.push(hash);
    },
  };
  return relay;
}

function openDevice(context: TestContext, relay: ReturnType<typeof createRelay>, account: PrivateKeyAccount) {
  const transport: Transport = {
    name: 'relay',
    readPublicKey: async () => 'relay:test',
    send: (_to, text) => relay.send(text),
    receive: async () => ({ texts: relay.held, cursor: String(relay.held.length) }),
    close: async () => undefined,
  };
  const agent = openAgent(context, createFolder(context), account, { transport });
  const other = account === poster ? worker.address : poster.address;
  return {
    ...agent,
    say: (text: string) =>
      agent.send({ type: 'Note', negotiationId, payload: { text } }, account.signTypedData, other),
    words: () => agent.findTranscript(negotiationId)?.entries.map(({ envelope }) => envelope.payload.text),
  };
}

async function openThree(context: TestContext) {
  const relay = createRelay();
  const open = (account: PrivateKeyAccount) => openDevice(context, relay, account);
  const [phone, laptop, other] = [open(poster), open(poster), open(worker)];
  await phone.say('one');
  for (const device of [laptop, other]) await device.receive();
  return { relay, phone, laptop, other };
}

test('a message whose place is taken is written again on the newest one, with a payload for the new transcript', async (context) => {
  const { phone, laptop } = await openThree(context);
  await laptop.say('two');
  const seen: (number | undefined)[] = [];
  const { signed, kept } = await phone.send(
    {
      type: 'Note',
      negotiationId,
      payload: async ({ entries }) => {
        seen.push(entries.length);
        return { text: `after ${entries.length}` };
      },
    },
    poster.signTypedData,
  );
  assert.deepEqual([kept, signed.envelope.sequence, seen], [null, 3, [1, 2]]);
  for (const device of [phone, laptop]) {
    await device.receive();
    assert.deepEqual(device.words(), ['one', 'two', 'after 2']);
    const { forks, aside } = device.findTranscript(negotiationId) ?? {};
    assert.deepEqual([forks, aside], [[], []], 'the overtaken message was never shown to anyone');
  }
});

test('a place that is taken again and again ends with an error, and leaves nothing behind', async (context) => {
  const { relay, phone } = await openThree(context);
  const { send } = relay;
  relay.send = async () => {
    throw new SvcError('PLACE_TAKEN', { head: noHead });
  };
  await assert.rejects(phone.say('never'), { code: 'NEGOTIATION_CLOSED' });
  relay.send = send;
  assert.deepEqual(phone.words(), ['one']);
  assert.deepEqual(phone.store.loadOutbox('relay'), []);
  assert.equal((await phone.say('two')).kept, null);
});

test('a relay that lacks earlier messages gets those of both parties first', async (context) => {
  const { relay, phone, other } = await openThree(context);
  await other.say('two');
  await phone.receive();
  relay.forget();
  assert.equal((await phone.say('three')).kept, null);
  const texts = relay.held.map((text) => (JSON.parse(text) as SignedEnvelope).envelope.payload.text);
  assert.deepEqual(texts, ['one', 'two', 'three']);
  await other.receive();
  assert.deepEqual(other.words(), ['one', 'two', 'three']);
});

test('messages of a time without a relay, whose first place was taken meanwhile, are taken back together', async (context) => {
  const { relay, phone, laptop } = await openThree(context);
  relay.isAway = true;
  assert.notEqual((await phone.say('offline two')).kept, null);
  assert.notEqual((await phone.say('offline three')).kept, null);
  relay.isAway = false;
  await laptop.say('two');
  await phone.flush();
  await phone.receive();
  assert.deepEqual(phone.words(), ['one', 'two']);
  assert.deepEqual(phone.store.loadOutbox('relay'), []);
  assert.equal((await phone.say('three')).kept, null);
  await laptop.receive();
  assert.deepEqual(laptop.words(), ['one', 'two', 'three']);
  assert.deepEqual(laptop.findTranscript(negotiationId)?.forks, []);
});
