// Webhooks on both databases: delivered in order and at least once, tried again, stopped and resumed, by one process at a time.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { findStart } from '#service/market/changes.ts';
import { createChangeStore } from '#service/store/changes.ts';
import { createCursorStore } from '#service/store/consume.ts';
import type { Database } from '#service/store/database.ts';
import { beginEpoch } from '#service/store/epoch.ts';
import { createLease } from '#service/store/lease.ts';
import { createWebhookStore, never, type Webhook } from '#service/store/webhooks.ts';
import { createDeliverer, webhookLeaseMs } from '#service/webhooks/deliver.ts';
import { onBothDatabases } from '../support/databases.ts';
import { createInterrupter } from '../support/interrupter.ts';
import { startReceiver } from '../support/webhookReceiver.ts';

const poster = `0x${'a1'.repeat(20)}`;
const stranger = `0x${'b2'.repeat(20)}`;

async function follow(database: Database): Promise<void> {
  await database.chain.write(`INSERT INTO chain (id, is_whole) VALUES (1, 0)`);
}

async function change(database: Database, number: number, state: string, by = poster, scope = 'open') {
  await database.chain.write(
    `INSERT INTO changes (market, task_number, block_number, state, wallets, scope)
     VALUES ('standard', $1, 7, $2, $3, $4)`,
    [number, state, by, scope],
  );
}

type Wrap = <T extends object>(target: T) => T;
const asIs: Wrap = (target) => target;

function deliverer(database: Database, attempts = 3, isPrivateAllowed = true, wrap = asIs) {
  const outcomes: string[] = [];
  const reasons: (string | undefined)[] = [];
  const lease = { name: 'webhooks', holder: randomUUID(), milliseconds: webhookLeaseMs };
  const { round, close } = createDeliverer({
    store: wrap(createWebhookStore(database)),
    cursors: wrap(createCursorStore(database)),
    changes: wrap(createChangeStore(database)),
    lease: createLease(database, lease),
    isPrivateAllowed,
    onOutcome: (outcome, _id, reason) => {
      outcomes.push(outcome);
      if (outcome === 'stopped') reasons.push(reason);
    },
    firstRetryMs: 0,
    attempts,
  });
  return { round: () => round(new AbortController().signal), close, outcomes, reasons };
}

async function add(database: Database, url: string, filter: Partial<Webhook> = {}): Promise<void> {
  const made = { id: 'one', url, secret: 'whsec_test', taskId: null, wallet: null, kind: null, createdAt: 1 };
  assert.equal(await createWebhookStore(database).addWebhook({ ...made, ...filter }, 3), true);
}

async function receiver(context: TestContext, answer?: Parameters<typeof startReceiver>[0]) {
  const started = await startReceiver(answer);
  context.after(started.close);
  return started;
}

