// Backs up a gateway that is in use, loses everything, and restores it: nothing that must be remembered is forgotten.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import type { Hex } from 'viem';
import { formatDeployment } from '#sdk/chain/deployment.ts';
import { createDevnet, type Devnet } from '#service/devnet/devnet.ts';
import { type Answer, get, send } from './support/asking.ts';
import { type Backup, createClusterBackup, createFolderBackup } from './support/backups.ts';
import { type Cast, createCast, enter } from './support/cast.ts';
import { readUrl } from './support/lines.ts';
import { posterKey, worker } from './support/negotiating.ts';
import { type Postgres, startPostgres } from './support/postgres.ts';
import { postTask } from './support/posting.ts';
import { buyForReal, getQuota, unseenHash } from './support/postingSite.ts';
import { createFolder, runSvc, startSvc } from './support/svc.ts';
import { until } from './support/until.ts';

const folder = createFolder({ after });
let devnet: Devnet;
let postgres: Postgres;
let cast: Cast;
before(async () => {
  [devnet, postgres] = await Promise.all([
    createDevnet({ port: 0, isSeeded: false, clockOffsetSeconds: 0 }),
    startPostgres(),
  ]);
  cast = await createCast(devnet.rpcUrl, 'standard');
  await enter(cast);
  writeFileSync(join(folder, 'deployment.json'), formatDeployment(devnet.deployment));
});
after(() => Promise.all([devnet.close(), postgres.remove()]));

test('a data folder with SQLite', async (context) => {
  const dataDir = createDataDir('sqlite');
  const env = { SVC_DATA_DIR: dataDir };
  await loseAndRestore(context, env, [createFolderBackup(dataDir, `${dataDir}-backup`)]);
});

test('a PostgreSQL, and the data folder beside it', async (context) => {
  const dataDir = createDataDir('postgres');
  const url = await postgres.createDatabase();
  const env = { SVC_DATA_DIR: dataDir, DATABASE_URL: url };
  const backups = [
    createFolderBackup(dataDir, `${dataDir}-backup`),
    createClusterBackup(postgres, url, join(folder, 'cluster')),
  ];
  await loseAndRestore(context, env, backups);
});

test('a command of the operator that finds no database says so, and makes none', async () => {
  const dataDir = createDataDir('empty');
  for (const line of ['backup restored', 'files list', 'webhook list', `messages remove ${unseenHash(2)}`]) {
    const { exitCode, err } = await runSvc(line.split(' '), { cwd: folder, env: { SVC_DATA_DIR: dataDir } });
    assert.equal(exitCode, 1, line);
    assert.match(err, /own\.sqlite cannot be used: there is none; set SVC_DATA_DIR or DATABASE_URL/);
  }
  assert.deepEqual(readdirSync(dataDir), []);
});

type Env = Readonly<Record<string, string>>;

async function loseAndRestore(context: TestContext, env: Env, backups: readonly Backup[]): Promise<void> {
  let gateway = await startGateway(context, env);
  const memory = await fill(gateway.url, env);
  const known = await look(gateway.url, env, memory);
  for (const { take } of backups) await take();
  const later = await postTask(cast);
  await until(async () => (await get(gateway.url, `/api/market/task?id=${later}`)).status === 200);

  await gateway.kill();
  for (const { destroy } of backups) await destroy();
  for (const { restore } of backups) await restore();
  const restored = await runSvc(['backup', 'restored', '--json'], { cwd: folder, env });
  assert.equal(restored.exitCode, 0, restored.err);
  assert.ok(JSON.parse(restored.out).first > 1e12);
  gateway = await startGateway(context, env);

  assert.deepEqual(await look(gateway.url, env, memory), known);
  await until(async () => (await get(gateway.url, `/api/market/task?id=${later}`)).status === 200);
  const { usedReceipt, freshReceipt, taskId, planTx } = memory;
  assert.equal((await claim(gateway.url, taskId, usedReceipt)).status, 402, 'a used receipt stays used');
  assert.equal((await claim(gateway.url, taskId, freshReceipt)).status, 200, 'the key is the same');
  const thief = { address: cast.worker.address, tier: 'basic', txHash: planTx, payWith: 'usdc' };
  assert.equal((await send(gateway.url, '/api/posting/upgrade', thief)).status, 409);
  await gateway.kill();
}

