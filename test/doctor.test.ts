// Proves that svc doctor accepts a working installation, and names each fault with what to do.
import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { accounts } from '#service/devnet/accounts.ts';
import { createDevnet, type Devnet } from '#service/devnet/devnet.ts';
import { createFolder, startSvc } from './support/svc.ts';

type Finding = Readonly<Record<'subject' | 'verdict' | 'found', string>> & { readonly mend: string | null };

let chain: Devnet;
before(async () => {
  chain = await createDevnet({ port: 0, isSeeded: false, clockOffsetSeconds: 0 });
});
after(async () => {
  await chain?.close();
});

async function examine(context: Parameters<typeof createFolder>[0], env: Record<string, string>) {
  const cwd = createFolder(context);
  const base = { SVC_RPC_URL: chain.rpcUrl, SVC_GATEWAY_PORT: '0' };
  const run = await startSvc(['doctor', '--json'], { cwd, env: { ...base, ...env } }).ended;
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
  const server = createServer((_, response) => response.end('{"jsonrpc":"2.0","id":0,"result":"0x1"}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const { exitCode, of } = await examine(context, { SVC_RPC_URL: `http://127.0.0.1:${port}` });
  assert.equal(exitCode, 1);
  assert.equal(of('rpc')?.found, 'is of chain 1');
});

test('a taken port, a damaged database and a data folder that others can read are reported, with what to do', async (context) => {
  const server = createServer((_, response) => response.end('hello'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const folder = createFolder(context);
  chmodSync(folder, 0o755);
  writeFileSync(
    join(folder, 'svc.sqlite'),
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
