// Proves `svc start`, `svc site`, `svc gateway` and `svc doctor` as a user runs them: as processes, with ports that may be taken,
// until a signal. The doctor accepts a working installation, and names each fault with what to do.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { formatDeployment } from '#sdk/chain/deployment.ts';
import { accounts } from '#service/devnet/accounts.ts';
import { createDevnet, type Devnet } from '#service/devnet/devnet.ts';
import { createSqliteDatabase } from '#service/store/sqlite.ts';
import { readLines, readUrl } from './support/lines.ts';
import * as http from './support/listen.ts';
import { createFolder, runSvc, startSvc } from './support/svc.ts';
import { until } from './support/until.ts';

/** Less than the 20 s after which a service manager, or svc itself, would end what does not end by itself. */
const endsWithinMs = 8_000;

let chain: Devnet;
before(async () => {
  chain = await createDevnet({ port: 0, isSeeded: false, clockOffsetSeconds: 0 });
});
after(() => chain?.close());

/** The port of a server that answers whatever it is asked with this. */
async function serveText(context: TestContext, text: string): Promise<number> {
  const { url, close } = await http.serve((_, response) => response.end(text));
  context.after(close);
  return Number(new URL(url).port);
}

test('svc start prints what another terminal exports, with the ports that it has got', async (context) => {
  const folder = createFolder(context);
  const env = { SVC_DATA_DIR: folder, SVC_SITE_PORT: '0', SVC_GATEWAY_PORT: '0' };
  const { child, ended } = startSvc(['start', '--no-seed', '--port', '0'], { cwd: folder, env });
  context.after(() => child.kill('SIGKILL'));
  const nextLine = readLines(child);
  const lines: string[] = [];
  while (!lines.at(-1)?.startsWith('Press Ctrl-C')) lines.push(await nextLine());
  const given = Object.fromEntries(
    lines.flatMap((line) => {
      const [, name, value] = /^ +export (\w+)=(\S+)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, value]];
    }),
  ) as Record<string, string>;
  assert.deepEqual(Object.keys(given), ['SVC_SITE_URL', 'SVC_GATEWAY_URL', 'SVC_RPC_URL']);
  const from = accounts.find(({ name }) => name === 'newcomer')?.address ?? '';
  const { out, err } = await runSvc(['prepare', 'top-up', '--from', from], { cwd: folder, env: given });
  assert.match(err, /Approve it at/);
  const { approvalUrl, status } = JSON.parse(out);
  assert.deepEqual([new URL(approvalUrl).origin, status], [given.SVC_GATEWAY_URL, 'pending']);
  child.kill('SIGTERM');
  await ended;
});

