// Three replicas on one PostgreSQL behind a reverse proxy, each restarted in turn under constant load: no request
// fails, nothing happens twice, and the chain is followed all the time. Two of them relay for 100 writers at once.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { formatDeployment } from '#sdk/chain/deployment.ts';
import { createMarketClient } from '#sdk/client/createMarketClient.ts';
import { createDevnet, type Devnet } from '#service/devnet/devnet.ts';
import { createPostgresDatabase } from '#service/store/postgres.ts';
import { send } from './support/asking.ts';
import { type Balancer, startBalancer } from './support/balancer.ts';
import { type Cast, createCast, enter } from './support/cast.ts';
import { findFreePort } from './support/freePort.ts';
import { type Postgres, startPostgres } from './support/postgres.ts';
import { postTask } from './support/posting.ts';
import { unseenHash } from './support/postingSite.ts';
import { type ServerProcess, startServerProcess } from './support/serverProcess.ts';
import { until } from './support/until.ts';

const replicas = 3;
const folder = mkdtempSync(join(tmpdir(), 'svc-rolling-'));
let devnet: Devnet;
let postgres: Postgres;
let databaseUrl: string;
let cast: Cast;
let taskId: string;
const running = new Map<number, ServerProcess>();

before(async () => {
  [devnet, postgres] = await Promise.all([
    createDevnet({ port: 0, isSeeded: false, clockOffsetSeconds: 0 }),
    startPostgres(),
  ]);
  databaseUrl = await postgres.createDatabase();
  writeFileSync(join(folder, 'deployment.json'), formatDeployment(devnet.deployment));
  cast = await createCast(devnet.rpcUrl, 'standard');
  await enter(cast);
  taskId = await postTask(cast);
});
after(async () => {
  await Promise.all([...running.values()].map((server) => server.kill()));
  await Promise.all([postgres.remove(), devnet.close()]);
  rmSync(folder, { recursive: true, force: true });
});

/** The gateway serves the routes of the site as well: one process is a whole replica. */
async function startReplica(port: number): Promise<ServerProcess> {
  const env = {
    DATABASE_URL: databaseUrl,
    SVC_DATA_DIR: folder,
    SVC_DEPLOYMENT: join(folder, 'deployment.json'),
    SVC_RPC_URL: devnet.rpcUrl,
    SVC_GATEWAY_PORT: String(port),
    SVC_GATEWAY_KEY: `0x${'07'.repeat(32)}`,
    // Longer than a proxy that is out of breath takes to notice.
    SVC_DRAIN_SECONDS: '4',
    SVC_WEBHOOK_PRIVATE: 'on',
  };
  const server = startServerProcess(['gateway'], { cwd: folder, env });
  running.set(port, server);
  await server.url;
  return server;
}

const urlOf = (port: number) => `http://127.0.0.1:${port}`;

/** Requests and their answers; each has a unique identity, so that a doubled effect is seen. */
function createLoad(baseUrl: string) {
  const stop = new AbortController();
  const failures: string[] = [];
  const seen = {
    reads: 0,
    checks: 0,
    records: [] as string[],
    requests: [] as string[],
    claims: [] as number[],
  };
  const expect = (what: string, status: number, ...wanted: number[]) => {
    if (!wanted.includes(status)) failures.push(`${what}: ${status}`);
  };
  const post = (path: string, body: object, headers?: Record<string, string>) =>
    send(baseUrl, path, body, headers);
  let wallets = 0;

  const turns = {
    read: async () => {
      const quota = `/api/posting/quota?address=${cast.worker.address}`;
      for (const path of ['/api/market/open', `/v1/tasks/${taskId}`, quota]) {
        expect(path, (await fetch(baseUrl + path)).status, 200);
        seen.reads++;
      }
    },
    check: async () => {
      const { status } = await post('/api/posting/check', { address: cast.worker.address });
      expect('check', status, 200);
      seen.checks++;
    },
    record: async () => {
      const address = `0x${(++wallets).toString(16).padStart(40, 'd')}`;
      const body = { address, taskId: 'v2:standard:70000', txHash: unseenHash(wallets), taskAmountTok: '1' };
      expect('record', (await post('/api/posting/record', body)).status, 200);
      seen.records.push(address);
    },
    request: async () => {
      const call = { to: cast.worker.address, value: '0x0', data: '0x' };
      const wanted = {
        action: 'fund-task',
        kind: 'calls',
        from: cast.worker.address,
        chainId: 8453,
        summary: 'Nothing',
        calls: [call],
      };
      const { status, body } = await post('/v1/requests', wanted);
      expect(`request ${JSON.stringify(body)}`, status, 201);
      seen.requests.push(body.requestId);
    },
    claim: async () => {
      const payer = cast.worker.address;
      const given = await post('/v1/payment-receipt', { payer, action: 'claim', taskId });
      expect('receipt', given.status, 200);
      if (given.status !== 200) return;
      const { name, value } = given.body.header;
      const claims = [1, 2].map(() => post(`/v1/tasks/${taskId}/claim`, { payer }, { [name]: value }));
      const statuses = (await Promise.all(claims)).map(({ status }) => status);
      for (const status of statuses) expect('claim', status, 200, 402);
      seen.claims.push(statuses.filter((status) => status === 200).length);
    },
  };
  const working = Object.entries(turns).map(async ([name, turn]) => {
    while (!stop.signal.aborted) {
      await turn().catch((error) => failures.push(`${name}: ${error.cause ?? error}`));
      // Constant and not more: servers that start need the machine as well.
      await pause(20);
    }
  });
  return {
    seen,
    failures,
    end: async () => {
      stop.abort();
      await Promise.all(working);
    },
  };
}

