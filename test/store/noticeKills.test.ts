// Notices while their sender is killed at any moment, the mail server goes away and blocks are taken back: none is lost, none
// is sent twice unless the process died between sending and noting, and those of a task come in order.
// `SVC_LONG_TESTS=1` makes the series long.
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { onBothDatabases } from '../support/databases.ts';
import { addressOf, createFakeChain } from '../support/indexer/fakeChain.ts';
import { catchUp } from '../support/indexer/rows.ts';
import { type MailServer, startMailServer } from '../support/mailServer.ts';
import { openNotices } from '../support/notices.ts';
import { startScript } from '../support/svc.ts';
import { until } from '../support/until.ts';

const kills = process.env.SVC_LONG_TESTS ? 200 : 4;
const restartEvery = Math.max(3, kills / 10);
const poster = addressOf(1);
const post = { kind: 'post', market: 'standard', poster: 1 } as const;
// More than a record keeps deliveries of one task would need other proofs.
const tasks = Math.max(6, Math.ceil(kills / 6));

onBothDatabases(({ createAt, server, dialect }) => {
  test(`every turn is told by mail while the sender is killed ${kills} times, mail server and database are away and blocks are taken back`, async (context) => {
    const { at, database } = await createAt();
    const chain = createFakeChain();
    let mails: MailServer = await startMailServer();
    const { port, url: smtp, received } = mails;
    context.after(() => mails.close());
    const identity = chain.source.identity;
    // One moment for all: reminders are another test's subject.
    const now = () => chain.head().time;
    chain.mine(Array.from({ length: tasks }, () => post));
    chain.mine(
      Array.from({ length: tasks }, (_, number) => ({ kind: 'claim', market: 'standard', task: number + 1 })),
    );
    await catchUp(chain.source, database);
    const notices = openNotices(database, { identity, now });
    await notices.round();
    await notices.subscribe(poster);
    await notices.close();

    /** Counts of mails at which the sender or the database had gone: the mail before may come again, and no other one. */
    const gaps = new Set<number>();
    const noteGap = (from: number) => {
      for (let count = from; count <= received.length; count++) gaps.add(count);
    };
    let killedAt = 0;
    let kill: () => Promise<unknown>;
    async function startSender(): Promise<void> {
      // As if the lease of the one that was killed had run out.
      await database.write(`DELETE FROM leases WHERE name = 'notices'`);
      const given = JSON.stringify({ at, smtp, identity, now: now() });
      const sender = startScript(context, 'noticeProcess', given);
      kill = sender.kill;
      await sender.nextLine();
      noteGap(killedAt);
    }
    async function killSender(): Promise<void> {
      await kill();
      killedAt = received.length;
    }

    /** While the sender runs. SQLite has no server: every sender opens its file again. */
    async function restartDatabase(): Promise<void> {
      if (dialect !== 'postgres') return;
      const before = received.length;
      await server().kill();
      await server().start();
      noteGap(before);
    }

    /** How often each task was delivered, on the branch that stays. */
    const delivered = new Map<number, number>();
    async function deliver(isForked: boolean): Promise<void> {
      const task = randomInt(tasks) + 1;
      const kind = delivered.has(task) ? 'redeliver' : 'deliver';
      chain.mine([{ kind, market: 'standard', task }]);
      await catchUp(chain.source, database);
      if (isForked) {
        // The block is taken back, and its delivery comes again in a later one.
        await pause(randomInt(60));
        chain.revert(1);
        chain.mine();
        await catchUp(chain.source, database);
        chain.mine([{ kind, market: 'standard', task }]);
        await catchUp(chain.source, database);
      }
      delivered.set(task, (delivered.get(task) ?? 0) + 1);
    }

    for (let killed = 0; killed < kills; killed++) {
      const isAway = killed % 3 === 2;
      if (isAway) await mails.close();
      await startSender();
      const taking = isAway ? pause(200) : mails.take();
      await deliver(killed % 4 === 3);
      // Also at the worst moment: the server has the mail, and the sender has not noted that.
      await Promise.race([taking, pause(randomInt(1_500))]);
      if (killed % restartEvery === 1) await restartDatabase();
      await killSender();
      if (isAway) mails = await startMailServer(undefined, port, received);
    }
    await startSender();
    const waiting = `SELECT COUNT(*) AS count FROM notices WHERE state = 'waiting' AND kind = 'turn'`;
    const position = 'SELECT position FROM notice_positions';
    await until(async () => {
      const [row] = await database.query<{ count: number }>(waiting);
      const [done] = await database.query<{ position: number }>(position);
      const [last] = await database.query<{ seq: number }>('SELECT MAX(seq) AS seq FROM changes');
      return row?.count === 0 && done?.position === last?.seq;
    });
    await killSender();

    const sent = received
      .map(({ headers }, at) => ({
        subject: headers.subject,
        id: Number(/-(\d+)@/.exec(headers['message-id'] ?? '')?.[1]),
        at,
      }))
      .filter(({ subject }) => subject?.startsWith('Your turn'));
    const rows = await database.query<{ id: number; number: number; episode: string }>(
      `SELECT id, number, episode FROM notices WHERE kind = 'turn' AND state = 'sent' ORDER BY id`,
    );
    // Nothing is lost: the newest delivery of each task was told, each once and in order.
    for (const [task, count] of delivered) {
      const told = rows
        .filter((row) => row.number === task)
        .map(({ episode }) => Number(episode.split('/')[4]?.split('.')[0]));
      assert.equal(told.at(-1), count, `delivery ${count} of task ${task}`);
      assert.deepEqual(
        told,
        [...new Set(told)].sort((left, right) => left - right),
      );
    }
    const lastOf = new Map(sent.map(({ id, at }) => [id, at]));
    const noted = new Set(rows.map(({ id }) => id));
    assert.deepEqual(
      [...noted].filter((id) => !lastOf.has(id)),
      [],
      'what is noted as sent was sent',
    );
    // Only a mail that left just before a kill may be without a note: it is sent again, or replaced by a newer one.
    assert.deepEqual(
      sent.filter(({ id, at }) => !(noted.has(id) && lastOf.get(id) === at) && !gaps.has(at + 1)),
      [],
      'sent again, or not noted, although nobody was killed',
    );
    for (const ofTask of Map.groupBy(sent, ({ subject }) => subject).values()) {
      const order = [...new Set(ofTask.map(({ id }) => id))];
      assert.deepEqual(
        order,
        order.toSorted((left, right) => left - right),
        'in the order of the task',
      );
    }
    const repeats = sent.length - lastOf.size;
    context.diagnostic(`${lastOf.size} notices, ${repeats} repeats, ${kills} kills, ${delivered.size} tasks`);
  });
});
