// Proves that one client cannot fill the database with wallet requests, nor spend our calls to the chain with receipts and forged
// payments, and does not stand in the way of another.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SvcError } from '@svc/sdk/domain';
import type { FastifyReply } from 'fastify';
import type { RequestService } from '#requests/requestService.ts';
import { createApp } from '../app.ts';
import { registerClaimRoutes } from './claim.ts';
import { registerRequestRoutes } from './requests.ts';

test('wallet requests of one client are limited, those of others are not', async (context) => {
  const log = { info: () => undefined, error: () => undefined } as never;
  const app = createApp({ log });
  context.after(() => app.close());
  let made = 0;
  const requests = {
    create: async () => ({ requestId: String(++made), approvalUrl: 'http://127.0.0.1/', status: 'pending' }),
  } as unknown as RequestService;
  registerRequestRoutes(app, {
    requests,
    writesPerMinute: 3,
    writeOnce: async (
      _request: unknown,
      reply: FastifyReply,
      work: () => Promise<{ status: number; body: object }>,
    ) => {
      const { status, body } = await work();
      return reply.status(status).send(body);
    },
    host: '127.0.0.1',
    publicUrl: () => 'http://127.0.0.1',
  } as never);
  const payload = {
    kind: 'calls',
    action: 'claim-task',
    summary: 'Claim',
    chainId: 8453,
    from: `0x${'1'.repeat(40)}`,
    calls: [{ to: `0x${'2'.repeat(40)}`, value: '0x0', data: '0x' }],
  };
  const create = async (remoteAddress: string) =>
    app.inject({
      method: 'POST',
      url: '/v1/requests',
      remoteAddress,
      payload,
      headers: { host: '127.0.0.1' },
    });
  const statuses = [];
  for (let tries = 0; tries < 5; tries++) statuses.push((await create('10.0.0.1')).statusCode);
  assert.deepEqual(statuses, [201, 201, 201, 429, 429]);
  assert.equal(made, 3);
  const { headers } = await create('10.0.0.1');
  assert.match(String(headers['retry-after']), /^[0-9]+$/);
  assert.equal((await create('10.0.0.2')).statusCode, 201);
});

test('the bytes of wallet requests are limited for a client and in all, and an honest client beside many floods is served', async (context) => {
  const app = createApp({
    log: { info: () => undefined, error: () => undefined } as never,
    trustedProxies: [],
  });
  context.after(() => app.close());
  let bytes = 0;
  registerRequestRoutes(app, {
    requests: {
      create: async (given: object) => {
        bytes += JSON.stringify(given).length;
        return { requestId: '1', approvalUrl: 'http://127.0.0.1/', status: 'pending' };
      },
    },
    writesPerMinute: 1_200,
    writeOnce: async (_request: unknown, reply: FastifyReply, work: () => Promise<{ body: object }>) =>
      reply.status(201).send((await work()).body),
    host: '127.0.0.1',
    publicUrl: () => 'http://127.0.0.1',
  } as never);
  const create = async (remoteAddress: string, size: number) =>
    (
      await app.inject({
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
      })
    ).statusCode;
  const flood = async (address: string) => {
    for (let count = 0; count < 40; count++) await create(address, 30_000);
  };
  await flood('10.0.0.1');
  assert.ok(bytes <= 2.2e6, `${bytes} of one client`);
  assert.equal(await create('10.0.0.1', 30_000), 429);
  for (let client = 2; client < 20; client++) await flood(`10.0.0.${client}`);
  assert.ok(bytes <= 24e6, `${bytes} of all`);
  assert.equal(await create('10.0.1.1', 1_000), 201);
});

test('receipts and forged payments ask the chain within a budget, and an honest wallet beside them gets its receipt', async (context) => {
  const log = { info: () => undefined, error: () => undefined } as never;
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
