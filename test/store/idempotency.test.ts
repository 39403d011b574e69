// Idempotency-Key over real routes on both databases, with two gateways on one database: one effect for one key, whatever
// races, fails or is killed, and no answer for anyone but its caller.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { splitApprovalUrl } from '#sdk/domain/approvalLink.ts';
import { createApp } from '#service/http/app.ts';
import { createRequestRoom, registerRequestRoutes } from '#service/http/gateway/requests.ts';
import { createWriteOnce } from '#service/http/idempotency.ts';
import { createKeyedWrites } from '#service/requests/keyedWrites.ts';
import { createRequestService } from '#service/requests/requestService.ts';
import type { SessionService } from '#service/sessions/walletSessions.ts';
import type { Database } from '#service/store/database.ts';
import {
  createIdempotencyStore,
  type IdempotencyStore,
  type KeyLimits,
  keyLimits,
} from '#service/store/idempotencyKeys.ts';
import { createRequestStore } from '#service/store/requests.ts';
import { onBothDatabases } from '../support/databases.ts';
import { silentLog } from '../support/gateway.ts';

const body = {
  kind: 'calls',
  action: 'claim-task',
  summary: 'Claim a task',
  chainId: 8453,
  from: `0x${'1'.repeat(40)}`,
  calls: [{ to: `0x${'2'.repeat(40)}`, value: '0x0', data: '0x1234' }],
};

type Change = (store: IdempotencyStore) => Partial<IdempotencyStore>;

/** `change` replaces parts of the store, `onSave` runs before a request is saved. */
function startGateway(database: Database, limits: Partial<KeyLimits> = {}, change: Change = () => ({})) {
  const world = { now: Date.now(), onSave: async () => {}, afterSave: async () => {} };
  const requests = createRequestStore(database, 'chain');
  const store = createIdempotencyStore(database, 'chain', { ...keyLimits, ...limits });
  const app = createApp({ log: silentLog });
  registerRequestRoutes(app, {
    writesPerMinute: 1_000_000,
    takeRoom: createRequestRoom(),
    host: 'localhost',
    publicUrl: () => 'http://localhost',
    requests: createRequestService({
      store: {
        ...requests,
        saveRequest: async (made) => {
          await world.onSave();
          const isNew = await requests.saveRequest(made);
          await world.afterSave();
          return isNew;
        },
      },
      chain: { readOutcome: async () => ({ kind: 'waiting' }), readSignature: async () => null },
      chainId: 8_453,
      now: () => Math.floor(world.now / 1_000),
      approvalUrl: (id) => `http://localhost/approve.html?request=${id}`,
      secret: 'of the gateway',
    }),
    sessions: { find: async () => null } as unknown as SessionService,
    writeOnce: createWriteOnce(createKeyedWrites({ ...store, ...change(store) }, () => world.now)),
  });
  return { app, world, store };
}

async function post(app: FastifyInstance, key?: string, given: object = body, remoteAddress = '10.0.0.1') {
  const answer = await app.inject({
    method: 'POST',
    url: '/v1/requests',
    payload: given,
    remoteAddress,
    headers: { ...(key !== undefined && { 'idempotency-key': key }) },
  });
  const isReplay = answer.headers['idempotent-replayed'] === 'true';
  return { status: answer.statusCode, text: answer.payload, body: answer.json(), isReplay, answer };
}

async function countRequests(database: Database): Promise<number> {
  const [row] = await database.query<{ n: number }>('SELECT COUNT(*) AS n FROM wallet_requests');
  return Number(row?.n);
}