async function restart(balancer: Balancer, port: number): Promise<void> {
  const server = running.get(port) as ServerProcess;
  server.child.kill('SIGTERM');
  await until(() => !balancer.isIn(urlOf(port)));
  assert.equal((await server.ended).exitCode, 0);
  await startReplica(port);
  await until(() => balancer.isIn(urlOf(port)));
}

test('three replicas are restarted one after the other, and nobody who asks notices', async (context) => {
  const ports = await Promise.all(Array.from({ length: replicas }, findFreePort));
  await Promise.all(ports.map(startReplica));
  const balancer = await startBalancer(ports.map(urlOf));
  context.after(balancer.close);
  await until(() => ports.every((port) => balancer.isIn(urlOf(port))));

  const ending = new AbortController();
  const heard: string[] = [];
  const following = (async () => {
    const { events } = createMarketClient({ baseUrl: balancer.url });
    for await (const event of events({ signal: ending.signal }))
      heard.push(event.type === 'reset' ? 'reset' : event.task.id);
  })();
  await until(() => heard.length > 0);
  const load = createLoad(balancer.url);
  const posted: string[] = [];
  for (const port of ports) {
    await restart(balancer, port);
    posted.push(await postTask(cast));
  }
  await until(() => posted.every((id) => heard.includes(id)));
  await load.end();
  ending.abort();
  await following;

  const { seen, failures } = load;
  context.diagnostic(
    `${seen.reads} reads, ${seen.checks} checks, ${seen.records.length} records, ${seen.requests.length} requests, ${seen.claims.length} claims`,
  );
  assert.deepEqual([...failures, ...balancer.failures], []);
  for (const part of [seen.records, seen.requests, seen.claims]) assert.ok(part.length > replicas);
  assert.ok(
    seen.claims.every((uses) => uses === 1),
    'each receipt was of use once',
  );
  assert.deepEqual(heard, ['reset', ...posted], 'the stream went on: nothing lost, nothing told twice');
  const database = createPostgresDatabase({ url: databaseUrl });
  context.after(database.close);
  const column = async (sql: string) =>
    (await database.query<{ it: string }>(sql)).map(({ it }) => it).sort();
  assert.deepEqual(await column('SELECT address AS it FROM unproven_posts'), seen.records.toSorted());
  assert.deepEqual(await column('SELECT id AS it FROM wallet_requests'), seen.requests.toSorted());
  assert.equal((await column('SELECT nonce AS it FROM used_receipts')).length, seen.claims.length);
});

test('Ctrl-C does not wait for proxies, and a second signal waits for nothing', async () => {
  const [first, second] = [...running.values()].filter(({ child }) => child.exitCode === null);
  first?.child.kill('SIGINT');
  assert.equal((await first?.ended)?.exitCode, 0);
  second?.child.kill('SIGTERM');
  await until(async () => (await fetch(`${await second?.url}/health`)).status === 503);
  second?.child.kill('SIGTERM');
  assert.equal((await second?.ended)?.exitCode, 1);
});
