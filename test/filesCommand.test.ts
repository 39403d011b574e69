// `svc files` as users and operators run it, beside a gateway in another process. An upload that ends in the middle:
// store/files.test.ts.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { formatDeployment } from '#sdk/chain/deployment.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { createDevnet, type Devnet } from '#service/devnet/devnet.ts';
import { createCast, enter } from './support/cast.ts';
import { type ServerProcess, startServerProcess } from './support/serverProcess.ts';
import { createFolder, runSvc, startSvc } from './support/svc.ts';
import { until } from './support/until.ts';

let chain: Devnet;
before(async () => {
  chain = await createDevnet({ port: 0, isSeeded: false, clockOffsetSeconds: 0 });
  await enter(await createCast(chain.rpcUrl, 'standard'));
});
after(() => chain.close());

const owner = accountOf('newcomer');
const hashOf = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex');

async function startGatewayProcess(folder: string) {
  const file = join(folder, 'deployment.json');
  writeFileSync(file, formatDeployment(chain.deployment));
  const env = {
    SVC_DEPLOYMENT: file,
    SVC_RPC_URL: chain.rpcUrl,
    SVC_DATA_DIR: folder,
    SVC_GATEWAY_PORT: '0',
  };
  const gateway: ServerProcess = startServerProcess(['gateway'], { cwd: folder, env });
  const url = await gateway.url;
  // A deposit counts once its event is read.
  await until(async () => {
    const health = (await (await fetch(`${url}/health`)).json()) as { ready?: boolean };
    return health.ready === true;
  });
  const settings = { ...env, SVC_GATEWAY_URL: url, SVC_SITE_URL: url, PRIVATE_KEY: owner.privateKey };
  const place = { cwd: folder, env: settings };
  const files = (...args: string[]) => runSvc(['files', ...args], place);
  /** As a process, whose output is the file. */
  const print = (...args: string[]) => startSvc(['files', 'get', ...args, '--out', '-'], place).ended;
  return { gateway, url, files, print };
}

test('a file is put, read back and checked; sealed it says nothing without its key; the operator takes it down', async (context) => {
  const folder = createFolder(context);
  const { gateway, url, files, print } = await startGatewayProcess(folder);
  writeFileSync(join(folder, 'report.md'), '# All done');
  const put = await files('put', 'report.md', '--json');
  assert.equal(put.exitCode, 0, put.err);
  const sha256 = hashOf('# All done');
  assert.deepEqual(JSON.parse(put.out).artifact, {
    name: 'report.md',
    mediaType: 'text/markdown',
    bytes: 10,
    sha256,
    uri: `${url}/v1/files/${sha256}`,
  });
  assert.equal((await print(sha256)).out, '# All done');
  const over = await files('get', sha256, '--out', 'report.md');
  assert.match(over.err, /EEXIST/, 'no file is replaced');

  const sealed = JSON.parse((await files('put', 'report.md', '--seal', '--json')).out);
  const stored = sealed.artifact.sealed.sha256;
  const opened = ['--key', sealed.keys[stored], '--plain', sha256];
  assert.equal((await print(stored, ...opened)).out, '# All done');
  const { files: listed } = JSON.parse((await files('list', '--json')).out);
  assert.deepEqual(
    listed.map(({ sha256: hash, wallets }: { sha256: string; wallets: string[] }) => [hash, wallets]),
    [sha256, stored].sort().map((hash) => [hash, [owner.address.toLowerCase()]]),
  );
  assert.equal((await files('remove', sha256, '--reason', 'a court order')).exitCode, 0);
  assert.match((await print(sha256)).err, /does not serve this/);
  assert.equal((await files('restore', sha256)).exitCode, 0);
  assert.equal((await fetch(`${url}/v1/files/${sha256}`)).status, 200);
  assert.equal((await files('remove', sha256, '--reason', 'a court order', '--erase')).exitCode, 0);
  assert.ok(!existsSync(join(folder, 'files', sha256.slice(0, 2), sha256)));
  await gateway.kill('SIGTERM');
});