onBothDatabases(({ create, createPair, once }) => {
  test('what a webhook asked for arrives in order, signed, and nothing from before it', async (context) => {
    const database = await create();
    await follow(database);
    await change(database, 1, 'POSTED');
    const { url, received, assertSigned } = await receiver(context);
    await add(database, url);
    await add(database, url, { id: 'two', wallet: stranger });
    await add(database, url, { id: 'three', taskId: 'v2:standard:2', kind: 'delivered' });
    const store = createWebhookStore(database);
    const fourth = { id: 'four', url, secret: '', taskId: null, wallet: null, kind: null, createdAt: 1 };
    assert.equal(await store.addWebhook(fourth, 3), false, 'there is a limit');
    await change(database, 2, 'CLAIMED');
    await change(database, 3, 'POSTED', stranger, 'private');
    await change(database, 2, 'DELIVERED');
    await change(database, 0, 'RESET');
    await deliverer(database).round();
    const of = (id: string) => received.filter((one) => one.id.startsWith(`${id}-`)).map(({ type }) => type);
    assert.deepEqual(of('one'), ['task.claimed', 'task.delivered', 'reset'], 'no private task');
    assert.deepEqual(of('two'), ['task.posted', 'reset']);
    assert.deepEqual(of('three'), ['task.delivered', 'reset']);
    assertSigned('whsec_test');
    await store.removeWebhook('one');
    assert.deepEqual((await store.listWebhooks()).map(({ id }) => id).sort(), ['three', 'two']);
  });

  test('after a restore, sequences and event ids are new ones, and old ones get a reset', async (context) => {
    const database = await create();
    await follow(database);
    const { url, received } = await receiver(context);
    await add(database, url);
    await change(database, 1, 'POSTED');
    const { round } = deliverer(database);
    await round();
    // What came after the backup is lost; a client has its number.
    const lost = (received.at(-1)?.sequence ?? 0) + 1;
    const first = await beginEpoch(database, 1_800_000_000);
    await change(database, 2, 'POSTED');
    await round();
    const types = received.map(({ type }) => type);
    assert.deepEqual(types, ['task.posted', 'reset', 'task.posted']);
    assert.ok(received.slice(1).every(({ sequence }) => sequence > first && first > lost));
    const changes = createChangeStore(database);
    assert.equal((await findStart(changes, lost)).isReset, true);
    const [next] = await changes.loadChangesAfter(lost, 1);
    assert.equal(next?.kind, 'reset', 'also for a stream that is open');
    assert.ok((await beginEpoch(database, 1_800_000_060)) > first, 'a second restore begins another one');
  });

  test('new numbers begin after a step of the indexer that has taken its numbers', async () => {
    const database = await create();
    await follow(database);
    let isBegun = false;
    const beginning = await database.chain.transaction(async (tx) => {
      await tx.query('UPDATE chain SET id = id');
      const begun = beginEpoch(database, 1_800_000_000).then(() => {
        isBegun = true;
      });
      await sleep(100);
      assert.equal(isBegun, false);
      return { begun };
    });
    await beginning.begun;
  });

  test('a delivery that fails is tried again before the next; then its webhook stops, and goes on where it was when asked', async (context) => {
    const database = await create();
    await follow(database);
    let isBroken = true;
    const seen: number[] = [];
    const { url, received } = await receiver(context, ({ sequence, data }) => {
      seen.push(sequence);
      return isBroken && data.state === 'CLAIMED' ? 302 : 200;
    });
    await add(database, url);
    for (const state of ['CLAIMED', 'ACTIVE', 'DELIVERED']) await change(database, 1, state);
    const { round, outcomes, reasons } = deliverer(database);
    const store = createWebhookStore(database);
    await round();
    assert.equal(received.length, 0, 'the second waits for the first');
    assert.equal((await store.listWebhooks())[0]?.failures, 1);
    await round();
    await round();
    assert.deepEqual(outcomes, ['failed', 'failed', 'failed', 'stopped']);
    assert.deepEqual(reasons, ['it answered 302']);
    isBroken = false;
    await round();
    assert.equal(seen.length, 3, 'it has stopped');
    assert.equal((await store.listWebhooks())[0]?.nextTry, never);
    assert.equal(await store.resume('two'), false);
    assert.equal(await store.resume('one'), true);
    await round();
    const shown = received.map(({ data }) => data.state);
    assert.deepEqual(shown, ['CLAIMED', 'ACTIVE', 'DELIVERED']);
  });

  once(
    'a sender that ends at any call, also while a receiver fails, delivers each change in order, and repeats the last one alone',
    async (context) => {
      const database = await create();
      await follow(database);
      let asked = 0;
      const { url, received } = await receiver(context, () => (++asked % 7 === 0 ? 500 : 204));
      await add(database, url);
      let written = 0;
      let calls = 0;
      for (let at = 1; calls >= at - 1; at++)
        for (const when of ['before', 'after'] as const) {
          for (const state of ['CLAIMED', 'ACTIVE', 'DELIVERED']) await change(database, ++written, state);
          const interrupter = createInterrupter({ at, when });
          await deliverer(database, 99, true, interrupter.wrap)
            .round()
            .catch(() => undefined);
          calls = interrupter.calls();
          // As if the lease of the one that has ended had run out.
          await database.write('DELETE FROM leases');
          const next = deliverer(database, 99);
          for (let round = 0; round < 3; round++) await next.round();
          await next.close();
        }
      assert.ok(calls >= 5, `${calls} calls`);
      const ids = received.map(({ id }) => id);
      assert.deepEqual(
        ids.filter((id, index) => id !== ids[index - 1]),
        Array.from({ length: written }, (_, index) => `one-${index + 1}`),
      );
    },
  );

  once('a private address gets nothing unless that is allowed, by name or by number', async (context) => {
    const database = await create();
    await follow(database);
    const { url, received } = await receiver(context);
    await add(database, url);
    await add(database, url.replace('http:', 'https:').replace('127.0.0.1', 'localhost'), { id: 'two' });
    await change(database, 1, 'POSTED');
    const { round, reasons } = deliverer(database, 1, false);
    await round();
    assert.match(reasons.sort().join(), /https.*private|private.*https/);
    assert.equal(reasons.length, 2);
    assert.equal(received.length, 0);
  });

  test('of two processes one delivers, and the other goes on where it ended', async (context) => {
    const [first, second] = await createPair();
    await follow(first);
    const { url, received } = await receiver(context);
    await add(first, url);
    const [one, two] = [deliverer(first), deliverer(second)];
    await change(first, 1, 'POSTED');
    await one.round();
    await change(first, 1, 'CLAIMED');
    await two.round();
    assert.equal(two.outcomes.length, 0, 'the first holds the lease');
    await one.close();
    await two.round();
    const listed = received.map(({ type }) => type);
    assert.deepEqual(listed, ['task.posted', 'task.claimed']);
  });
});
