// Proves `svc gateway` as a user runs it: beside a site on the same rows, with its own key, until a signal.
import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { formatDeployment } from '#sdk/chain/deployment.ts';
import { createDevnet, type Devnet } from '#service/devnet/devnet.ts';
import { readLines } from './support/lines.ts';
import { createFolder, startSvc } from './support/svc.ts';
import { until } from './support/until.ts';

let chain: Devnet;
before(async () => {
  chain = await createDevnet({ port: 0, isSeeded: false, clockOffsetSeconds: 0 });
});
after(async () => {
  await chain.close();
});

function writeSettings(folder: string): Record<string, string> {
  const file = join(folder, 'deployment.json');
  writeFileSync(file, formatDeployment(chain.deployment));
  return { SVC_DEPLOYMENT: file, SVC_RPC_URL: chain.rpcUrl, SVC_DATA_DIR: folder };
}

async function start(command: string, folder: string, more: Record<string, string> = {}) {
  const { child, ended } = startSvc([command], { cwd: folder, env: { ...writeSettings(folder), ...more } });
  const [, url = ''] = /on (http\S+)/.exec(await readLines(child)()) ?? [];
  await until(async () => (await fetch(`${url}/health`)).ok);
  const stop = async () => {
    child.kill('SIGTERM');
    return (await ended).exitCode;
  };
  return { url, stop };
}

test('without a key for gas it offers no payments; its key is created once, and only its owner can read it', async (context) => {
  const folder = createFolder(context);
  const file = join(folder, 'gateway.key');
  const site = await start('site', folder);
  const gateway = await start('gateway', folder);
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
  const { exitCode, err } = await startSvc(['gateway'], { cwd: folder, env }).ended;
  assert.equal(exitCode, 1);
  assert.match(err, /needs SVC_FACILITATOR_KEY/);
  assert.equal(readFileSync(file, 'utf8'), key);
});
