// Proves that one client which holds every place for streams does not keep others out, and that faults are logged.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { SvcError } from '@svc/sdk/domain';
import { createApp } from './app.ts';
import { createEventStreams } from './eventStream.ts';
import type { AppLog } from './requestLog.ts';

const log: AppLog = { level: 'error', debug: () => undefined, info: () => undefined, error: () => undefined };

test('where all places are taken, the client with most streams gives one to others, and nobody else does', async (context) => {
  const app = createApp({ log, trustedProxies: ['127.0.0.1'] });
  const streams = createEventStreams<string>(app, log, 4);
  app.get('/events', { config: { isStream: true } }, async (request, reply) => {
    streams.requireRoom(request.ip);
    const load = async (position: number) => ({ text: '', position, isMore: false });
    streams.open(reply, request.ip, { position: 0, load, follow: () => () => undefined });
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  context.after(() => app.close());
  const open = async (client: string): Promise<IncomingMessage> => {
    const [response] = await once(
      get(`${url}/events`, { headers: { 'x-forwarded-for': client } }),
      'response',
    );
    return (response as IncomingMessage).on('error', () => undefined).resume();
  };
  const statusOf = async (client: string) => (await open(client)).statusCode;
  const [flooder, first, second, third] = ['203.0.113.1', '198.51.100.1', '198.51.100.2', '198.51.100.3'];
  const held: IncomingMessage[] = [];
  for (let at = 0; at < 4; at++) held.push(await open(flooder));
  const ended = new Promise((resolve) => held[0]?.once('close', resolve));
  assert.equal(await statusOf(flooder), 503, 'it has all of them already');
  assert.equal(await statusOf(first), 200);
  await ended;
  assert.equal(await statusOf(second), 200);
  assert.deepEqual([streams.countOf(flooder), streams.countOf(first), streams.count()], [2, 1, 4]);
  assert.equal(await statusOf(third), 200);
  assert.equal(await statusOf('198.51.100.4'), 503, 'nobody has more than another would get');
  assert.equal(streams.count(), 4);
});

test('a stream that fails by our fault says so in the log, and one without a database does not', async (context) => {
  const logged: object[] = [];
  const noting: AppLog = { ...log, error: (fields) => void logged.push(fields) };
  const app = createApp({ log });
  const streams = createEventStreams<string>(app, noting);
  app.get('/events/:code', { config: { isStream: true } }, async (request, reply) => {
    const { code } = request.params as { readonly code: string };
    const load = () =>
      Promise.reject(code === 'ours' ? new TypeError('a mistake') : new SvcError('STORE_UNREACHABLE', {}));
    streams.open(reply, request.ip, { position: 0, load, follow: () => () => undefined });
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  context.after(() => app.close());
  for (const code of ['away', 'ours'])
    await assert.rejects(fetch(`${url}/events/${code}`).then((response) => response.text()));
  assert.deepEqual(
    logged.map((fields) => String((fields as { readonly error: unknown }).error)),
    ['TypeError: a mistake'],
  );
});
