// Notifications on both databases: who is told what and when, never twice, never what no longer holds. Of saved searches and of
// listings: listingNotices.test.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '#sdk/domain/address.ts';
import { createSmtpMailer } from '#service/notify/mailer.ts';
import type { Outcome } from '#service/notify/outcome.ts';
import { createLetterSender } from '#service/notify/sendLetter.ts';
import { createConversationListStore } from '#service/store/conversationList.ts';
import type { Database } from '#service/store/database.ts';
import { beginEpoch } from '#service/store/epoch.ts';
import { createMailboxStore } from '#service/store/mailboxes.ts';
import { createForwardStore } from '#service/store/reading.ts';
import { hashOf, saveMessage } from '../support/conversations.ts';
import { onBothDatabases } from '../support/databases.ts';
import { addressOf, type ChainStep, fakeJudge } from '../support/indexer/fakeChain.ts';
import { catchUp } from '../support/indexer/rows.ts';
import { createInterrupter } from '../support/interrupter.ts';
import { startMailServer } from '../support/mailServer.ts';
import { beginNotices, type NoticeOptions, openNotices } from '../support/notices.ts';
import { until } from '../support/until.ts';

const poster = addressOf(1);
const post = { kind: 'post', market: 'standard', poster: 1 } as const;
const move = (kind: Exclude<ChainStep['kind'], 'post'>, task = 1) =>
  ({ kind, market: 'standard', task }) as const;
const day = 86_400;

/** A first message; `isKnown` where the two share a task. */
const write = (database: Database, sender: number, isKnown: boolean, recipient: Address = fakeJudge) =>
  saveMessage(database, {
    ...{ root: hashOf(sender), sender: addressOf(sender), recipient, isKnown },
    ...{ wire: '{"envelope":{"type":"Message"}}', keepUntil: 1e9 },
  });

