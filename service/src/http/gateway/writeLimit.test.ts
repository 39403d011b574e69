// Proves that one client cannot fill the database with wallet requests, nor spend our calls to the chain with receipts and forged
// payments, and does not stand in the way of another.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { SvcError } from '@svc/sdk/domain';
import { createApp } from '../app.ts';
import { registerClaimRoutes } from './claim.ts';
import { registerMessageRoutes } from './messages.ts';
import { createRequestRoom, registerRequestRoutes } from './requests.ts';
import { registerSessionRoutes } from './sessions.ts';
import { registerToolRoutes } from './toolRoutes.ts';

const log = { info: () => undefined, error: () => undefined } as never;

/** `create` posts a wallet request with so many bytes of call data, and answers how it was answered. */
function serveRequests(context: TestContext, writesPerMinute: number) {
  const app = createApp({ log });
  context.after(() => app.close());
  const taken = { requests: 0, bytes: 0 };
  const takeRoom = createRequestRoom();
  registerRequestRoutes(app, {
    takeRoom,
    sessions: { find: async () => null },
    requests: {
      create: async (given: object) => {
        taken.requests++;
        taken.bytes += JSON.stringify(given).length;
        return { requestId: '1', approvalUrl: 'http://127.0.0.1/', status: 'pending' };
      },
      linkOf: () => 'http://127.0.0.1/',
    },
    writesPerMinute,
    host: '127.0.0.1',
    publicUrl: () => 'http://127.0.0.1',
  } as never);
  registerToolRoutes(app, {
    hostedTools: {
      answer: async (_request, body) => {
        taken.bytes += JSON.stringify(body).length;
        return new Response('{}');
      },
      close: async () => undefined,
      scopeOf: async () => null,
    },
    grants: { find: async () => null, issuer: () => null },
    publicUrl: () => 'http://127.0.0.1',
    takeRoom,
  });
  const call = (remoteAddress: string, size: number) =>
    app.inject({ method: 'POST', url: '/mcp', remoteAddress, payload: { description: 'x'.repeat(size) } });
  const create = (remoteAddress: string, size = 0) =>
    app.inject({
      method: 'POST',
      url: '/v1/requests',
      remoteAddress,
      headers: { host: '127.0.0.1' },
      payload: {
        kind: 'calls',
        action: 'claim-task',
        summary: 'Claim',
        chainId: 8453,
        from: `0x${'1'.repeat(40)}`,
        calls: [{ to: `0x${'2'.repeat(40)}`, value: '0x0', data: `0x${'12'.repeat(size)}` }],
      },
    });
  return { create, call, taken };
}

test('wallet requests of one client are limited, those of others are not', async (context) => {
  const { create, taken } = serveRequests(context, 3);
  const answers = [];
  for (let tries = 0; tries < 5; tries++) answers.push(await create('10.0.0.1'));
  const statusCodes = answers.map(({ statusCode }) => statusCode);
  assert.deepEqual(statusCodes, [201, 201, 201, 429, 429]);
  assert.equal(taken.requests, 3);
  assert.match(String(answers[4]?.headers['retry-after']), /^[0-9]+$/);
  assert.equal((await create('10.0.0.2')).statusCode, 201);
});

test('the bytes of wallet requests are limited for a client and in all, and an honest client beside many floods is served', async (context) => {
  const { create, taken } = serveRequests(context, 1_200);
  const flood = async (address: string) => {
    for (let count = 0; count < 40; count++) await create(address, 30_000);
  };
  await flood('10.0.0.1');
  assert.ok(taken.bytes <= 2.2e6, `${taken.bytes} of one client`);
  assert.equal((await create('10.0.0.1', 30_000)).statusCode, 429);
  for (let client = 2; client < 14; client++) await flood(`10.0.0.${client}`);
  assert.ok(taken.bytes <= 24e6, `${taken.bytes} of all`);
  assert.equal((await create('10.0.1.1', 1_000)).statusCode, 201);
});

