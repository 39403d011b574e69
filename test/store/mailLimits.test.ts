// The limits of the relay on both databases: only a sender can use up its own, and none holds up a dispute.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { type Head, noHead } from '#sdk/negotiation/envelope.ts';
import { mailLimits } from '#service/relay/mailLimits.ts';
import { createConversationStore } from '#service/store/conversations.ts';
import type { Database } from '#service/store/database.ts';
import { onBothDatabases } from '../support/databases.ts';
import { headAfter, nowSeconds, poster, stranger, worker, write } from '../support/negotiating.ts';
import {
  apart,
  codeOf,
  converse,
  createWorld,
  fillMessages,
  fillOpenings,
  note,
  say,
} from '../support/relayWorld.ts';

onBothDatabases(({ create, once }) => {
  once('only its own key uses up the limits of a wallet, and floods cost no question', async () => {
    const { world, send, mailbox } = createWorld(await create());
    for (let at = 0; at < mailLimits.openings + 1; at++) {
      const changes = apart();
      const signed = await note(poster, `Forged ${at}`, noHead, changes);
      const own = await note(stranger, `Own ${at}`, noHead, changes);
      await assert.rejects(send({ ...signed, signature: own.signature }), codeOf('ENVELOPE_REFUSED'));
      await assert.rejects(send(own), codeOf('NO_STANDING'));
    }
    assert.equal(world.asked, 0);
    assert.deepEqual((await mailbox.read(worker.address, 0, 100)).messages, []);
    assert.equal((await send(await note(poster, 'Hello'))).isNew, true);
  });

  test('a sender has 20 openings, 200 messages and 5 MB a day, and refused messages do not count', async () => {
    const { openings, messages, bytes, daySeconds } = mailLimits;
    // Of the conversation one message is the sender's; of the bytes there is room for a part of the next message.
    for (const fill of [
      (database: Database) => fillOpenings(database, openings, poster.address, 1),
      (database: Database) => fillMessages(database, messages - 1, 100),
      (database: Database) => fillMessages(database, 1, bytes - 1_200),
    ]) {
      const database = await create();
      const world = createWorld(database);
      await fill(database);
      const isOpening = (await database.query('SELECT 1 FROM messages')).length === 0;
      const head = isOpening ? noHead : headAfter(await converse(world));
      const next = await note(poster, 'next', head);
      for (let at = 0; at < 3; at++) await assert.rejects(world.send(next), codeOf('MAIL_LIMIT'));
      assert.deepEqual((await world.mailbox.read(poster.address, isOpening ? 0 : 2, 100)).messages, []);
      world.world.now += daySeconds;
      assert.equal((await world.send(next)).isNew, true, 'it fits the next day');
    }
  });

  test('three messages wait for an answer, and a mailbox holds a thousand unanswered ones', async () => {
    const database = await create();
    const all = createWorld(database);
    const { world, send, mailbox } = all;
    const sent = await say(all, noHead, [poster, 'one'], [poster, 'two'], [poster, 'three']);
    const fourth = await note(poster, 'four', headAfter(sent[2]));
    await assert.rejects(send(fourth), codeOf('MAIL_LIMIT'));
    await say(all, headAfter(sent[2]), [worker, 'Yes?']);
    await assert.rejects(send(fourth), codeOf('PLACE_TAKEN'));
    // As many conversations of others as leave room for one more message.
    await fillOpenings(database, 333, stranger.address, 0);
    const changes = apart();
    const last = await note(poster, 'last', noHead, changes);
    await send(last);
    const over = await note(poster, 'over', headAfter(last), changes);
    await assert.rejects(send(over), codeOf('MAIL_LIMIT'));
    const most = () =>
      createConversationStore(database).loadMostUnknown(world.now - mailLimits.unknownSeconds);
    assert.equal(await most(), 1_000, 'the gauge of the operator');
    // A wallet that shares a task has no place among the unknown, and is not kept out by them.
    world.shared = [{ state: 'ACTIVE' }];
    assert.equal((await send(await note(poster, 'A delivery', noHead, apart()))).isNew, true);
    world.shared = [];
    await mailbox.block(worker.address, stranger.address);
    assert.equal((await send(over)).isNew, true, 'a blocked wallet has no places');
    assert.equal(await most(), 2);
    await mailbox.unblock(worker.address, stranger.address);
    const again = await note(poster, 'And', headAfter(over), changes);
    await assert.rejects(send(again), codeOf('MAIL_LIMIT'));
    world.now += mailLimits.unknownSeconds;
    assert.equal(
      (await send(again)).isNew,
      true,
      'an opening without an answer frees its place after 14 days',
    );
  });

  test('one sender has six messages with a recipient who has not answered, in all conversations together', async () => {
    const all = createWorld(await create());
    const { send } = all;
    const [first, second, third] = [apart(), apart(), apart()];
    const open = async (text: string, changes: ReturnType<typeof apart>, to = worker.address) =>
      send(await note(poster, text, noHead, changes, to));
    const hello = await note(poster, 'Hello', noHead, first);
    await send(hello);
    const again = await note(poster, 'Hello?', headAfter(hello), first);
    await send(again);
    const last = await note(poster, 'Are you there?', headAfter(again), first);
    await send(last);
    const { held } = await open('Hello once more', second);
    for (const changes of [third, apart()]) await open('Hello once more', changes);
    await assert.rejects(open('And again', apart()), codeOf('MAIL_LIMIT'));
    const takeBack = { text: 'I take it back.', withdraws: held.receipt.hash };
    const back = await write(poster, 'Note', takeBack, { sequence: 1, hash: held.receipt.hash }, second);
    assert.equal((await send(back)).isNew, true, 'what takes an offer back is no bother');
    await assert.rejects(open('And again', apart()), /6 messages until the other party answers/);
    assert.equal((await open('Hello', apart(), stranger.address)).isNew, true, 'another recipient');
    await send(await note(worker, 'Yes?', headAfter(last), first));
    assert.equal((await open('At last', apart())).isNew, true, 'the recipient has answered');
  });

  once('the holders of one money share these six messages', async () => {
    const { world, send } = createWorld(await create());
    world.members.add(stranger.address);
    const holders = [stranger, poster].map(({ address }) => address.toLowerCase());
    world.fresh = { since: nowSeconds, holders, isLookedFor: true };
    for (const by of [poster, stranger, poster, stranger, poster, stranger])
      await send(await note(by, 'Hello', noHead, apart(), worker.address));
    await assert.rejects(
      send(await note(stranger, 'Hello', noHead, apart(), worker.address)),
      /6 messages until the other party answers/,
    );
  });

  once('a decline is no answer: the sender has no more messages than before', async () => {
    const world = createWorld(await create());
    const [first] = await say(world, noHead, [poster, 'one']);
    const no = { text: 'No, thanks.', declines: first?.hash };
    const decline = await write(worker, 'Note', no, headAfter(first));
    await world.send(decline);
    const [, third] = await say(world, headAfter(decline), [poster, 'two'], [poster, 'three']);
    const fourth = await note(poster, 'four', headAfter(third));
    await assert.rejects(world.send(fourth), codeOf('MAIL_LIMIT'));
    await say(world, headAfter(third), [worker, 'Why?'], [poster, 'Because']);
  });

  once('new collateral opens nothing with who looks for nobody; one money has 20 openings', async () => {
    const { world, send } = createWorld(await create());
    world.members.add(stranger.address);
    const recipient = () => privateKeyToAccount(generatePrivateKey()).address;
    const open = async (by: typeof poster) => send(await note(by, 'Hello', noHead, apart(), recipient()));
    const since = nowSeconds - 86_399;
    world.fresh = { since, holders: [poster.address.toLowerCase()], isLookedFor: false };
    await assert.rejects(open(poster), { code: 'STANDING_NEW', message: /: until \d{4}-[\d-]+T[\d:]+Z\.$/ });
    world.now += 1;
    assert.equal((await open(poster)).isNew, true, 'after 24 hours without a break');
    world.now -= 1;
    world.fresh = { ...world.fresh, isLookedFor: true };
    for (let at = 1; at < mailLimits.openings; at++) await open(poster);
    await assert.rejects(open(poster), codeOf('MAIL_LIMIT'));
    const holders = [stranger, poster].map(({ address }) => address.toLowerCase());
    world.fresh = { ...world.fresh, holders };
    await assert.rejects(open(stranger), codeOf('MAIL_LIMIT'), 'the next holder of the money');
    world.fresh = { ...world.fresh, holders: holders.slice(0, 1) };
    assert.equal((await open(stranger)).isNew, true, 'other money');
  });

  test('a live dispute has 200 messages and 20 MB a day for each pair, beside all other limits', async () => {
    const database = await create();
    const all = createWorld(database);
    const { world } = all;
    let head: Head = noHead;
    const add = async (text: string) => {
      const [sent] = await say(all, head, [poster, text]);
      head = headAfter(sent);
    };
    await fillMessages(database, 200, 25_000);
    await assert.rejects(add('too much'), codeOf('MAIL_LIMIT'));
    world.isInDispute = true;
    world.shared = [{ state: 'DISPUTED' }];
    for (const text of ['one', 'two', 'three', 'four']) await add(text);
    await fillMessages(database, 195, 1_000, 1);
    await add('the last of 200');
    await assert.rejects(add('more'), codeOf('MAIL_LIMIT'));
    world.now += mailLimits.daySeconds;
    await add('the next day');
    await database.write(
      'UPDATE messages SET is_dispute = 1, bytes = 20000000, received_at = $1 WHERE sequence = 6',
      [world.now],
    );
    await add('on the general allowance');
    const rows = await database.query('SELECT is_dispute FROM messages WHERE sequence = 7');
    assert.deepEqual(rows, [{ isDispute: 0 }]);
  });

  once('a blocked sender is refused, except between parties of a live task', async () => {
    const world = createWorld(await create());
    const { send, mailbox } = world;
    const second = await converse(world);
    await mailbox.block(worker.address, poster.address);
    await mailbox.block(worker.address, poster.address);
    const third = await note(poster, 'Still there?', headAfter(second));
    await assert.rejects(send(third), codeOf('RECIPIENT_REFUSES'));
    world.world.shared = [{ state: 'COMPLETED' }];
    await assert.rejects(send(third), codeOf('RECIPIENT_REFUSES'));
    world.world.shared = [{ state: 'COMPLETED' }, { state: 'DISPUTED' }];
    assert.equal((await send(third)).isNew, true);
    world.world.shared = [];
    await mailbox.unblock(worker.address, poster.address);
    await say(world, headAfter(third), [poster, 'Good']);
  });
});