test('svc start uses the next port where its own is taken, and says so', async (context) => {
  const takenPort = await serveText(context, 'hello');
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

function writeSettings(folder: string, deployment = chain.deployment): Record<string, string> {
  const file = join(folder, 'deployment.json');
  writeFileSync(file, formatDeployment(deployment));
  return { SVC_DEPLOYMENT: file, SVC_RPC_URL: chain.rpcUrl, SVC_DATA_DIR: folder };
}

async function serve(command: string, folder: string, more: Record<string, string> = {}) {
  const { child, ended } = startSvc([command], { cwd: folder, env: { ...writeSettings(folder), ...more } });
  const url = await readUrl(child);
  await until(async () => (await fetch(`${url}/health`)).ok);
  const stop = async () => {
    child.kill('SIGTERM');
    return (await ended).exitCode;
  };
  return { url, stop };
}

test('svc site serves a deployed market until a signal, and ends with exit 0', async (context) => {
  const gateway = 'https://gateway.example';
  const settings = { SVC_GATEWAY_URL: gateway, SVC_ABUSE_CONTACT: 'abuse@market.example' };
  const { url, stop } = await serve('site', createFolder(context), settings);
  const config = (await (await fetch(`${url}/api/site-config`)).json()) as Record<string, unknown>;
  assert.equal(config.chainName, 'Base');
  assert.equal(config.explorerUrl, 'https://basescan.org');
  assert.notEqual(config.rpcUrl, chain.rpcUrl, 'clients get the public RPC, not ours');
  const tools = (await (await fetch(`${url}/.well-known/mcp.json`)).json()) as Record<string, unknown>;
  assert.deepEqual(tools.mcpServers, { svc: { type: 'http', url: `${gateway}/mcp` } });
  const pages = (await (await fetch(`${url}/pages.json`)).json()) as Record<string, unknown>;
  assert.equal(pages.abuseContact, settings.SVC_ABUSE_CONTACT);
  const stream = await fetch(`${url}/api/events`);
  assert.equal(await stop(), 0);
  await stream.text().catch(() => undefined);
});

test('svc config names the chain of the deployment file', async (context) => {
  const folder = createFolder(context);
  const env = writeSettings(folder, { ...chain.deployment, chainId: 84_532 });
  const { out } = await runSvc(['config'], { cwd: folder, env });
  assert.match(out, /^SVC_CHAIN_ID +84532 {2}\(default\)$/m);
});

test('svc site ends with one sentence on contracts of another edition, and writes nothing', async (context) => {
  const folder = createFolder(context);
  const { codes } = chain.deployment.edition;
  const edition = { name: '2-00000000', codes: { ...codes, taskRegistry: `0x${'2'.repeat(64)}` as const } };
  const env = writeSettings(folder, { ...chain.deployment, edition });
  const { exitCode, err } = await runSvc(['site'], { cwd: folder, env });
  assert.equal(exitCode, 1);
  assert.match(
    err,
    /^This build is for contracts of edition 3-\S+, and these are of edition 2-00000000: taskRegistry differ\./m,
  );
  const database = createSqliteDatabase(folder);
  context.after(() => database.close());
  assert.deepEqual(await database.query(`SELECT name FROM sqlite_master WHERE name = 'migrations'`), []);
});

test('without a key for gas it offers no payments; its key is created once, and only its owner can read it', async (context) => {
  const folder = createFolder(context);
  const file = join(folder, 'gateway.key');
  const site = await serve('site', folder);
  const gateway = await serve('gateway', folder);
  const read = async (url: string) => (await fetch(`${url}/api/market/recent`)).text();
  assert.equal(await read(gateway.url), await read(site.url), 'the same rows, the same replies');
  const response = await fetch(`${gateway.url}/v1/tasks/1/claim`, { method: 'POST' });
  assert.equal(response.status, 402);
  assert.deepEqual(((await response.json()) as { accepts: unknown[] }).accepts, []);
  assert.deepEqual(await Promise.all([site.stop(), gateway.stop()]), [0, 0]);
  const key = readFileSync(file, 'utf8');
  assert.match(key, /^0x[0-9a-f]{64}\n$/);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const env = { ...writeSettings(folder), SVC_FACILITATOR: 'local' };
  const { exitCode, err } = await runSvc(['gateway'], { cwd: folder, env });
  assert.equal(exitCode, 1);
  assert.match(err, /needs SVC_FACILITATOR_KEY/);
  assert.equal(readFileSync(file, 'utf8'), key);
});

type Finding = Readonly<Record<'subject' | 'verdict' | 'found', string>> & { readonly mend: string | null };

async function examine(context: TestContext, env: Record<string, string>) {
  const cwd = createFolder(context);
  const base = { SVC_RPC_URL: chain.rpcUrl, SVC_GATEWAY_PORT: '0' };
  const run = await runSvc(['doctor', '--json'], { cwd, env: { ...base, ...env } });
  const findings = JSON.parse(run.out) as Finding[];
  return {
    exitCode: run.exitCode,
    of: (subject: string) => findings.find((one) => one.subject.startsWith(subject)),
  };
}

test('a working installation has no faults', async (context) => {
  const [wallet, keeper, facilitator] = accounts;
  const { exitCode, of } = await examine(context, {
    PRIVATE_KEY: wallet?.privateKey ?? '',
    SVC_KEEPER_KEY: keeper?.privateKey ?? '',
    SVC_FACILITATOR_KEY: facilitator?.privateKey ?? '',
  });
  assert.equal(exitCode, 0);
  for (const subject of [
    'node',
    'data folder',
    'site port',
    'database',
    'rpc',
    'clock',
    'logs',
    'contracts',
    'PRIVATE_KEY',
    'SVC_KEEPER_KEY',
    'SVC_FACILITATOR_KEY',
  ])
    assert.equal(of(subject)?.verdict, 'ok', `${subject}: ${of(subject)?.found}`);
});

test('an unreachable chain or PostgreSQL, a missing deployment and an impossible folder are reported, without secrets', async (context) => {
  const { exitCode, of } = await examine(context, {
    SVC_RPC_URL: 'http://127.0.0.1:9/secret-key',
    SVC_DEPLOYMENT: '/nowhere/8453.json',
    DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:9/svc',
    SVC_DATA_DIR: '/dev/null/svc',
  });
  assert.equal(exitCode, 1);
  assert.equal(of('rpc 127.0.0.1:9')?.verdict, 'fail');
  assert.match(of('rpc')?.mend ?? '', /npm start/);
  assert.equal(of('contracts')?.found, '/nowhere/8453.json cannot be used: there is no such file.');
  assert.match(of('contracts')?.mend ?? '', /SVC_DEPLOYMENT/);
  assert.match(of('database')?.found ?? '', /ECONNREFUSED/);
  assert.match(of('data folder')?.found ?? '', /ENOTDIR/);
  for (const subject of ['rpc', 'database'])
    assert.doesNotMatch(JSON.stringify(of(subject)), /secret-key|hunter2/);
});

test('another chain is named by its id', async (context) => {
  const port = await serveText(context, '{"jsonrpc":"2.0","id":0,"result":"0x1"}');
  const { exitCode, of } = await examine(context, { SVC_RPC_URL: `http://127.0.0.1:${port}` });
  assert.equal(exitCode, 1);
  assert.equal(of('rpc')?.found, 'is of chain 1');
});

test('a taken port, a damaged database and a data folder that others can read are reported, with what to do', async (context) => {
  const port = await serveText(context, 'hello');
  const folder = createFolder(context);
  chmodSync(folder, 0o755);
  writeFileSync(
    join(folder, 'own.sqlite'),
    'this is no database, and long enough to be read as one. '.repeat(90),
  );
  const { exitCode, of } = await examine(context, {
    SVC_SITE_PORT: String(port),
    SVC_DATA_DIR: folder,
    SVC_KEEPER_KEY: `0x${'5e'.repeat(32)}`,
  });
  assert.equal(exitCode, 1);
  assert.match(of('site port')?.found ?? '', /another program/);
  assert.match(of('site port')?.mend ?? '', /SVC_SITE_PORT/);
  assert.equal(of('database')?.verdict, 'fail');
  assert.equal(of('data folder')?.mend, `Close it: chmod 700 ${folder}`);
  assert.equal(of('SVC_KEEPER_KEY')?.verdict, 'warn');
  assert.match(of('SVC_KEEPER_KEY')?.found ?? '', /^0x[0-9a-fA-F]{40} has no ETH$/);
  assert.equal(of('PRIVATE_KEY'), undefined);
});

test('SIGTERM ends every start that waits for a database or a chain that says nothing', async (context) => {
  let waiting = 0;
  const mute = createServer((socket) => {
    waiting++;
    socket.on('error', () => undefined).resume();
  });
  context.after(() => mute.close());
  await once(mute.listen(0, '127.0.0.1'), 'listening');
  const { port } = mute.address() as AddressInfo;
  const DATABASE_URL = `postgres://svc@127.0.0.1:${port}/svc`;
  const SVC_RPC_URL = `http://127.0.0.1:${port}`;
  const SVC_KEEPER_KEY = `0x${'5e'.repeat(32)}`;
  for (const [command, env] of [
    [['site'], { DATABASE_URL }],
    [['site'], { SVC_RPC_URL }],
    [['gateway'], { DATABASE_URL }],
    [['start', '--no-seed', '--port', '0'], { DATABASE_URL, SVC_DEPLOYMENT: '' }],
    [['keeper'], { SVC_RPC_URL, SVC_KEEPER_KEY }],
  ] as const) {
    const folder = createFolder(context);
    const before = waiting;
    const { child, ended } = startSvc(command, { cwd: folder, env: { ...writeSettings(folder), ...env } });
    context.after(() => child.kill('SIGKILL'));
    await until(() => waiting > before);
    child.kill('SIGTERM');
    const isOver = ended.then(() => true);
    const what = `${command[0]} ${Object.keys(env).join()}`;
    assert.ok(await Promise.race([isOver, pause(endsWithinMs, false)]), `${what} goes on`);
    assert.notEqual((await ended).exitCode, 1, `${what}: ${(await ended).err}`);
  }
});
