// The relay on both databases: one chain for all writers, no skipped position, and conversations that are listed, and last as long
// as their task. Limits: mailLimits.test.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as pause } from 'node:timers/promises';
import { recoverTypedDataAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { Address } from '#sdk/domain/address.ts';
import { toCanonical } from '#sdk/domain/canonical.ts';
import { buildHeldTypedData } from '#sdk/domain/sessionDocument.ts';
import type { Task } from '#sdk/domain/task.ts';
import { type Head, noHead, type SignedEnvelope } from '#sdk/negotiation/envelope.ts';
import { removeMessage } from '#service/app/mailServices.ts';
import { readConfig } from '#service/config.ts';
import { mailLimits } from '#service/relay/mailLimits.ts';
import { mailChannel } from '#service/store/conversations.ts';
import { beginEpoch } from '#service/store/epoch.ts';
import { createMailboxStore, removeMessageText } from '#service/store/mailboxes.ts';
import { migrate } from '#service/store/migrate.ts';
import { projectionChannel } from '#service/store/projection.ts';
import { createStandingStore } from '#service/store/standing.ts';
import { onBothDatabases } from '../support/databases.ts';
import {
  buildOffer,
  headAfter,
  nowSeconds,
  poster,
  stranger,
  worker,
  write,
} from '../support/negotiating.ts';
import {
  apart,
  codeOf,
  converse,
  createWorld,
  gateway,
  note,
  say,
  type World,
} from '../support/relayWorld.ts';
import { until } from '../support/until.ts';

const { keptSeconds } = mailLimits;

onBothDatabases(({ dialect, createAt, create, createPair, place, open, once }) => {
  /** Two gateways on one database. */
  const createReplicas = async () => (await createPair()).map(createWorld);

  test('a message is held once for both parties, byte for byte, with a receipt', async () => {
    const { relay, mailbox, send } = createWorld(await create());
    const signed = await note(poster, 'Zürich \u{1f300} \u0001');
    const { isNew, held } = await send(signed);
    assert.equal(isNew, true);
    assert.deepEqual(await send(signed), { isNew: false, held });
    const { signature, ...receipt } = held.receipt;
    assert.deepEqual(receipt, { hash: signed.hash, to: worker.address, receivedAt: nowSeconds, gateway });
    const typedData = buildHeldTypedData(8453, receipt as never);
    assert.equal(await recoverTypedDataAddress({ ...typedData, signature: signature as never }), gateway);
    assert.equal(relay.signer, gateway);
    const { hash } = signed;
    const place = { position: 1, hash, root: hash, sequence: 1, receivedAt: nowSeconds, block: 41 };
    for (const { address } of [poster, worker]) {
      const { messages, nextAfter } = await mailbox.read(address, 0, 100);
      assert.deepEqual(messages, [{ ...place, wire: toCanonical(signed) }]);
      assert.deepEqual(await mailbox.read(address, nextAfter, 100), { messages: [], nextAfter });
    }
    assert.deepEqual((await mailbox.read(stranger.address, 0, 100)).messages, []);
    const standing = createStandingStore(await create(), [stranger.address], () => 0);
    assert.deepEqual(await standing.loadShared(poster.address, stranger.address), [], 'no tasks, no judge');
  });

  if (dialect === 'postgres')
    test('nothing notifies inside of a transaction, where PostgreSQL lets one at a time wait for its disk', async () => {
      const at = await place();
      const owner = open(at);
      await migrate(owner);
      await owner.write(`CREATE FUNCTION public.pg_notify(channel text, payload text) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
          IF pg_current_xact_id_if_assigned() IS NOT NULL THEN RAISE 'this transaction has written rows'; END IF;
          PERFORM pg_catalog.pg_notify(channel, payload);
        END $$`);
      // The function above in place of the own one, for all connections from here on.
      await owner.write(`DO $$ BEGIN
        EXECUTE format('ALTER DATABASE %I SET search_path = public, pg_catalog', current_database()); END $$`);
      const database = open(at);
      let heard = 0;
      await database.listen(mailChannel, () => heard++);
      await database.listen(projectionChannel, () => heard++);
      const expectNotice = async (work: () => Promise<unknown>) => {
        const before = heard;
        await work();
        await until(() => heard > before);
      };
      const { send } = createWorld(database);
      await expectNotice(async () => send(await note(poster, 'Hello')));
      await expectNotice(() => beginEpoch(database, 1_800_000_000));
    });

  test('after a restore no message gets the position of one that was lost, in old mailboxes and in new ones', async () => {
    const database = await create();
    const world = createWorld(database);
    const { send, mailbox } = world;
    const second = await converse(world);
    // Both read on, and what they read was lost.
    const cursor = (await mailbox.read(poster.address, 0, 100)).nextAfter + 5;
    const first = await beginEpoch(database, 1_800_000_000);
    const [third] = await say(world, headAfter(second), [poster, 'Third']);
    for (const { address } of [poster, worker]) {
      const [message, ...more] = (await mailbox.read(address, cursor, 100)).messages;
      assert.deepEqual([message?.hash, more], [third?.hash, []]);
      assert.ok((message?.position ?? 0) > first);
    }
    await send(await note(poster, 'Hello', noHead, apart(), stranger.address));
    assert.equal((await mailbox.read(stranger.address, cursor, 100)).messages.length, 1);
  });

  test('a message continues the head, or learns what the head is', async () => {
    const world = createWorld(await create());
    const { send } = world;
    const second = await converse(world);
    const head = headAfter(second);
    const late = await note(poster, 'Late', { sequence: 1, hash: second.envelope.previousHash as never });
    await assert.rejects(send(late), { code: 'PLACE_TAKEN', details: { head } });
    const third = await note(poster, 'Third', head);
    const fourth = await note(poster, 'Fourth', headAfter(third));
    await assert.rejects(send(fourth), { code: 'PLACE_GAP', details: { head } });
    await send(third);
    assert.equal((await send(fourth)).isNew, true);
    // Its predecessor would need the place of the fourth.
    const lost = await note(poster, 'Fifth', { sequence: 4, hash: `0x${'34'.repeat(32)}` });
    await assert.rejects(send(lost), {
      code: 'PLACE_GONE',
      details: { head: headAfter(fourth), startAt: 5 },
    });
    const elsewhere = await note(poster, 'x', headAfter(fourth), apart());
    await assert.rejects(send(elsewhere), codeOf('ENVELOPE_REFUSED'));
    await assert.rejects(send(await note(stranger, 'x', headAfter(fourth))), codeOf('NOT_A_PARTY'));
    const unknown = await note(poster, 'x', { sequence: 4, hash: `0x${'12'.repeat(32)}` }, apart());
    await assert.rejects(send(unknown), { code: 'PLACE_GAP', details: { head: noHead } });
    const skipping = await note(poster, 'x', { sequence: 9, hash: fourth.hash });
    await assert.rejects(send(skipping), codeOf('ENVELOPE_REFUSED'));
  });

  once('a negotiation id that another wallet uses as well takes nothing from anybody', async () => {
    const world = createWorld(await create());
    world.world.members.add(stranger.address);
    const [squatted] = await say(world, noHead, [stranger, 'Mine']);
    const second = await converse(world);
    await say(world, headAfter(second), [poster, 'On']);
    const roots = (await world.mailbox.read(worker.address, 0, 100)).messages.map(({ root }) => root);
    assert.deepEqual([...new Set(roots)], [squatted?.hash, second.envelope.previousHash]);
  });

  test('of many writers at one place one is kept, through two gateways on one database', async () => {
    const worlds = await createReplicas();
    const second = await converse(worlds[0] as World);
    const writers = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        note(at % 2 ? poster : worker, `Writer ${at}`, headAfter(second)),
      ),
    );
    const results = await Promise.allSettled(writers.map((signed, at) => worlds[at % 2]?.send(signed)));
    const winners = results.flatMap((result, at) => (result.status === 'fulfilled' ? [writers[at]] : []));
    assert.equal(winners.length, 1);
    const head = headAfter(winners[0]);
    for (const result of results)
      if (result.status === 'rejected') {
        assert.equal(result.reason.code, 'PLACE_TAKEN', String(result.reason));
        assert.deepEqual(result.reason.details.head, head);
      }
  });

  test('a reader that follows its cursor misses nothing while many writers race', async () => {
    const worlds = await createReplicas();
    const ids = Array.from({ length: 4 }, () => crypto.randomUUID());
    const heads = await Promise.all(
      ids.map((negotiationId) => converse(worlds[0] as World, { negotiationId })),
    );
    let isOver = false;
    const seen: number[] = [];
    const reading = (async () => {
      for (let after = 0; ; ) {
        const wasOver = isOver;
        const { messages, nextAfter } = await (worlds[1] as World).mailbox.read(worker.address, after, 7);
        seen.push(...messages.map(({ position }) => position));
        after = nextAfter;
        // As between two requests: without it nothing else would run.
        await pause();
        if (wasOver && messages.length === 0) return;
      }
    })();
    const writing = Array.from({ length: 16 }, async (_, at) => {
      const { send } = worlds[at % 2] as World;
      const changes = { negotiationId: ids[at % 4] as string };
      for (let head = headAfter(heads[at % 4]); ; ) {
        const signed = await note(at % 8 < 4 ? poster : worker, `Writer ${at}`, head, changes);
        try {
          return await send(signed);
        } catch (error) {
          if (!codeOf('PLACE_TAKEN')(error)) throw error;
          ({ head } = (error as { details: { head: Head } }).details);
        }
      }
    });
    await Promise.all(writing).finally(() => {
      isOver = true;
    });
    await reading;
    assert.deepEqual(
      seen,
      Array.from({ length: 24 }, (_, at) => at + 1),
    );
    const { messages } = await (worlds[0] as World).mailbox.read(poster.address, 8, 100);
    for (const ofRoot of Map.groupBy(messages, ({ root }) => root).values())
      assert.deepEqual(
        ofRoot.map(({ sequence }) => sequence),
        [3, 4, 5, 6],
      );
  });

  test('a wallet blocks so many others, and the same one again also when it blocks no more', async () => {
    const store = createMailboxStore(await create());
    const block = (blocked: Address) => store.saveBlock(worker.address, blocked, 1, 1);
    const answers = [await block(poster.address), await block(stranger.address), await block(poster.address)];
    assert.deepEqual(answers, [true, false, true]);
    assert.equal(await store.isBlocked(worker.address, stranger.address), false);
  });

  test('conversations of one second are listed by their newest message, and paged without a gap', async () => {
    const world = createWorld(await create());
    const openings: SignedEnvelope[] = [];
    for (let at = 0; at < 6; at++) {
      const opening = await note(poster, `Question ${at}`, noHead, apart(), worker.address);
      await world.send(opening);
      openings.push(opening);
    }
    // The second is answered last, in the same second.
    const [, asked] = openings;
    await world.send(
      await note(worker, 'Answer', headAfter(asked), { negotiationId: asked?.envelope.negotiationId ?? '' }),
    );
    const expected = [asked, ...openings.filter((one) => one !== asked).reverse()].map((one) => one?.hash);
    for (const { address } of [poster, worker])
      for (const limit of [1, 4, 6]) {
        const found: string[] = [];
        let cursor: string | undefined;
        do {
          const query = { senders: 'all', isUnread: false, limit, cursor } as const;
          const page = await world.mailbox.list(address, query);
          found.push(...page.conversations.map(({ root }) => root));
          cursor = page.nextCursor ?? undefined;
        } while (cursor !== undefined);
        assert.deepEqual(found, expected, `${limit} on a page`);
      }
  });

  test('conversations are listed newest first, cut, with what is unread, muted, blocked and unknown', async () => {
    const database = await create();
    const { world, send, mailbox } = createWorld(database);
    const newest = { before: Number.MAX_SAFE_INTEGER, limit: 9, isTerms: false };
    const list = (changes: Partial<Parameters<typeof mailbox.list>[1]> = {}) =>
      mailbox.list(worker.address, { senders: 'all', isUnread: false, limit: 10, ...changes });
    const rootsOf = async (changes?: Partial<Parameters<typeof mailbox.list>[1]>) =>
      (await list(changes)).conversations.map(({ root }) => root);
    const open = async (text: string) => {
      world.now += 1;
      const signed = await note(poster, text, noHead, { negotiationId: crypto.randomUUID() });
      await send(signed);
      return signed;
    };
    const [one, two, three] = [await open('One'), await open('é'.repeat(2_001)), await open('Three')];
    assert.deepEqual(await rootsOf(), [three.hash, two.hash, one.hash]);
    const { conversations, nextCursor, counts } = await list({ limit: 2 });
    assert.deepEqual(counts, { unread: 0, unknown: 3 });
    assert.equal(conversations[1]?.last?.text.length, 2_000);
    assert.equal(conversations[1]?.last?.leftOut, 1);
    assert.deepEqual(await rootsOf({ limit: 2, cursor: nextCursor ?? '' }), [one.hash]);
    // An answer makes its conversation known and read; reading alone marks nothing.
    world.now += 1;
    const answer = await note(worker, 'Yes?', headAfter(one), { negotiationId: one.envelope.negotiationId });
    await send(answer);
    assert.deepEqual(await rootsOf({ senders: 'known' }), [one.hash]);
    assert.deepEqual(await rootsOf({ senders: 'unknown' }), [three.hash, two.hash]);
    const more = await note(poster, 'More', headAfter(answer), { negotiationId: one.envelope.negotiationId });
    await send(more);
    const page = await mailbox.readConversation(worker.address, one.hash, { ...newest, limit: 2 });
    assert.deepEqual([page.messages.map(({ sequence }) => sequence), page.earlier], [[2, 3], 1]);
    assert.equal(page.messages[1]?.wire, toCanonical(more), 'whole');
    assert.deepEqual((await list()).counts, { unread: 1, unknown: 2 });
    const mark = (changes: object) => mailbox.mark(worker.address, one.hash, changes);
    assert.deepEqual(await mark({ isMuted: true }), { root: one.hash, read: 2, isMuted: true });
    assert.deepEqual((await list()).counts, { unread: 0, unknown: 2 });
    assert.deepEqual(await mark({ isMuted: false, read: 99 }), { root: one.hash, read: 3, isMuted: false });
    assert.deepEqual(await mark({ read: 1 }), { root: one.hash, read: 3, isMuted: false }, 'never goes back');
    assert.deepEqual(await rootsOf({ senders: 'known', isUnread: true }), []);
    world.now += 1;
    const terms = buildOffer();
    const offer = await write(poster, 'TaskProposal', { ...terms, about: 'v2:standard:9' }, noHead);
    await send(offer);
    await send(await note(poster, 'n'.repeat(500), headAfter(offer)));
    const [offered] = (await list({ about: 'v2:standard:9' })).conversations;
    assert.deepEqual(
      [offered?.root, offered?.title, offered?.settlementDigest],
      [offer.hash, terms.document.title, terms.settlementDigest],
    );
    assert.deepEqual(await rootsOf({ with: stranger.address }), []);
    assert.equal((await rootsOf({ with: poster.address })).length, 4);
    const placesOf = async (query: object) =>
      (await mailbox.readConversation(worker.address, offer.hash, { ...newest, ...query })).messages.map(
        ({ sequence }) => sequence,
      );
    assert.deepEqual(await placesOf({}), [1, 2]);
    assert.deepEqual(await placesOf({ isTerms: true }), [1]);
    assert.deepEqual(await placesOf({ maxBytes: 10 }), [2], 'at least one');
    await removeMessageText(database, offer.hash);
    assert.equal((await list({ about: 'v2:standard:9' })).conversations[0]?.title, null, 'removed with it');
    await mailbox.block(worker.address, poster.address);
    assert.ok((await list()).conversations.every(({ isBlocked }) => isBlocked));
    for (const attempt of [
      () => mailbox.mark(stranger.address, one.hash, { read: 1 }),
      () => mailbox.readConversation(stranger.address, one.hash, newest),
      () => mailbox.readConversation(worker.address, '0x', newest),
    ])
      await assert.rejects(attempt(), codeOf('CONVERSATION_NOT_FOUND'));
  });

  test('a conversation ends 90 days after its last message, and its positions are not used again', async () => {
    const world = createWorld(await create());
    const { send, mailbox } = world;
    for (const seconds of [601, -keptSeconds - 1]) {
      const moved = await note(poster, 'x', noHead, { at: new Date((nowSeconds + seconds) * 1_000) });
      await assert.rejects(send(moved), codeOf('ENVELOPE_REFUSED'), 'from the future, and from long ago');
    }
    await converse(world);
    world.world.now += keptSeconds;
    await world.sweep();
    assert.equal((await mailbox.read(worker.address, 0, 100)).messages.length, 2);
    world.world.now += 1;
    await world.sweep();
    assert.deepEqual((await mailbox.read(worker.address, 0, 100)).messages, []);
    await send(await note(poster, 'Again', noHead, { at: new Date(world.world.now * 1_000) }));
    const [again, ...more] = (await mailbox.read(worker.address, 0, 100)).messages;
    assert.deepEqual([again?.position, more], [3, []]);
  });

  once('a 400-day task keeps its messages until 90 days after its end; another task does not', async () => {
    const world = createWorld(await create());
    const offer = buildOffer();
    const proposal = await write(poster, 'TaskProposal', offer);
    await world.send(proposal);
    await world.send(
      await note(worker, 'About v2:standard:9', noHead, { ...apart(), taskId: 'v2:standard:9' }),
    );
    const sweepAt = async (time: number, task: Partial<Task>) => {
      world.world.now = time;
      world.world.shared = [task];
      await world.sweep();
      return (await world.mailbox.read(poster.address, 0, 100)).messages.map(({ root }) => root);
    };
    const { settlementDigest } = offer;
    const task: Partial<Task> = { state: 'ACTIVE', settlementDigest, updatedAt: nowSeconds };
    for (const day of [0, 130, 390])
      assert.ok((await sweepAt(nowSeconds + day * 86_400, task)).includes(proposal.hash), `day ${day}`);
    const end = nowSeconds + 400 * 86_400;
    const done: Partial<Task> = { ...task, state: 'COMPLETED', updatedAt: end };
    assert.ok((await sweepAt(end + keptSeconds - 1, done)).includes(proposal.hash));
    assert.deepEqual(await sweepAt(end + keptSeconds + 1, done), []);

    world.world.now = nowSeconds;
    await world.send(proposal);
    const unlike: Partial<Task> = { ...task, settlementDigest: `0x${'99'.repeat(32)}` };
    assert.deepEqual(await sweepAt(nowSeconds + keptSeconds + 1, unlike), [], 'of another digest');
  });

  test('a message that the operator removed keeps its place, and is not taken again', async () => {
    const { at, database } = await createAt();
    const world = createWorld(database);
    const second = await converse(world);
    const config = readConfig({ ...at });
    assert.equal(await removeMessage(config, second.hash), true);
    assert.equal(await removeMessage(config, `0x${'00'.repeat(32)}`), false);
    const { messages } = await world.mailbox.read(poster.address, 0, 100);
    assert.deepEqual(
      messages.map(({ hash, wire }) => [hash, wire === null]),
      [
        [second.envelope.previousHash, false],
        [second.hash, true],
      ],
    );
    await assert.rejects(world.send(second), codeOf('WITHHELD'));
    await say(world, headAfter(second), [poster, 'On']);
  });

  once('what is no message of its sender is refused before anything is stored', async () => {
    const { relay, world } = createWorld(await create());
    const good = await note(poster, 'Hello');
    const eve = privateKeyToAccount(generatePrivateKey());
    // Each other way in which a text is no message: negotiation/refusals.test.ts.
    const wires: [string, string][] = [
      ['form', `${toCanonical(good)} `],
      ['hash', toCanonical({ ...good, hash: `0x${'11'.repeat(32)}` })],
      ['signature', toCanonical({ ...good, signature: (await note(eve, 'Hello')).signature })],
      ['size', toCanonical(good).replace('Hello', 'x'.repeat(300_000))],
    ];
    for (const [reason, wire] of wires)
      await assert.rejects(
        relay.accept(wire, null, () => undefined),
        (error: { code?: string; details?: { reason?: string } }) =>
          error.code === 'ENVELOPE_REFUSED' && error.details?.reason === reason,
        `${reason}: ${wire.slice(0, 80)}`,
      );
    const wallet = stranger.address;
    const forged = toCanonical({ ...good, signature: `0x${'11'.repeat(65)}` });
    await assert.rejects(
      relay.accept(forged, { wallet, expiresAt: nowSeconds }, () => undefined),
      codeOf('NOT_A_PARTY'),
    );
    assert.equal(world.asked, 0);
    await assert.rejects(
      relay.accept(forged, { wallet: worker.address, expiresAt: nowSeconds }, () => undefined),
      codeOf('ENVELOPE_REFUSED'),
    );
    assert.equal(world.asked, 1, 'a party may cause a question');
  });
});