type Memory = {
  readonly taskId: string;
  readonly usedReceipt: string;
  readonly freshReceipt: string;
  readonly requestId: string;
  readonly planTx: Hex;
};

/** One of everything that has to be remembered. */
async function fill(url: string, env: Env): Promise<Memory> {
  const taskId = await postTask(cast);
  await until(async () => (await get(url, `/api/market/task?id=${taskId}`)).status === 200);
  const usedReceipt = await takeReceipt(url, taskId);
  assert.equal((await claim(url, taskId, usedReceipt)).status, 200);
  const { address } = cast.poster;
  const planTx = await buyForReal(cast, cast.poster, 'basic', 'usdc');
  const plan = { address, tier: 'basic', txHash: planTx, payWith: 'usdc' };
  await until(async () => (await send(url, '/api/posting/upgrade', plan)).status === 200);
  const told = { address, taskId: 'v2:standard:99', txHash: unseenHash(1), taskAmountTok: '1' };
  assert.equal((await send(url, '/api/posting/record', told)).body.status, 'pending');
  const asked = await send(url, '/v1/requests', {
    kind: 'signature',
    action: 'sign',
    summary: 'Sign a note',
    chainId: 8453,
    from: address,
    typedData: {
      domain: { name: 'svc' },
      types: { Note: [{ name: 'text', type: 'string' }] },
      primaryType: 'Note',
      message: { text: 'hello' },
    },
  });
  const offer = [
    'send-proposal',
    '--to',
    worker.address,
    '--total',
    '500',
    '--title',
    'As agreed',
    '--criteria',
    'All of it.',
  ];
  const sent = await runSvc(offer, {
    cwd: folder,
    env: { ...env, SVC_SITE_URL: url, SVC_RPC_URL: devnet.rpcUrl, PRIVATE_KEY: posterKey },
  });
  assert.equal(sent.exitCode, 0, sent.err);
  return {
    taskId,
    usedReceipt,
    freshReceipt: await takeReceipt(url, taskId),
    requestId: asked.body.requestId,
    planTx,
  };
}

/** What the service says of all that, apart from what belongs to the moment. */
async function look(url: string, env: Env, { taskId, requestId }: Memory): Promise<Answer['body']> {
  const inbox = await runSvc(['inbox', '--address', worker.address, '--json'], { cwd: folder, env });
  const [negotiation] = JSON.parse(inbox.out).negotiations;
  const { used: _used, remaining: _remaining, ...quota } = await getQuota(url, cast.poster.address);
  const { approvalUrl: _port, ...request } = (await get(url, `/v1/requests/${requestId}`)).body;
  assert.deepEqual([quota.pending, quota.tier], [1, 'basic']);
  assert.equal(negotiation.status, 'offered');
  return {
    quota,
    negotiation,
    task: (await get(url, `/api/market/task?id=${taskId}`)).body,
    story: (await get(url, `/api/market/timeline?id=${taskId}`)).body,
    request,
  };
}

async function takeReceipt(url: string, taskId: string): Promise<string> {
  const { status, body } = await send(url, '/v1/payment-receipt', {
    payer: cast.worker.address,
    action: 'claim',
    taskId,
  });
  assert.equal(status, 200, JSON.stringify(body));
  return body.header.value;
}

const claim = (url: string, taskId: string, receipt: string) => {
  const header = { 'X-Svc-Payment-Receipt': receipt };
  return send(url, `/v1/tasks/${taskId}/claim`, { payer: cast.worker.address }, header);
};

async function startGateway(context: TestContext, env: Env) {
  const { child, ended } = startSvc(['gateway'], {
    cwd: folder,
    env: { SVC_DEPLOYMENT: join(folder, 'deployment.json'), SVC_RPC_URL: devnet.rpcUrl, ...env },
  });
  context.after(() => child.kill('SIGKILL'));
  const url = await readUrl(child);
  await until(async () => (await get(url, '/health')).body.ready === true);
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  return { url, kill };
}

function createDataDir(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}
