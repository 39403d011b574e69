// Webhooks while their sender is killed at any moment and their receiver fails or is cut off: every change arrives, in
// order, with a signature that the lines of the guide accept. `SVC_LONG_TESTS=1` kills 200 times.
import assert from 'node:assert/strict';
import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '#service/store/database.ts';
import { createWebhookStore } from '#service/store/webhooks.ts';
import { readBlocks } from '../docs/markdown.ts';
import { onBothDatabases } from '../support/databases.ts';
import { readGuide } from '../support/guide.ts';
import { listen } from '../support/listen.ts';
import { startScript } from '../support/svc.ts';
import { until } from '../support/until.ts';
import type { Received } from '../support/webhookReceiver.ts';

const kills = process.env.SVC_LONG_TESTS ? 200 : 3;
const maxWaiting = 500;
const taskCount = 5;
const states = ['POSTED', 'CLAIMED', 'ACTIVE', 'DELIVERED', 'COMPLETED'];
const secret = 'whsec_test';

type IsGenuine = (secret: string, header: string, body: string) => boolean;

/** The function that the guide gives to users, word for word. */
function readCheck(): IsGenuine {
  const block = readBlocks(readGuide('docs/webhooks.md')).find(({ language }) => language === 'js');
  const code = block?.text.replace(/^import .*$/m, '') ?? assert.fail('the guide has no check');
  return new Function('createHmac', 'timingSafeEqual', `${code}; return isGenuine;`)(
    createHmac,
    timingSafeEqual,
  ) as IsGenuine;
}

const moods = ['ready', 'failing', 'cut'] as const;
type Mood = (typeof moods)[number];

/** `taken` is what it has processed, whether or not the sender heard of it. */
async function startMoodyReceiver() {
  const isGenuine = readCheck();
  const taken: Received[] = [];
  const mistakes: unknown[] = [];
  let mood: Mood = 'ready';
  let onTaken = (): void => undefined;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const header = String(request.headers['x-svc-signature']);
    assert.ok(isGenuine(secret, header, body), 'the signature is good');
    assert.ok(!isGenuine(secret, header, body.replace('"sequence"', '"Sequence"')), 'of no other body');
    assert.ok(!isGenuine('whsec_other', header, body), 'and of no other secret');
    if (mood === 'failing') return void response.writeHead(500).end();
    taken.push(JSON.parse(body) as Received);
    onTaken();
    if (mood === 'cut') return void request.socket.destroy();
    response.writeHead(204).end();
  }

  const server = createServer((request, response) => {
    // A sender that is killed in the middle of a request is no mistake; a bad signature is one.
    answer(request, response).catch((error: unknown) => {
      if (error instanceof assert.AssertionError) mistakes.push(error);
      request.socket.destroy();
    });
  });
  const { url, close } = await listen(server);
  return {
    url: `${url}/hook`,
    close,
    taken,
    mistakes,
    /** Resolves while the sender waits for its answer, or has just got it. */
    take: () =>
      new Promise<void>((resolve) => {
        onTaken = resolve;
      }),
    become: (next: Mood) => {
      mood = next;
    },
  };
}

async function addChange(database: Database, at: number): Promise<void> {
  const round = Math.floor(at / taskCount);
  await database.write(
    `INSERT INTO changes (market, task_number, block_number, state, wallets, scope)
     VALUES ('standard', $1, $2, $3, $4, 'open')`,
    [(at % taskCount) + 1, round + 1, states[round % states.length] as string, `0x${'a1'.repeat(20)}`],
  );
}

onBothDatabases(({ createAt }) => {
  test(`a webhook gets every change in order while its sender is killed ${kills} times and its receiver fails`, async (context) => {
    const { at, database } = await createAt();
    await database.write(`INSERT INTO chain (id, identity, generation) VALUES (1, 'chain', 1)`);
    const receiver = await startMoodyReceiver();
    context.after(receiver.close);
    const all = { taskId: null, wallet: null, kind: null, createdAt: 1 };
    await createWebhookStore(database).addWebhook({ id: 'all', url: receiver.url, secret, ...all }, 9);

    /** Answers how it is killed. */
    async function startSender() {
      // As if the lease of the one that was killed had run out.
      await database.write(`DELETE FROM leases WHERE name = 'webhooks'`);
      const { nextLine, kill } = startScript(context, 'webhookProcess', JSON.stringify(at));
      await nextLine();
      return kill;
    }

    let written = 0;
    let isWriting = true;
    const writing = (async () => {
      while (isWriting) {
        // In a long series no more may wait than one sender delivers at the end.
        const waiting = written - (receiver.taken.at(-1)?.sequence ?? 0);
        if (waiting < maxWaiting) await addChange(database, written++);
        await pause(40);
      }
    })();
    for (let killed = 0; killed < kills; killed++) {
      const mood = moods[killed % moods.length] as Mood;
      receiver.become(mood);
      const killSender = await startSender();
      await pause(randomInt(300));
      // Also at the worst moment: the receiver has the change, and the sender has not noted that.
      if (mood !== 'failing') await receiver.take();
      await killSender();
    }
    isWriting = false;
    await writing;
    receiver.become('ready');
    const killLast = await startSender();
    const [end] = await database.query<{ seq: number }>('SELECT MAX(seq) AS seq FROM changes');
    await until(() => receiver.taken.at(-1)?.sequence === end?.seq);
    await killLast();

    assert.deepEqual(receiver.mistakes, []);
    // A map keeps the first place of each id.
    const firsts = [...new Map(receiver.taken.map((one) => [one.id, one])).values()];
    assert.equal(firsts.length, written, 'every change, at least once');
    const sequences = firsts.map(({ sequence }) => sequence);
    assert.deepEqual(
      sequences,
      sequences.toSorted((left, right) => left - right),
      'in order, but for repeats',
    );
    for (let number = 1; number <= taskCount; number++) {
      const ofTask = firsts
        .filter(({ data }) => data.id === `v2:standard:${number}`)
        .map(({ data }) => data.state);
      assert.deepEqual(
        ofTask,
        ofTask.map((_, index) => states[index % states.length]),
        'in the order of the task',
      );
    }
    assert.deepEqual(await createWebhookStore(database).listLetters(null, 10), []);
    context.diagnostic(`${written} changes, ${receiver.taken.length - written} repeats, ${kills} kills`);
  });
});
