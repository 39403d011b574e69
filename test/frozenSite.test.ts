// Two sites on one PostgreSQL behind the delivered nginx.conf, one of them frozen: the proxy must not let it hold what the other can
// answer. And the limits of the same file: a client with IPv6 is its network.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { formatDeployment } from '#sdk/chain/deployment.ts';
import { createDevnet } from '#service/devnet/devnet.ts';
import { findFreePort } from './support/freePort.ts';
import { serve } from './support/listen.ts';
import { noNginx, startNginx } from './support/nginx.ts';
import { startPostgres } from './support/postgres.ts';
import { startServerProcess } from './support/serverProcess.ts';
import { createFolder } from './support/svc.ts';
import { until } from './support/until.ts';

const isLong = process.env.SVC_LONG_TESTS !== undefined;
/** The promise is for a minute; ten seconds show the first wait and some of those after it. */
const reads = isLong ? 1_200 : 200;
const readEveryMs = 50;
const longestMs = 10_000;

if (noNginx) console.error(`\n${'!'.repeat(20)} ${noNginx}: test/frozenSite.test.ts ${'!'.repeat(20)}\n`);

test('a frozen site holds no read for more than ten seconds, and one in ten fails at most', {
  skip: noNginx,
}, async (context) => {
  const folder = createFolder(context);
  const [devnet, postgres] = await Promise.all([
    createDevnet({ port: 0, isSeeded: false, clockOffsetSeconds: 0 }),
    startPostgres(),
  ]);
  context.after(() => Promise.all([postgres.remove(), devnet.close()]));
  writeFileSync(join(folder, 'deployment.json'), formatDeployment(devnet.deployment));
  const env = {
    DATABASE_URL: await postgres.createDatabase(),
    SVC_DEPLOYMENT: join(folder, 'deployment.json'),
    SVC_RPC_URL: devnet.rpcUrl,
  };
  const start = async () => {
    const site = startServerProcess(['site'], { cwd: folder, env });
    context.after(() => site.kill());
    const url = await site.url;
    await until(async () => (await fetch(`${url}/health`)).ok);
    return { ...site, place: new URL(url).host };
  };
  const frozen = await start();
  const other = await start();
  const nobody = `127.0.0.1:${await findFreePort()}`;
  const proxy = await startNginx(context, folder, {
    sites: [frozen.place, other.place],
    gateways: [nobody, nobody],
  });
  const read = async () => {
    const startedAt = performance.now();
    const { status } = await proxy.ask('/api/market/open');
    return { status, tookMs: performance.now() - startedAt };
  };
  assert.equal((await read()).status, 200);

  // The one that follows the chain, so that the other has to take that over as well.
  frozen.child.kill('SIGSTOP');
  const asked: ReturnType<typeof read>[] = [];
  for (let number = 0; number < reads; number++) {
    asked.push(read());
    await pause(readEveryMs);
  }
  const answers = await Promise.all(asked);
  const failed = answers.filter(({ status }) => status !== 200);
  const slowestMs = Math.max(...answers.map(({ tookMs }) => tookMs));
  const waited = answers.filter(({ tookMs }) => tookMs > 1_000);
  context.diagnostic(
    `${reads} reads, ${failed.length} failed, ${waited.length} took more than a second, the slowest ${Math.round(slowestMs)} ms`,
  );
  assert.ok(failed.length <= reads / 10, `${failed.length} of ${reads} failed`);
  assert.ok(slowestMs <= longestMs, `the slowest read took ${slowestMs} ms`);
});

test('a read is given up while a claim, a chat, a payment and a stream still wait', {
  skip: noNginx,
}, async (context) => {
  const folder = createFolder(context);
  const held: ServerResponse[] = [];
  const { host, close } = await serve((incoming, response) => {
    // A frozen server accepts, and answers nothing.
    if (incoming.url !== '/v1/tasks/1') held.push(response);
  });
  context.after(close);
  const proxy = await startNginx(context, folder, { sites: [host, host], gateways: [host, host] });
  const long = [
    ['POST', '/v1/tasks/1/claim'],
    ['POST', '/mcp'],
    ['POST', '/api/role-chat'],
    ['POST', '/api/posting/upgrade'],
    ['PUT', `/v1/files/${'0'.repeat(64)}`],
    ['GET', '/v1/paid/tasks/1'],
    ['GET', '/api/events'],
    ['GET', '/v1/mailbox/events'],
  ] as const;
  const waiting = long.map(([method, path]) =>
    proxy.ask(path, { method, body: method === 'GET' ? '' : '{}' }),
  );
  await until(() => held.length === long.length);
  assert.equal((await proxy.ask('/v1/tasks/1')).status, 504);
  for (const response of held) response.end('{}');
  for (const [at, reply] of (await Promise.all(waiting)).entries())
    assert.deepEqual(reply, { status: 200, body: '{}' }, String(long[at]));
  assert.equal(held.length, long.length, 'none was sent twice');
});

test('the limits count a network of IPv6 as one client, and each address of IPv4', {
  skip: noNginx,
}, async (context) => {
  const folder = createFolder(context);
  const { host, close } = await serve((_, response) => response.end('{}'));
  context.after(close);
  const adapt = (conf: string) =>
    // A limit that is reached at once and not replenished while the test runs; the address is one that the test names.
    `set_real_ip_from 127.0.0.1;\nset_real_ip_from ::1;\nreal_ip_header X-Client;\n${conf}`
      .replace('rate=100r/s', 'rate=1r/m')
      .replace('burst=200', 'burst=2');
  const proxy = await startNginx(context, folder, { sites: [host, host], gateways: [host, host], adapt });
  const askFrom = async (client: string) =>
    (await proxy.ask('/health', { headers: { 'x-client': client } })).status;
  const network = ['2001:db8:0:1::1', '2001:db8:0:1:2::', '2001:db8::1:ffff:0:0:1', '2001:db8:0:1:a:b:c:d'];
  const statuses: number[] = [];
  for (const client of network) statuses.push(await askFrom(client));
  assert.deepEqual(statuses, [200, 200, 200, 429]);
  // Others are not held up by it, whatever bytes their network has.
  for (const client of ['2001:db8:0:2::1', '2001:db8:0:a0a::1', '2001:db8:0:a0b::1', '::2'])
    assert.equal(await askFrom(client), 200, client);
  for (const client of ['203.0.113.1', '203.0.113.2', '203.0.113.3', '203.0.113.4'])
    assert.equal(await askFrom(client), 200, client);
  // It listens there as well.
  assert.equal((await proxy.ask('/metrics', { host: '::1' })).status, 404);
});