onBothDatabases(({ create, once }) => {
  test('it is the poster’s turn after a delivery: told at once, and 24 hours or a quarter before the end', async () => {
    const { step, subscribe, clock, letters, kinds, clear, later } = beginNotices(await create());
    await step([post]);
    await subscribe(poster);
    await step([move('claim')]);
    await step([move('deliver')]);
    assert.deepEqual(kinds(), ['turn']);
    const { subject, facts, link } = letters.at(-1)?.letter ?? assert.fail();
    assert.equal(subject, 'Your turn: review the delivery · task 1, standard market');
    const labels = facts.map(([label]) => label);
    assert.deepEqual(labels, ['Task', 'You are', 'Until', 'If you do nothing', 'At stake']);
    assert.equal(link.path, '/market.html?task=v2%3Astandard%3A1');
    clear();
    await later(2_699);
    assert.deepEqual(kinds(), []);
    await later(2_701);
    assert.deepEqual(kinds(), ['last']);
    clock.ahead = 3_601;
    await step([move('complete')]);
    assert.deepEqual(kinds(), ['last'], 'the poster accepted');
  });

  once('a second delivery, a notice of dismissal and a moved deadline tell again', async () => {
    const { chain, step, subscribe, kinds, clear, letters, list } = beginNotices(await create());
    await step([post, { ...post, isPrivate: true }]);
    await step([move('claim'), move('claim', 2)]);
    const worker = chain.tasks()[0]?.worker ?? assert.fail();
    await subscribe(poster, 'poster@example.org');
    await subscribe(worker, 'worker@example.org');
    await step();
    assert.deepEqual(kinds(), [], 'nobody is told what was there before');
    await step([move('announceDismissal')]);
    assert.deepEqual(list(), ['turn Your turn: deliver, or answer the notice · task 1, standard market']);
    assert.match(letters.at(-1)?.letter.about ?? '', /announced your dismissal/);
    clear();
    await step([move('moveDeadline')]);
    assert.deepEqual(kinds(), ['turn']);
    clear();
    await step([move('deliver')]);
    assert.deepEqual(list(), ['turn Your turn: review the delivery · task 1, standard market']);
    await step([move('redeliver')]);
    assert.deepEqual(kinds(), ['turn', 'turn'], 'a second delivery');
    clear();
    await step();
    assert.deepEqual(kinds(), []);
  });

  test('a fork that brings the same delivery again tells nobody twice, and one without it drops what waits', async () => {
    const database = await create();
    const { chain, step, subscribe, kinds, clear, later } = beginNotices(database);
    await step([post]);
    await step([move('claim')]);
    await subscribe(poster);
    await step([move('deliver')]);
    assert.deepEqual(kinds(), ['turn']);
    chain.revert(1);
    chain.mine();
    await step([move('deliver')]);
    await step();
    assert.deepEqual(kinds(), ['turn'], 'the same delivery in another block');
    clear();
    chain.revert(1);
    chain.revert(1);
    chain.mine();
    await step();
    await step();
    await later(3_000);
    assert.deepEqual(kinds(), [], 'reminders of a delivery that is gone');
    await step([move('deliver')]);
    assert.deepEqual(kinds(), [], 'it was told before');
  });

  for (const [kind, before, end, subject] of [
    ['paid', ['deliver'], 'complete', 'You were paid 2 TOK · task 1, standard market'],
    ['ruled', ['deliver', 'dispute'], 'rule', 'The arbitrator has ruled · task 1, standard market'],
    ['refunded', [], 'miss', '2 TOK came back to you · task 1, standard market'],
  ] as const)
    test(`${kind} waits for a safe block, and is dropped when a fork removes it`, async () => {
      let safe = 0;
      const { chain, step, subscribe, kinds, letters, clear, round } = beginNotices(await create(), {
        safeBlock: () => safe,
      });
      await step([post]);
      await step([move('claim')]);
      await subscribe(kind === 'refunded' ? poster : (chain.tasks()[0]?.worker ?? poster));
      for (const one of before) await step([move(one)]);
      clear();
      await step([move(end)]);
      assert.deepEqual(kinds(), []);
      chain.revert(1);
      chain.mine();
      await step();
      safe = Number(chain.head().number);
      await round();
      assert.ok(!kinds().includes(kind), 'it did not happen after all');
      clear();
      await step([move(end)]);
      assert.deepEqual(kinds(), []);
      safe = Number(chain.head().number);
      await round();
      assert.deepEqual(kinds(), [kind]);
      const { letter } = letters.at(-1) ?? assert.fail();
      assert.equal(letter.subject, subject);
      if (kind === 'ruled') assert.match(letter.about, /^The worker gets 2 TOK of .*, the poster 0 TOK\.$/);
      await round();
      assert.deepEqual(kinds(), [kind], 'once');
    });

  once('no notice of a message that was read in time, is muted, or is of a blocked wallet', async () => {
    const database = await create();
    const { step, subscribe, kinds, letters, clear, round, later } = beginNotices(database);
    const mailboxes = createMailboxStore(database);
    const list = createConversationListStore(database);
    await step([post]);
    await subscribe(fakeJudge);
    for (const sender of [601, 602, 603, 604]) await write(database, sender, true);
    await write(database, 605, false);
    await round();
    await list.saveMarks(fakeJudge, hashOf(601), { read: 1, mutedAt: undefined });
    await list.saveMarks(fakeJudge, hashOf(602), { read: 0, mutedAt: 1 });
    for (const blocked of [603, 605]) await mailboxes.saveBlock(fakeJudge, addressOf(blocked), 1, 10);
    await later(1_000);
    assert.deepEqual(kinds(), ['message'], 'of the fourth one alone');
    assert.equal(letters.at(-1)?.letter.link.path, `/messages.html?conversation=${hashOf(604)}`);
    clear();
    // Also where the mark came first.
    await mailboxes.saveBlock(fakeJudge, addressOf(606), 1, 10);
    await write(database, 606, true);
    await list.saveMarks(fakeJudge, hashOf(602), { read: 0, mutedAt: null });
    await later(2_000);
    await later(4_000);
    assert.deepEqual(kinds(), [], 'what was muted when it came is not told later');
  });

  once(
    'a message that asks for a change or for a signature is told with its meaning, without its words',
    async () => {
      const database = await create();
      const { step, subscribe, letters, round, later } = beginNotices(database);
      await step([post]);
      await subscribe(fakeJudge);
      const asking = [
        {
          type: 'RevisionRequest',
          taskId: 'v2:standard:1',
          payload: { milestone: 1, requestedChanges: 'Secret' },
        },
        {
          type: 'RevisionRequest',
          taskId: 'https://bad.example',
          payload: { milestone: 0, requestedChanges: 'Secret' },
        },
        { type: 'Note', payload: { text: 'Secret', chooses: `0x${'12'.repeat(32)}` } },
        { type: 'Note', payload: { text: 'Secret "type":"RevisionRequest" and "chooses":"0x12"' } },
      ];
      for (const [at, envelope] of asking.entries()) {
        const [sender, root] = [addressOf(700 + at), hashOf(700 + at)];
        const wire = JSON.stringify({ envelope });
        await saveMessage(database, {
          root,
          sender,
          recipient: fakeJudge,
          isKnown: true,
          wire,
          keepUntil: 1e9,
        });
      }
      await round();
      await later(1_000);
      const told = new Map(letters.map(({ letter }) => [letter.link.path.split('=')[1], letter]));
      const of = (at: number) => told.get(hashOf(700 + at)) ?? assert.fail();
      assert.equal(of(0).subject, 'You are asked for a change of milestone 2');
      assert.match(
        of(0).about,
        new RegExp(`^${addressOf(700)} asks for a change of milestone 2 of task 1, standard`, 'i'),
      );
      assert.equal(of(1).subject, 'You are asked for a change of milestone 1');
      assert.equal(of(2).subject, 'Your proposal was chosen: sign it');
      assert.equal(of(3).subject, 'You have a new message', 'words that look like it mean nothing');
      assert.doesNotMatch(JSON.stringify(letters), /Secret|bad\.example/);
    },
  );

  once('messages are told after a restore, while the chain is read, and of every mailbox', async () => {
    const database = await create();
    const { step, subscribe, contacts, kinds, round, later } = beginNotices(database);
    await step([post]);
    for (let at = 1; at <= 101; at++) {
      await contacts.saveQuiet(addressOf(at), { quietHours: null, timeZone: 'UTC' });
      await write(database, 1_000 + at, true, addressOf(at));
    }
    const reader = addressOf(102);
    await subscribe(reader);
    for (let rounds = 0; rounds < 2; rounds++) await round();
    await beginEpoch(database, 1_800_000_000);
    await database.chain.write('UPDATE chain SET is_whole = 0');
    await write(database, 2_000, true, reader);
    for (let rounds = 0; rounds < 2; rounds++) await round();
    await later(100);
    assert.deepEqual(kinds(), ['message']);
  });

  once('the judge of a private task is told without its words, and in time after a pause', async () => {
    const { step, subscribe, kinds, letters, clear, later } = beginNotices(await create());
    await step([{ ...post, isPrivate: true, title: 'A secret' }]);
    await subscribe(fakeJudge);
    await step([move('claim')]);
    await step([move('deliver')]);
    await step([move('dispute')]);
    assert.deepEqual(kinds(), ['turn']);
    assert.equal(letters.at(-1)?.letter.subject, 'Your turn: read the evidence · task 1, standard market');
    assert.doesNotMatch(JSON.stringify(letters), /secret/);
    clear();
    // The process was away for days: one notice says it all.
    await later(4 * day + 60);
    assert.deepEqual(kinds(), ['last']);
    await later(6 * day);
    assert.deepEqual(kinds(), ['last'], 'nothing after the end');
  });

  once(
    'a turn that begins with a second of the chain is told then, also to who made the last change',
    async () => {
      const { chain, step, subscribe, list, clear, later } = beginNotices(await create());
      await step([{ ...post, days: 9 }]);
      await step([{ ...post, days: 9 }]);
      await step([move('reserve'), { ...move('claim', 2), worker: addressOf(300) }]);
      const worker = chain.tasks()[0]?.worker ?? assert.fail();
      await subscribe(worker);
      await subscribe(fakeJudge, 'judge@example.org');
      await step([move('deliver', 2)]);
      await step([move('dispute', 2)]);
      assert.deepEqual(list(), ['turn Your turn: read the evidence · task 2, standard market']);
      clear();
      await later(day + 10);
      assert.deepEqual(list().sort(), [
        'turn Your turn: rule on the dispute · task 2, standard market',
        'turn Your turn: start the work · task 1, standard market',
      ]);
    },
  );

  once('a confirmation that is interrupted and repeated misses no reminder', async () => {
    const database = await create();
    const { step, contacts, channels, box, now, letters, later } = beginNotices(database);
    await step([post]);
    await step([move('claim')]);
    await step([move('deliver')]);
    let calls = 0;
    const urls: string[] = [];
    for (let at = 1; calls >= at - 1; at++) {
      const url = `https://agent.example/${at}`;
      const { channel } = await contacts.add(poster, { kind: 'webhook', url });
      const { addressHash = '' } = (await channels.findChannel(channel.id)) ?? {};
      const token = box.writeLink('confirm', channel.id, addressHash);
      const interrupter = createInterrupter({ at, when: 'after' });
      const shared = { now };
      const first = openNotices(database, { ...shared, wrap: interrupter.wrap });
      await first.contacts.confirm(token).catch(() => undefined);
      calls = interrupter.calls();
      await contacts.confirm(token);
      urls.push(url);
    }
    assert.ok(calls > 4, `${calls} calls`);
    await later(2_701);
    const reminded = letters.filter(({ letter }) => letter.kind === 'last');
    assert.deepEqual(reminded.map(({ to }) => to).sort(), urls);
  });

  once(
    'a hearing reminds the side that has said nothing, and neither the other one nor the judge',
    async () => {
      const { chain, step, subscribe, letters, clear, later } = beginNotices(await create());
      await step([{ ...post, days: 9 }]);
      await step([move('claim')]);
      await step([move('deliver')]);
      const worker = chain.tasks()[0]?.worker ?? assert.fail();
      await subscribe(poster, 'poster@example.org');
      await subscribe(worker, 'worker@example.org');
      await subscribe(fakeJudge, 'judge@example.org');
      await step();
      clear();
      await step([move('dispute')]);
      await step([move('evidence')]);
      const told = () => letters.map(({ to, letter }) => `${letter.kind} ${to.split('@')[0]}`).sort();
      assert.deepEqual(told(), ['turn judge', 'turn poster', 'turn worker']);
      clear();
      await later(0.9 * day);
      assert.deepEqual(told(), ['last worker']);
    },
  );

  once('twenty unknown senders make one summary, and do not delay a dispute', async () => {
    const database = await create();
    const { step, subscribe, kinds, clear, round, later } = beginNotices(database);
    await step([post]);
    await step([move('claim')]);
    await step([move('deliver')]);
    await subscribe(fakeJudge);
    for (let sender = 0; sender < 20; sender++) await write(database, 300 + sender, false);
    await step([move('dispute')]);
    assert.deepEqual(kinds(), ['turn'], 'at once');
    await later(1_000);
    assert.deepEqual(kinds(), ['turn', 'strangers'], 'one for all');
    await write(database, 400, false);
    await later(10_000);
    assert.deepEqual(kinds(), ['turn', 'strangers'], 'once a day');
    clear();
    for (let sender = 0; sender < 12; sender++) await write(database, 500 + sender, true);
    await round();
    await later(10_100);
    assert.deepEqual(kinds(), Array(9).fill('message'), 'ten a day with the summary');
    await later(10_200 + day);
    const rest = [...Array(12).fill('message'), 'strangers', 'turn'];
    assert.deepEqual(kinds().sort(), rest, 'the rest a day later, when the judge can rule');
  });

  once(
    'a worker who delivers all the time causes ten turns a day, and delays no reminder and no other task',
    async () => {
      const { step, subscribe, kinds, clear, list, later } = beginNotices(await create());
      await step([post, post]);
      await step([move('claim'), move('claim', 2)]);
      await subscribe(poster);
      await step([move('deliver')]);
      for (let again = 0; again < 30; again++) await step([move('redeliver')]);
      assert.deepEqual(kinds(), Array(10).fill('turn'));
      clear();
      await step([move('deliver', 2)]);
      assert.deepEqual(list(), ['turn Your turn: review the delivery · task 2, standard market']);
      clear();
      await later(2_701);
      assert.deepEqual(kinds(), ['last', 'last']);
    },
  );

  once(
    'a poster who moves the deadline all the time causes ten turns a day, and delays no notice of a dismissal',
    async () => {
      const { step, subscribe, kinds, clear, list } = beginNotices(await create());
      await step([post]);
      const worker = addressOf(300);
      await step([{ ...move('claim'), worker }]);
      await subscribe(worker);
      for (let again = 0; again < 30; again++) await step([move('moveDeadline')]);
      assert.deepEqual(kinds(), Array(10).fill('turn'));
      clear();
      await step([move('announceDismissal')]);
      assert.deepEqual(list(), ['turn Your turn: deliver, or answer the notice · task 1, standard market']);
    },
  );

  once('quiet hours delay a turn, never a last call', async () => {
    const { step, subscribe, kinds, letters, clock, round, contacts, later } = beginNotices(await create());
    await step([post]);
    await step([move('claim')]);
    await subscribe(poster);
    const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
    await contacts.saveQuiet(poster, { quietHours: { from: at(-2), to: at(2) }, timeZone: 'UTC' });
    await step([move('deliver')]);
    assert.deepEqual(kinds(), []);
    await later(2_701);
    assert.deepEqual(kinds(), ['last']);
    clock.ahead = 3_590;
    await contacts.saveQuiet(poster, { quietHours: null, timeZone: 'Asia/Kolkata' });
    await round();
    assert.deepEqual(kinds(), ['last'], 'the last call said what the others would have said');
    const until = () => letters.at(-1)?.letter.facts.find(([label]) => label === 'Until')?.[1];
    assert.equal(until(), 'Thursday, 1 January 1970 at 01:16 UTC (in 15 minutes)');
    await step([move('redeliver')]);
    assert.equal(until(), 'Thursday, 1 January 1970 at 06:46 UTC+5:30 (in 1 minute)');
  });

  test('a first sync, a new reading of the chain and a channel that was confirmed late tell nobody what was there before', async () => {
    const database = await create();
    const { chain, step, subscribe, kinds, round, later } = beginNotices(database);
    await step([post]);
    await step([move('claim')]);
    await step([move('deliver')]);
    await subscribe(poster);
    await step();
    assert.deepEqual(kinds(), [], 'it was there before');
    // All rows are read again.
    const store = createForwardStore(database, () => 0);
    const reading = await store.loadReading();
    assert.ok(reading);
    await store.returnToReading(reading);
    chain.mine();
    await catchUp(chain.source, database);
    await later(0);
    assert.deepEqual(kinds(), []);
    await later(2_750);
    assert.deepEqual(kinds(), ['last'], 'but its time runs');
    // A notifier that was away for so long that changes were forgotten.
    chain.mine([move('redeliver')]);
    chain.mine([post]);
    await catchUp(chain.source, database);
    await database.chain.write('DELETE FROM changes WHERE seq < (SELECT MAX(seq) FROM changes)');
    for (let again = 0; again < 3; again++) await round();
    assert.deepEqual(kinds(), ['last', 'turn'], 'what happened meanwhile is told once');
  });

  once('a mail server that is down keeps no other channel waiting, however many mails wait', async () => {
    const database = await create();
    const { contacts, round, letters } = beginNotices(database, {
      answer: ({ kind }) => (kind === 'email' ? { kind: 'down', reason: 'away' } : { kind: 'sent' }),
      firstRetryMs: 60_000,
    });
    for (let at = 1; at <= 101; at++)
      await contacts.add(addressOf(at), { kind: 'email', email: `ada${at}@example.org` });
    const last = await contacts.add(addressOf(999), { kind: 'webhook', url: 'https://agent.example/svc' });
    await database.write(`UPDATE notices SET send_at = 1 WHERE channel_id = '${last.channel.id}'`);
    for (let rounds = 0; rounds < 2; rounds++) await round();
    assert.deepEqual(
      letters.map(({ to }) => to),
      ['https://agent.example/svc'],
    );
  });

  once(
    'a mail server that hangs keeps neither a webhook nor a browser waiting, and ends no channel',
    async () => {
      const database = await create();
      const answered = Promise.withResolvers<void>();
      const sent: string[] = [];
      let outcome: Outcome = { kind: 'silent', reason: 'it hangs' };
      const send: NoticeOptions['send'] = async (contact) => {
        if (contact.kind !== 'email') sent.push(contact.kind);
        else await answered.promise;
        return contact.kind === 'email' ? outcome : { kind: 'sent' };
      };
      const { contacts, round } = beginNotices(database, { send });
      for (let at = 1; at <= 101; at++)
        await contacts.add(addressOf(at), { kind: 'email', email: `ada${at}@example.org` });
      await database.write('UPDATE notices SET send_at = -1');
      const keys = { p256dh: '', auth: '' };
      await contacts.add(addressOf(998), { kind: 'push', endpoint: 'https://push.example/1', keys });
      await contacts.add(addressOf(999), { kind: 'webhook', url: 'https://agent.example/svc' });
      const first = round();
      await until(() => sent.length === 2).finally(() => answered.resolve());
      await first;
      for (let rounds = 0; rounds < 11; rounds++) await round();
      outcome = { kind: 'failed', reason: 'busy' };
      await round();
      const states = await database.query<{ state: string; failures: number }>(
        `SELECT state, failures FROM notice_channels WHERE kind = 'email'`,
      );
      assert.deepEqual(new Set(states.map(({ state }) => state)), new Set(['unconfirmed']));
      assert.ok(
        states.some(({ failures }) => failures > 1),
        'the pauses grow',
      );
    },
  );

  once('an address whose letter gets no answer keeps no other e-mail waiting', async () => {
    const { contacts, round, letters } = beginNotices(await create(), {
      answer: (contact) =>
        contact.kind === 'email' && contact.email.startsWith('slow')
          ? { kind: 'silent', reason: 'slow' }
          : { kind: 'sent' },
      firstRetryMs: 60_000,
    });
    for (const [at, email] of ['slow@example.org', 'ada@example.org', 'bob@example.org'].entries()) {
      await contacts.add(addressOf(at + 1), { kind: 'email', email });
      await round();
    }
    assert.deepEqual(
      letters.map(({ to }) => to),
      ['ada@example.org', 'bob@example.org'],
    );
  });

  once(
    'a letter that gets no answer keeps no other one of its channel, and is given up in the end',
    async () => {
      const database = await create();
      const copies: string[] = [];
      const { clock, step, subscribe, contacts, channels, store, now, box, round, list, letters } =
        beginNotices(database, {
          answer: (contact, { subject }) => {
            if (contact.kind !== 'email') return { kind: 'sent' };
            if (contact.email.startsWith('ada') && !/paid.* task (1|2),/.test(subject))
              return { kind: 'sent' };
            copies.push(`${contact.email} ${subject}`);
            return { kind: 'silent', reason: 'slow' };
          },
          firstRetryMs: 60_000,
        });
      const worker = addressOf(300);
      const next = async (hours: number) => {
        clock.ahead += hours * 3_600;
        await database.write('UPDATE notice_channels SET next_try = 0');
        await round();
      };
      const tasks = [1, 2, 3];
      await step(tasks.map(() => post));
      await step(tasks.map((task) => ({ ...move('claim', task), worker })));
      const id = await subscribe(worker);
      const url = 'https://agent.example/svc';
      const { channel } = await contacts.add(worker, { kind: 'webhook', url });
      const { addressHash = '' } = (await channels.findChannel(channel.id)) ?? {};
      await contacts.confirm(box.writeLink('confirm', channel.id, addressHash));
      await contacts.add(poster, { kind: 'email', email: 'bob@example.org' });
      await step(tasks.map((task) => move('deliver', task)));
      letters.splice(0);
      await step(tasks.map((task) => move('complete', task)));
      for (let tries = 0; tries < 2; tries++) await next(0);
      const mails = () =>
        letters.filter(({ to }) => to === 'ada@example.org').map(({ letter }) => letter.subject);
      assert.deepEqual(mails(), ['You were paid 4 TOK · task 3, standard market'], 'the third one has left');
      assert.ok((await store.countWaiting(now(), 1e9)) > 0, 'what was not answered still waits');
      for (let tries = 0; tries < 120; tries++) await next(0.5);
      assert.deepEqual([new Set(copies).size, copies.length], [3, 39], 'so many copies of each');
      assert.equal(await store.countWaiting(now(), 1e9), 0);
      assert.deepEqual(
        list().filter((one) => one.startsWith('channel-failed')),
        ['channel-failed Your e-mail channel may have missed a notice'],
      );
      assert.equal((await channels.findChannel(id))?.state, 'confirmed');
    },
  );

  once(
    'a mail server that accepts a letter slowly gets it once, from one of two processes',
    async (context) => {
      const database = await create();
      const accepted = Promise.withResolvers<void>();
      const mails = await startMailServer(undefined, 0, [], () => accepted.promise);
      context.after(mails.close);
      const from = 'svc <notices@market.example>';
      const letter = { id: '1', to: 'eve@example.org', subject: '', text: '', html: '', unsubscribeUrl: '' };
      // It may have been accepted. On a busy machine a short wait ends before the letter is there.
      let kind = '';
      for (let answerMs = 50; kind !== 'silent'; answerMs *= 2)
        ({ kind } = await createSmtpMailer(mails.url, from, answerMs).send(letter));
      const send = createLetterSender({
        mailer: createSmtpMailer(mails.url, from),
        pushKeys: { publicKey: '', privateKey: '' },
        contact: undefined,
        publicUrl: () => 'http://market.example',
        isPrivateAllowed: true,
      });
      const { contacts, round, now } = beginNotices(database, { send, leaseMs: 15_000 });
      await contacts.add(poster, { kind: 'email', email: 'ada@example.org' });
      const sending = round();
      await until(() => mails.received.some(({ to }) => to === 'ada@example.org'));
      const readEnd = async () => {
        const [lease] = await database.query<{ expiresAt: number }>('SELECT expires_at FROM leases');
        return lease?.expiresAt ?? 0;
      };
      const firstEnd = await readEnd();
      await until(async () => (await readEnd()) > firstEnd);
      const second = openNotices(database, { now, send, leaseMs: 15_000 });
      await second.round();
      accepted.resolve();
      await sending;
      assert.equal(mails.received.filter(({ to }) => to === 'ada@example.org').length, 1);
    },
  );

  once(
    'a channel that fails in the database ends no round while letters of others are on their way',
    async () => {
      const database = await create();
      const accepted = Promise.withResolvers<void>();
      const sent: string[] = [];
      const send: NoticeOptions['send'] = async (contact) => {
        sent.push(contact.kind);
        await accepted.promise;
        return { kind: 'sent' };
      };
      const { contacts, round } = beginNotices(database, { send });
      const { channel } = await contacts.add(addressOf(1), { kind: 'email', email: 'ada@example.org' });
      await database.write(`UPDATE notice_channels SET address = '' WHERE id = '${channel.id}'`);
      await contacts.add(addressOf(2), { kind: 'email', email: 'bob@example.org' });
      let isOver = false;
      const first = round().finally(() => {
        isOver = true;
      });
      await until(() => sent.length === 1);
      for (let turn = 0; turn < 100; turn++) await database.query('SELECT 1 AS one');
      assert.equal(isOver, false);
      accepted.resolve();
      await assert.rejects(first);
      await assert.rejects(round());
      assert.equal(sent.length, 1);
    },
  );

  once('an address that nobody confirms is asked three times ever, by whichever wallet', async (context) => {
    const { contacts } = beginNotices(await create());
    context.mock.timers.enable({ apis: ['Date'] });
    const outcomes: string[] = [];
    for (const [wallet, days] of [
      [poster, 0],
      [poster, 0.9],
      [fakeJudge, 1.1],
      [poster, 2.2],
      [poster, 3.3],
      // The channel was forgotten meanwhile.
      [fakeJudge, 30],
    ] as const) {
      context.mock.timers.setTime(1e12 + days * day * 1_000);
      await contacts.sweep();
      const adding = contacts.add(wallet, { kind: 'email', email: 'ada@example.org' });
      outcomes.push(
        await adding.then(
          () => 'asked',
          ({ message }) => message,
        ),
      );
    }
    const refused =
      'This is refused: this address was asked to confirm already; look into its mailbox, or try again tomorrow.';
    assert.deepEqual(outcomes, ['asked', refused, 'asked', 'asked', refused, refused]);
  });

  test('of two processes one sends, and an address that answers with a failure is tried again, in order', async () => {
    const database = await create();
    let isBroken = true;
    const first = beginNotices(database, {
      answer: ({ kind }, letter) =>
        isBroken && kind === 'email' && letter.kind !== 'confirm'
          ? { kind: 'failed', reason: 'busy' }
          : { kind: 'sent' },
    });
    const { step, subscribe, kinds, round, contacts } = first;
    await step([post, post]);
    await step([move('claim'), move('claim', 2)]);
    await subscribe(poster);
    const second = openNotices(database, { now: first.now });
    await second.round();
    await step([move('deliver')]);
    await step([move('deliver', 2)]);
    await second.round();
    assert.deepEqual([kinds(), second.list()], [[], []], 'the other one holds the lease');
    const [channel] = (await contacts.read(poster)).channels;
    assert.equal(channel?.failure?.reason, 'busy');
    isBroken = false;
    await round();
    assert.deepEqual(
      first.list(),
      [1, 2].map((task) => `turn Your turn: review the delivery · task ${task}, standard market`),
    );
    assert.equal((await contacts.read(poster)).channels[0]?.failure, null);
  });

  once(
    'a notifier that ends at any call tells every turn, in order, and repeats the last one alone',
    async () => {
      const database = await create();
      const { chain, step, subscribe, now, kinds } = beginNotices(database);
      // Of one task there are so many turns a day.
      const tasks = [1, 2, 3, 4, 5, 6];
      await step(tasks.map(() => post));
      await step(tasks.map((task) => move('claim', task)));
      await step(tasks.map((task) => move('deliver', task)));
      await subscribe(poster);
      await step();
      assert.deepEqual(kinds(), []);
      const sent: string[] = [];
      const open = (more: Partial<NoticeOptions> = {}) =>
        openNotices(database, {
          ...{ now, ...more },
          answer: (_contact, { id }) => {
            sent.push(id);
            return { kind: 'sent' };
          },
        });
      const told: string[] = [];
      let calls = 0;
      for (let at = 1; calls >= at - 1; at++)
        for (const when of ['before', 'after'] as const) {
          chain.mine([move('redeliver', (told.length % tasks.length) + 1)]);
          await catchUp(chain.source, database);
          const interrupter = createInterrupter({ at, when });
          await open({ wrap: interrupter.wrap })
            .round()
            .catch(() => undefined);
          calls = interrupter.calls();
          // As if the lease of the one that has ended had run out.
          await database.write('DELETE FROM leases');
          const next = open();
          for (let round = 0; round < 2; round++) await next.round();
          await next.close();
          told.push(sent.at(-1) ?? '');
        }
      assert.ok(calls > 8, `${calls} calls`);
      assert.equal(new Set(told).size, told.length, 'every delivery was told');
      assert.deepEqual(
        sent.filter((id, index) => id !== sent[index - 1]),
        told,
      );
    },
  );
});
