// Proves that one client cannot fill the database with wallet requests, and does not stand in the way of another.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyReply } from 'fastify';
import type { RequestService } from '#requests/requestService.ts';
import { createApp } from '../app.ts';
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
