// Proves what the application does with bodies, mistakes of ours and paths with parameters, and what it counts, whatever routes
// it has.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { ErrorCode } from '@svc/sdk/domain';
import { errorMessages } from '@svc/sdk/internal/domain/errors';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { OperatorError } from '../errors/operatorError.ts';
import { createApp, registerGet } from './app.ts';
import { buildBody, jsonType, sendBody } from './body.ts';
import { createBodyCache } from './bodyCache.ts';
import { createMetrics } from './metrics.ts';
import { createReads } from './reads.ts';
import { type AppLog, currentRequestId } from './requestLog.ts';

const logged: object[] = [];
const log: AppLog = {
  level: 'info',
  debug: () => undefined,
  info: () => undefined,
  error: (fields) => logged.push(fields),
};

let app: FastifyInstance;
let url: string;
before(async () => {
  app = createApp({ log });
  app.post('/echo', async (request) => ({ got: request.body }));
  app.post('/named', async () => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    return { requestId: currentRequestId() };
  });
  app.get('/broken', async () => {
    throw new Error('SELECT secret FROM /home/somebody/rows.sqlite');
  });
  app.get('/unsaid', async () => {
    throw new OperatorError('KEY_MISSING', {});
  });
  app.get('/things/:id', async () => ({}));
  app.delete('/things/:id', async () => ({}));
  url = await app.listen({ port: 0, host: '127.0.0.1' });
});
after(() => app.close());

function post(body: string, contentType: string): Promise<Response> {
  return fetch(`${url}/echo`, { method: 'POST', body, headers: { 'content-type': contentType } });
}

async function assertRefused(
  response: Response,
  status: number,
  code: ErrorCode,
  error?: string,
): Promise<void> {
  assert.equal(response.status, status);
  assert.deepEqual(await response.json(), { error: error ?? errorMessages[code], code });
}

test('work for a request knows its id, each its own, and nothing outside does', async () => {
  const ids = ['first', 'second', 'x.1:y-2_z'];
  const named = await Promise.all(
    ids.map((id) =>
      fetch(`${url}/named`, {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json', 'x-request-id': id },
      }),
    ),
  );
  const answers = await Promise.all(named.map((response) => response.json()));
  assert.deepEqual(
    answers,
    ids.map((requestId) => ({ requestId })),
  );
  // The id ends in a comment of SQL statements.
  const hostile = await fetch(`${url}/named`, { method: 'POST', headers: { 'x-request-id': '*/ DROP' } });
  assert.doesNotMatch(String(hostile.headers.get('x-request-id')), /DROP/);
  assert.equal(currentRequestId(), undefined);
});

test('a JSON body is taken up to 64 KiB and not a byte more', async () => {
  const fill = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2));
  assert.equal((await post(fill(64 * 1024), 'application/json')).status, 200);
  await assertRefused(await post(fill(64 * 1024 + 1), 'application/json'), 413, 'BODY_TOO_LARGE');
});

test('a body that is no JSON, or empty, or meant to reach the prototype, is refused', async () => {
  for (const body of [
    '{',
    '',
    'undefined',
    '{"__proto__":{"admin":true}}',
    '{"constructor":{"prototype":{}}}',
  ])
    await assertRefused(await post(body, 'application/json'), 400, 'BODY_MALFORMED');
});

test('a body of another type, or compressed, is refused', async () => {
  for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'nonsense']) {
    await assertRefused(await post('{}', type), 415, 'CONTENT_TYPE_WRONG');
  }
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const compressed = await fetch(`${url}/echo`, { method: 'POST', body: gzipSync('{}'), headers });
  await assertRefused(compressed, 415, 'BODY_ENCODED');
});

test('an answer to a POST can be read by no foreign page', async () => {
  const response = await post('{', 'application/json');
  assert.equal(response.headers.get('access-control-allow-origin'), null);
  const preflight = await fetch(`${url}/echo`, { method: 'OPTIONS' });
  assert.equal(preflight.status, 204);
  assert.equal(preflight.headers.get('allow'), 'POST, OPTIONS');
  assert.equal(preflight.headers.get('access-control-allow-origin'), null);
});