onBothDatabases(({ create, createPair }) => {
  test('the same key and body get the same answer, marked as a replay; without a key each is a write', async () => {
    const database = await create();
    const { app } = startGateway(database);
    const key = randomUUID();
    const first = await post(app, key);
    assert.deepEqual([first.status, first.isReplay], [201, false]);
    const again = await post(app, `"${key}"`);
    assert.deepEqual([again.status, again.isReplay, again.text], [201, true, first.text], 'quoted or not');
    assert.equal(again.answer.headers['cache-control'], 'no-store');
    const [row] = await database.query<{ body: string }>('SELECT body FROM idempotency_keys');
    const { token } = splitApprovalUrl(first.body.approvalUrl);
    assert.match(token ?? '', /^[\w-]{43}$/);
    assert.ok(
      row?.body.includes(first.body.requestId) && !row.body.includes('token'),
      'the database keeps no secret',
    );
    await post(app);
    await post(app);
    assert.equal(await countRequests(database), 3);
  });

  test('a key is bound to its request and its caller: nobody else gets the answer', async () => {
    const { app } = startGateway(await create());
    const key = randomUUID();
    const { body: first } = await post(app, key);
    const other = await post(app, key, { ...body, summary: 'Something else' });
    assert.deepEqual([other.status, other.body.code], [422, 'IDEMPOTENCY_KEY_REUSED']);
    assert.ok(!other.text.includes(first.requestId));
    const foreign = await post(app, key, body, '10.0.0.2');
    assert.deepEqual([foreign.status, foreign.isReplay], [201, false]);
    assert.notEqual(foreign.body.requestId, first.requestId);
    for (const wrong of [
      '',
      'short',
      'x'.repeat(129),
      `${key} ${key}`,
      `${key}, ${key}`,
      `"${key}`,
      'ä'.repeat(20),
    ])
      assert.equal((await post(app, wrong)).body.code, 'IDEMPOTENCY_KEY_INVALID', wrong);
  });

  test('of 50 requests with one key at two gateways one is done; the others get its answer or 409', async () => {
    const [first, second] = await createPair();
    const apps = [startGateway(first).app, startGateway(second).app] as const;
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => post(apps[n % 2 ? 1 : 0], key)));
    const done = answers.filter(({ status }) => status === 201);
    assert.equal(new Set(done.map(({ text }) => text)).size, 1);
    assert.equal(done.filter(({ isReplay }) => !isReplay).length, 1);
    for (const { status, body: refused, answer } of answers.filter((one) => one.status !== 201)) {
      assert.deepEqual([status, refused.code], [409, 'IDEMPOTENCY_KEY_BUSY']);
      assert.equal(answer.headers['retry-after'], '1');
    }
    assert.equal(await countRequests(first), 1);
    assert.equal((await post(apps[1], key)).text, done[0]?.text);
  });

  test('a gateway that is killed before or after the effect leaves one effect and one answer', async () => {
    const database = await create();
    const never = new Promise<never>(() => {});
    for (const moment of ['onSave', 'afterSave', 'keep'] as const) {
      const before = await countRequests(database);
      const { promise: reached, resolve } = Promise.withResolvers<void>();
      const hang = () => {
        resolve();
        return never;
      };
      const killed = startGateway(database, {}, () => (moment === 'keep' ? { keep: hang } : {}));
      if (moment !== 'keep') killed.world[moment] = hang;
      const key = randomUUID();
      void post(killed.app, key);
      await reached;
      const { app, world } = startGateway(database);
      assert.equal((await post(app, key)).status, 409, 'it may still be running');
      world.now += keyLimits.lockMs;
      const taken = await Promise.all(Array.from({ length: 5 }, () => post(app, key)));
      const done = taken.filter(({ status }) => status === 201);
      assert.equal(new Set(done.map(({ text }) => text)).size, 1, moment);
      assert.equal(await countRequests(database), before + 1, moment);
      assert.deepEqual((await post(app, key)).text, done[0]?.text);
    }
  });

  test('a gateway that was only slow returns the answer of the one that took over', async () => {
    const database = await create();
    const { promise: reached, resolve } = Promise.withResolvers<void>();
    const { promise: release, resolve: goOn } = Promise.withResolvers<void>();
    const slow = startGateway(database);
    slow.world.onSave = () => {
      resolve();
      return release;
    };
    const key = randomUUID();
    const late = post(slow.app, key);
    await reached;
    const { app, world } = startGateway(database);
    world.now += keyLimits.lockMs;
    const quick = await post(app, key);
    goOn();
    assert.equal((await late).text, quick.text);
    assert.equal(await countRequests(database), 1);
  });

  test('a refused write frees its key; a failure of the server repeats the write, not its effect', async () => {
    const database = await create();
    const { app, world } = startGateway(database);
    const key = randomUUID();
    const wrong = {
      ...body,
      kind: 'signature',
      calls: undefined,
      typedData: { domain: {}, types: {}, primaryType: 'X', message: {} },
    };
    const refused = await post(app, key, wrong);
    assert.equal(refused.status, 400, refused.text);
    assert.equal((await post(app, key)).status, 201, 'the key was free');
    const other = randomUUID();
    world.afterSave = async () => {
      throw new Error('the connection was lost after the effect');
    };
    assert.equal((await post(app, other)).status, 500);
    world.afterSave = async () => {};
    const again = await post(app, other);
    assert.deepEqual([again.status, again.isReplay], [201, false], 'at once, without waiting for the lock');
    assert.equal(await countRequests(database), 2);
  });

  test('keys are bounded in number and age', async () => {
    const database = await create();
    const { app, world, store } = startGateway(database, { ofCaller: 3, inTotal: 4 });
    const keys = Array.from({ length: 3 }, () => randomUUID());
    for (const key of keys) assert.equal((await post(app, key)).status, 201);
    const full = await post(app, randomUUID());
    assert.deepEqual([full.status, full.body.code], [429, 'IDEMPOTENCY_KEYS_FULL']);
    assert.equal((await post(app, keys[0])).isReplay, true, 'known keys still work');
    assert.equal((await post(app, randomUUID(), body, '10.0.0.2')).status, 201, 'others are not affected');
    world.now += keyLimits.keptMs + 1;
    const later = await post(app, keys[0]);
    assert.deepEqual([later.status, later.isReplay], [201, false], 'a key that is too old is a new one');
    const count = async () => (await database.query('SELECT 1 FROM idempotency_keys')).length;
    await store.sweep(world.now);
    assert.equal(await count(), 1);
    for (let n = 0; n < 5; n++) {
      world.now++;
      await post(app, randomUUID(), body, `10.1.0.${n}`);
    }
    await store.sweep(world.now);
    assert.equal(await count(), 4, 'the oldest of too many go');
  });
});