test('calls of tools, which make wallet requests as well, share their bytes; short ones do not', async (context) => {
  const { create, call, taken } = serveRequests(context, 1_200);
  for (let count = 0; count < 60; count++) await call('10.0.0.1', 60_000);
  assert.ok(taken.bytes > 1.8e6 && taken.bytes <= 2.2e6, `${taken.bytes} of one client`);
  assert.equal((await create('10.0.0.1', 30_000)).statusCode, 429);
  assert.equal((await call('10.0.0.1', 3_000)).statusCode, 200);
  assert.equal((await call('10.0.0.2', 60_000)).statusCode, 200);
});

test('receipts and forged payments ask the chain within a budget, and an honest wallet beside them gets its receipt', async (context) => {
  const app = createApp({ log });
  context.after(() => app.close());
  let asked = 0;
  const ask = async () => {
    asked++;
    return { ready: true, checks: [] };
  };
  const refuse = async () => {
    asked++;
    throw new SvcError('PAYMENT_REQUIRED', { reason: 'forged' });
  };
  registerClaimRoutes(app, {
    claims: { checkReadiness: ask, prepare: refuse },
    receipts: { issue: async () => ({ nonce: '0x1' }) },
    registryOf: () => `0x${'3'.repeat(40)}`,
    publicUrl: () => 'http://127.0.0.1',
    now: () => 1,
    price: null,
    payments: null,
    writesPerMinute: 50,
  } as never);
  const payer = `0x${'1'.repeat(40)}`;
  const receipt = (remoteAddress: string) =>
    app.inject({
      method: 'POST',
      url: '/v1/payment-receipt',
      remoteAddress,
      payload: { payer, action: 'post' },
    });
  const forge = (remoteAddress: string) =>
    app.inject({
      method: 'POST',
      url: '/v1/tasks/v2:standard:1/claim',
      remoteAddress,
      payload: { payer },
      headers: { 'payment-signature': 'forged' },
    });
  const statuses = [];
  for (let turn = 0; turn < 10; turn++)
    statuses.push((await receipt('10.0.0.1')).statusCode, (await forge('10.0.0.1')).statusCode);
  assert.deepEqual(statuses, [...Array(5).fill([200, 402]).flat(), ...Array(10).fill(429)]);
  assert.equal(asked, 10);
  const flood = async (networks: number, part: number) => {
    for (let turn = 0; turn < 10; turn++)
      for (let client = 0; client < networks; client++) await forge(`10.${part}.${client}.1`);
  };
  await flood(8, 1);
  assert.equal(asked, 50);
  assert.equal((await receipt('10.2.0.1')).statusCode, 200);
  await flood(40, 3);
  assert.equal(asked, 100);
});

test('sessions and messages of many networks have their signatures checked within a budget, and honest clients get theirs first', async (context) => {
  const app = createApp({ log });
  context.after(() => app.close());
  const checked = { sessions: 0, messages: 0 };
  const forged = (kind: keyof typeof checked) => async () => {
    checked[kind]++;
    throw new SvcError('SIGNATURE_WRONG', { address: `0x${'1'.repeat(40)}` });
  };
  const sessions = { open: forged('sessions'), find: async () => null };
  registerSessionRoutes(app, { sessions } as never);
  registerMessageRoutes(app, { sessions, relay: { accept: forged('messages') } } as never);
  const bodies = {
    sessions: {
      wallet: `0x${'1'.repeat(40)}`,
      gateway: 'http://127.0.0.1',
      nonce: `0x${'12'.repeat(32)}`,
      validUntil: 2_000_000_000,
      signature: `0x${'12'.repeat(65)}`,
    },
    messages: {},
  };
  const flood = async (kind: keyof typeof checked, networks: number, each: number) => {
    const before = checked[kind];
    for (let turn = 0; turn < each; turn++)
      for (let network = 0; network < networks; network++)
        await app.inject({
          method: 'POST',
          url: `/v1/${kind}`,
          remoteAddress: `2001:db8:${(16 * each).toString(16)}:${network.toString(16)}::1`,
          payload: bodies[kind],
        });
    return checked[kind] - before;
  };
  // A few loud networks leave room for quiet ones; many quiet ones are held at twice as many.
  assert.equal(await flood('sessions', 4, 130), 300);
  assert.equal(await flood('sessions', 1_000, 1), 300);
  assert.equal(await flood('messages', 4, 900), 3_000);
  assert.equal(await flood('messages', 4_000, 1), 3_000);
});