test('a mistake of ours is answered 500 with a fixed text, and logged with its cause and the request’s id', async () => {
  for (const path of ['/broken', '/unsaid']) {
    logged.length = 0;
    const response = await fetch(url + path, { headers: { 'x-request-id': 'find-me' } });
    assert.equal(response.headers.get('x-request-id'), 'find-me');
    await assertRefused(response, 500, 'INTERNAL');
    const [line] = logged as { requestId: string; path: string; error: Error }[];
    assert.equal(line?.requestId, 'find-me');
    assert.equal(line?.path, path);
    assert.ok(line?.error instanceof Error);
  }
});

test('a path with a parameter knows its methods as well', async () => {
  const response = await fetch(`${url}/things/7`, { method: 'PUT' });
  assert.equal(response.headers.get('allow'), 'GET, DELETE, OPTIONS');
  await assertRefused(response, 405, 'METHOD_NOT_ALLOWED', 'This route accepts GET, DELETE, OPTIONS.');
  await assertRefused(await fetch(`${url}/things/7/8`), 404, 'ROUTE_NOT_FOUND');
  await assertRefused(await fetch(`${url}/things/${'7'.repeat(300)}`), 400, 'REQUEST_MALFORMED');
});

test('every answer is counted once by its route and status; a client that has gone has none', async () => {
  const metrics = createMetrics();
  const counted = createApp({ log, metrics });
  const body = buildBody('{}', jsonType, {});
  registerGet(counted, '/body', (request, reply) => sendBody(request, reply, body));
  registerGet(counted, '/broken', async () => {
    throw new Error('broken');
  });
  registerGet(counted, '/slow', async (_request, reply) => {
    await once(reply.raw, 'close');
    return {};
  });
  counted.post('/echo', async () => ({}));
  registerGet(counted, '/things/:id', async () => ({}));
  const base = await counted.listen({ port: 0, host: '127.0.0.1' });
  const leaving = new AbortController();
  const left = fetch(`${base}/slow`, { signal: leaving.signal }).catch(() => leaving.signal.aborted);
  const json = { 'content-type': 'application/json' };
  const asked: [path: string, RequestInit?][] = [
    ['/body'],
    ['/body', { method: 'HEAD' }],
    ['/body', { headers: { 'if-none-match': '*' } }],
    ['/broken'],
    ['/nowhere'],
    ['/body', { method: 'DELETE' }],
    ['/body', { method: 'OPTIONS' }],
    ['/%zz'],
    [`/things/${'7'.repeat(300)}`],
    ['/echo', { method: 'POST', headers: json, body: '{' }],
    ['/echo', { method: 'POST', headers: { ...json, 'content-encoding': 'gzip' }, body: '{}' }],
  ];
  for (const [path, init] of asked) await (await fetch(base + path, init)).text();
  leaving.abort();
  assert.equal(await left, true);
  await counted.close();
  const lines = (await metrics.format()).matchAll(
    /^svc_requests_total\{route="(.*)",status="(\d+)"\} (\d+)$/gm,
  );
  assert.deepEqual([...lines].map(([, ...line]) => line.join(' ')).sort(), [
    '/body 200 2',
    '/body 304 1',
    '/broken 500 1',
    '/echo 400 1',
    '/echo 415 1',
    'unknown 204 1',
    'unknown 400 2',
    'unknown 404 1',
    'unknown 405 1',
  ]);
});

test('a reply names the block whose rows it was built from, also where the next one comes meanwhile', async (context) => {
  const shown = { head: { number: 7n, time: 100 } };
  const reads = { cache: createBodyCache(() => '1'), state: () => shown, version: () => '1', now: () => 100 };
  const own = createApp({ log, context: reads });
  context.after(() => own.close());
  const route = { path: '/rows', query: z.object({}), reply: { contentType: 'application/json' } };
  createReads(own, reads)(route, () => ({
    market: 'standard',
    load: async () => {
      shown.head = { number: 8n, time: 102 };
      return { rows: 'of block 7' };
    },
  }));
  const { headers } = await own.inject('/rows');
  assert.equal(headers['svc-block'], '7');
});
