// Proves `svc start` and `svc site` as a user runs them: as processes, with ports that may be taken, until a signal.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { formatDeployment } from '#sdk/chain/deployment.ts';
import { createDevnet, type Devnet } from '#service/devnet/devnet.ts';
import { createSqliteDatabase } from '#service/store/sqlite.ts';
import { readLines } from './support/lines.ts';
import { createFolder, startSvc } from './support/svc.ts';
import { until } from './support/until.ts';

let chain: Devnet;
let taken: Server;
let takenPort: number;
before(async () => {
  taken = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
  takenPort = (taken.address() as AddressInfo).port;
  chain = await createDevnet({ port: 0, isSeeded: false, clockOffsetSeconds: 0 });
});
after(async () => {
  taken.close();
  await chain.close();
});

test('svc start uses the next port where its own is taken, and says so', async (context) => {
  const folder = createFolder(context);
  const env = { SVC_DATA_DIR: folder, SVC_SITE_PORT: String(takenPort) };
  const { child, ended } = startSvc(['start', '--json', '--no-seed', '--port', '0'], { cwd: folder, env });
  const { siteUrl } = JSON.parse(await readLines(child)()) as { siteUrl: string };
  const port = Number(new URL(siteUrl).port);
  assert.ok(port > takenPort && port < takenPort + 100);
  await until(async () => (await fetch(`${siteUrl}/health`)).ok);
  child.kill('SIGTERM');
  const { exitCode, err } = await ended;
  assert.equal(exitCode, 0);
  assert.match(err, new RegExp(`^Port ${takenPort} is taken; the site listens on ${port} instead\\.$`, 'm'));
});

function writeSettings(folder: string, sitePort: number): Record<string, string> {
  const file = join(folder, 'deployment.json');
  writeFileSync(file, formatDeployment(chain.deployment));
  return {
    SVC_DEPLOYMENT: file,
    SVC_RPC_URL: chain.rpcUrl,
    SVC_DATA_DIR: folder,
    SVC_SITE_PORT: String(sitePort),
  };
}

test('svc site serves a deployed market until a signal, and ends with exit 0', async (context) => {
  const folder = createFolder(context);
  const gateway = 'https://gateway.example';
  const env = { ...writeSettings(folder, 0), SVC_GATEWAY_URL: gateway };
  const { child, ended } = startSvc(['site'], { cwd: folder, env });
  const [, url = ''] = /on (http\S+)/.exec(await readLines(child)()) ?? [];
  await until(async () => (await fetch(`${url}/health`)).ok);
  const config = (await (await fetch(`${url}/api/site-config`)).json()) as Record<string, unknown>;
  assert.equal(config.chainName, 'Base');
  assert.equal(config.explorerUrl, 'https://basescan.org');
  assert.notEqual(config.rpcUrl, chain.rpcUrl, 'clients get the public RPC, not ours');
  const tools = (await (await fetch(`${url}/.well-known/mcp.json`)).json()) as Record<string, unknown>;
  assert.deepEqual(tools.mcpServers, { svc: { type: 'http', url: `${gateway}/mcp` } });
  const stream = await fetch(`${url}/api/events`);
  child.kill('SIGTERM');
  assert.equal((await ended).exitCode, 0);
  await stream.text().catch(() => undefined);
});

test('svc config names the chain of the deployment file', async (context) => {
  const folder = createFolder(context);
  const env = writeSettings(folder, 0);
  writeFileSync(env.SVC_DEPLOYMENT as string, formatDeployment({ ...chain.deployment, chainId: 84_532 }));
  const { out } = await startSvc(['config'], { cwd: folder, env }).ended;
  assert.match(out, /^SVC_CHAIN_ID +84532 {2}\(default\)$/m);
});

test('svc site ends with one sentence on contracts of another edition, and writes nothing', async (context) => {
  const folder = createFolder(context);
  const env = writeSettings(folder, 0);
  const { codes } = chain.deployment.edition as NonNullable<typeof chain.deployment.edition>;
  const edition = { name: '2-00000000', codes: { ...codes, taskRegistry: `0x${'2'.repeat(64)}` as const } };
  writeFileSync(env.SVC_DEPLOYMENT as string, formatDeployment({ ...chain.deployment, edition }));
  const { exitCode, err } = await startSvc(['site'], { cwd: folder, env }).ended;
  assert.equal(exitCode, 1);
  assert.match(
    err,
    /^This build is for contracts of edition 3-\S+, and these are of edition 2-00000000: taskRegistry differ\./m,
  );
  const database = createSqliteDatabase(join(folder, 'svc.sqlite'));
  context.after(() => database.close());
  assert.deepEqual(await database.query(`SELECT name FROM sqlite_master WHERE name = 'migrations'`), []);
});
