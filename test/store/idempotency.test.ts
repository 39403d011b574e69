// Idempotency-Key over real routes on both databases, with two gateways on one database: one request for one key.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { splitApprovalUrl } from '#sdk/domain/approvalLink.ts';
import { createApp } from '#service/http/app.ts';
import { createRequestRoom, registerRequestRoutes } from '#service/http/gateway/requests.ts';
import { createRequestService } from '#service/requests/requestService.ts';
import type { SessionService } from '#service/sessions/walletSessions.ts';
import type { Database } from '#service/store/database.ts';
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

function startGateway(database: Database): FastifyInstance {
  const app = createApp({ log: silentLog });
  registerRequestRoutes(app, {
    writesPerMinute: 1_000_000,
    takeRoom: createRequestRoom(),
    host: 'localhost',
    publicUrl: () => 'http://localhost',
    requests: createRequestService({
      store: createRequestStore(database),
      chain: { readOutcome: async () => ({ kind: 'waiting' }), readSignature: async () => null },
      chainId: 8_453,
      now: () => Math.floor(Date.now() / 1_000),
      approvalUrl: (id) => `http://localhost/approve.html?request=${id}`,
      secret: 'of the gateway',
    }),
    sessions: { find: async () => null } as unknown as SessionService,
  });
  return app;
}

async function post(app: FastifyInstance, key?: string, given: object = body, remoteAddress = '10.0.0.1') {
  const answer = await app.inject({
    method: 'POST',
    url: '/v1/requests',
    payload: given,
    remoteAddress,
    headers: { ...(key !== undefined && { 'idempotency-key': key }) },
  });
  return { status: answer.statusCode, text: answer.payload, body: answer.json() };
}

async function countRequests(database: Database): Promise<number> {
  const [row] = await database.query<{ n: number }>('SELECT COUNT(*) AS n FROM wallet_requests');
  return Number(row?.n);
}

onBothDatabases(({ create, createPair }) => {
  test('one key makes one request, at two gateways and under races, and belongs to its caller', async () => {
    const [first, second] = await createPair();
    const gateways = [startGateway(first), startGateway(second)];
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) => post(gateways[at % 2] as FastifyInstance, key)),
    );
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1, 'the same request for all');
    assert.equal(await countRequests(first), 1);
    const [{ body: made }] = answers as [(typeof answers)[number]];
    assert.match(splitApprovalUrl(made.approvalUrl).token ?? '', /^[\w-]{43}$/);
    const [app] = gateways as [FastifyInstance];
    assert.equal((await post(app, `"${key}"`)).body.requestId, made.requestId, 'quoted or not');
    const other = await post(app, key, { ...body, summary: 'Claim another task' });
    assert.deepEqual([other.status, other.body.code], [422, 'IDEMPOTENCY_KEY_REUSED']);
    const elsewhere = await post(app, key, body, '10.9.0.1');
    assert.notEqual(elsewhere.body.requestId, made.requestId, 'another network is another caller');
    assert.equal(await countRequests(first), 2);
  });

  test('without a key each write makes a request, and a key that could be guessed is refused', async () => {
    const database = await create();
    const app = startGateway(database);
    const ids = [await post(app), await post(app)].map(({ body: { requestId } }) => requestId);
    assert.equal(new Set(ids).size, 2);
    for (const key of ['', 'short', 'x'.repeat(129), 'with a space in it, long'])
      assert.equal((await post(app, key)).body.code, 'IDEMPOTENCY_KEY_INVALID', key);
    assert.equal(await countRequests(database), 2);
  });
});
