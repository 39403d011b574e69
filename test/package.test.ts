// Proves that the three packages can be published: packed, installed into an empty folder and used there.
//
// SVC_PACKAGE_NODE   another Node to run the installed packages with, for example 22.20
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { build } from 'esbuild';
import { publint } from 'publint';
import { createPublicClient, type Hex, http } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { buildTaskDocument } from '#sdk/documents/buildDocument.ts';
import { stagePackage } from '../scripts/stagePackage.ts';
import { readHovers } from './package/hover.ts';
import { createCast, enter } from './support/cast.ts';
import { readLines } from './support/lines.ts';
import { postTask } from './support/posting.ts';
import { createFolder } from './support/svc.ts';
import { until } from './support/until.ts';

const root = join(import.meta.dirname, '..');
const node = process.env.SVC_PACKAGE_NODE ?? process.execPath;
const folder = createFolder({ after });
const modules = join(folder, 'node_modules');
const programs = ['poster', 'reader', 'worker'].map((name) => `programs/${name}.ts`);
const svc = join(modules, 'svc/bin/svc.mjs');
/** Without the condition that leads to the sources, and with files below `folder` only. */
const environment = {
  PATH: process.env.PATH ?? '',
  SVC_DATA_DIR: join(folder, 'data'),
  SVC_SITE_PORT: '0',
  SVC_GATEWAY_PORT: '0',
};
const run = (file: string, args: readonly string[], cwd = folder) =>
  promisify(execFile)(file, args, { cwd, env: environment, encoding: 'utf8', maxBuffer: 1e8 });

before(async () => {
  const script = ['--conditions=@svc/source', 'scripts/build.ts', '--keep-pages'];
  await promisify(execFile)(process.execPath, script, { cwd: root });
  for (const unpacked of await pack('contracts', 'sdk', 'service')) install(unpacked);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  cpSync(join(import.meta.dirname, 'package/claim.ts'), join(folder, 'claim.ts'));
  cpSync(join(import.meta.dirname, 'programs'), join(folder, 'programs'), { recursive: true });
  writeFileSync(join(folder, 'entries.ts'), listEntries());
  await compile('nodenext');
});

/** Returns the folders with what is published of these workspaces. */
async function pack(...workspaces: string[]): Promise<string[]> {
  const staged = workspaces.map((name) => stagePackage(name, folder));
  // It prints the names of the files in the order of the folders.
  const { stdout } = await run('npm', ['pack', '--silent', ...staged]);
  for (const path of staged) rmSync(path, { recursive: true });
  const tarballs = stdout.trim().split('\n');
  assert.equal(tarballs.length, workspaces.length, stdout);
  return Promise.all(
    tarballs.map(async (tarball, at) => {
      const unpacked = join(folder, workspaces[at] as string);
      mkdirSync(unpacked);
      await run('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1']);
      rmSync(join(folder, tarball));
      return unpacked;
    }),
  );
}

/** As npm does, but without a network: the dependencies that the manifest names are those of the repository. */
function install(unpacked: string): void {
  const { name, dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(unpacked, 'package.json'), 'utf8'),
  );
  const target = join(modules, name);
  mkdirSync(dirname(target), { recursive: true });
  cpSync(unpacked, target, { recursive: true });
  rmSync(unpacked, { recursive: true });
  for (const dependency of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const link = join(modules, dependency);
    mkdirSync(dirname(link), { recursive: true });
    if (!existsSync(link)) symlinkSync(join(root, 'node_modules', dependency), link, 'junction');
  }
}

test('the SDK installs from its file alone, and reads a market', async (context) => {
  const alone = join(folder, 'alone');
  mkdirSync(alone);
  context.after(() => rmSync(alone, { recursive: true }));
  const target = join(alone, 'node_modules/@svc/sdk');
  mkdirSync(dirname(target), { recursive: true });
  cpSync(join(modules, '@svc/sdk'), target, { recursive: true });
  const { dependencies, bundleDependencies } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8'));
  assert.deepEqual(bundleDependencies, ['@svc/contracts']);
  const fromRegistry = Object.keys(dependencies).filter((name) => !bundleDependencies.includes(name));
  // Those that anyone can install; nothing of ours.
  assert.deepEqual(fromRegistry, ['canonicalize', 'viem', 'zod']);
  for (const name of fromRegistry)
    symlinkSync(join(root, 'node_modules', name), join(alone, 'node_modules', name), 'junction');
  writeFileSync(join(alone, 'package.json'), '{ "type": "module" }');
  const { exports } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8'));
  const entries = Object.keys(exports).filter((entry) => !/\*|json$/.test(entry));
  writeFileSync(
    join(alone, 'example.js'),
    `import { createServer } from 'node:http';
    ${entries.map((entry) => `import '@svc/sdk${entry.slice(1)}';`).join('\n')}
    import { createMarketClient } from '@svc/sdk';
    import { createActions } from '@svc/sdk/actions';
    const server = createServer((_, reply) => reply.setHeader('content-type', 'application/json').end('{"error":"Task not found.","code":"TASK_NOT_FOUND"}'));
    server.listen(0, '127.0.0.1', async () => {
      const { port } = server.address();
      const market = createMarketClient({ baseUrl: 'http://127.0.0.1:' + port });
      console.log(Object.keys(createActions(market)).length, typeof market.open);
      server.close();
    });`,
  );
  const { stdout } = await run(node, ['example.js'], alone);
  assert.match(stdout, /^[0-9]{2} function\n$/);
});

test('publint finds nothing in the packages', async () => {
  for (const name of ['@svc/contracts', '@svc/sdk', 'svc']) {
    // As it was unpacked: all of it is published.
    const { messages } = await publint({ pkgDir: join(modules, name), pack: false, strict: true });
    assert.deepEqual(
      messages.filter(({ type }) => type !== 'suggestion'),
      [],
      name,
    );
  }
});

test('an installed svc depends on the code of signatures and the engine of the embedded chain alone, brings skills, and helps without loading a chain', async () => {
  const manifest = JSON.parse(readFileSync(join(modules, 'svc/package.json'), 'utf8'));
  assert.equal(manifest.private, undefined);
  assert.deepEqual(Object.keys(manifest.dependencies), ['tiny-secp256k1']);
  assert.deepEqual(Object.keys(manifest.optionalDependencies), ['@nomicfoundation/edr']);
  const notices = readFileSync(join(modules, 'svc/dist/third-party-licences.txt'), 'utf8');
  for (const name of ['fastify', 'viem', 'zod', 'pg', 'pino'])
    assert.match(notices, new RegExp(`^${name} `, 'm'));
  for (const role of ['poster', 'worker', 'arbitrator']) {
    const skill = readFileSync(join(modules, `svc/dist/skills/svc-${role}/SKILL.md`), 'utf8');
    assert.match(skill, new RegExp(`^---\nname: svc-${role}`));
  }
  const { version } = JSON.parse(readFileSync(join(root, 'service/package.json'), 'utf8'));
  assert.equal((await run(node, [svc, '--version'])).stdout, `${version}\n`);
  assert.match((await run(node, [svc, 'prepare', '--help'])).stdout, /claim-task/);
});

test('an installed svc serves its tools to an agent', async () => {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StdioClientTransport({
    command: node,
    args: [svc, 'mcp'],
    env: { ...environment, SVC_SITE_URL: 'http://127.0.0.1:9' },
    stderr: 'ignore',
  });
  await client.connect(transport);
  const { tools } = await client.listTools();
  await client.close();
  assert.ok(tools.some(({ name }) => name === 'svc_prepare'));
});

test('an installed svc starts a market, whose files may go, and a program over the installed SDK prepares a claim', async (context) => {
  const { child, report } = await startMarket(context);
  assert.equal((await fetch(`${report.siteUrl}/health`)).status, 200);
  const page = await fetch(`${report.gatewayUrl}/market.html`);
  assert.match(await page.text(), /<title>/);

  const cast = await createCast(report.rpcUrl, 'micro');
  await enter(cast);
  const { uri } = buildTaskDocument({
    title: 'Name a bird',
    description: '',
    criteria: 'One name.',
    tags: [],
  });
  const id = await postTask(cast, { uri });
  const isShown = async (url: string) => {
    const reply = await fetch(`${url}/api/market/task?id=${id}`);
    return ((await reply.json()) as { task?: { title?: string } }).task?.title !== undefined;
  };
  await until(async () => (await isShown(report.siteUrl)) && isShown(report.gatewayUrl));
  writeFileSync(
    join(folder, 'run.js'),
    `import { prepareClaim } from './claim.js';
    const prepared = await prepareClaim(...process.argv.slice(2));
    console.log(JSON.stringify(prepared, (_, value) => (typeof value === 'bigint' ? String(value) : value)));
    process.exit();`,
  );
  const { stdout } = await run(node, ['run.js', report.siteUrl, report.rpcUrl, cast.worker.address]);
  const prepared = JSON.parse(stdout);
  assert.equal(prepared.action, 'claim-task');
  assert.ok(prepared.calls.length > 0);

  // As in an upgrade: what runs answers everything without its files, and ends when it is told to.
  renameSync(join(modules, 'svc'), join(modules, 'svc.previous'));
  context.after(() => renameSync(join(modules, 'svc.previous'), join(modules, 'svc')));
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const toTools = { method: 'POST', headers, body: JSON.stringify(call) };
  for (const path of [
    '/llms.txt',
    '/.well-known/mcp.json',
    '/server.json',
    '/docs/api',
    '/preview.png',
    '/mcp',
  ])
    for (const url of path === '/mcp' ? [report.gatewayUrl] : [report.siteUrl, report.gatewayUrl])
      assert.equal((await fetch(url + path, path === '/mcp' ? toTools : {})).status, 200, url + path);
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

test('three programs over the packages trade with each other: a poster, two workers and a reader', async (context) => {
  const { report } = await startMarket(context);
  const keys = Array.from({ length: 3 }, () => generatePrivateKey());
  const chain = createPublicClient({ transport: http(report.rpcUrl) });
  for (const key of keys)
    await chain.request({ method: 'svc_fund', params: [privateKeyToAddress(key)] } as never);
  writeFileSync(
    join(folder, 'trade.js'),
    `import { post } from './programs/poster.js';
    import { watchEarnings } from './programs/reader.js';
    import { work } from './programs/worker.js';
    const [url, poster, cheap, dear, earner] = process.argv.slice(2);
    const end = new AbortController();
    const lines = [];
    const running = [work(url, cheap, '400', end.signal), work(url, dear, '600', end.signal)];
    const reading = watchEarnings(url, earner, (line) => lines.push(line), end.signal);
    const taskId = await post(url, poster, 'Count the words of two lines');
    while (!lines.some((line) => /^[1-9]/.test(line))) await new Promise((resolve) => setTimeout(resolve, 100));
    end.abort();
    await Promise.all([...running, reading]);
    console.log(JSON.stringify({ taskId, lines }));`,
  );
  const earner = privateKeyToAddress(keys[1] as Hex);
  const { stdout } = await run(node, ['trade.js', report.gatewayUrl, ...keys, earner]);
  const { taskId, lines } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  assert.equal(lines[0], '0 TOK on standard, 0 TOK on micro');
  assert.ok(lines.includes(`${taskId} is COMPLETED`), lines.join('\n'));
  assert.equal(lines.at(-1), '400 TOK on standard, 0 TOK on micro');
});

test('an editor shows what each of 60 members, fields and arguments is', async () => {
  const program = [
    `import { createMarketClient } from '@svc/sdk';`,
    `import { joinMarket } from '@svc/sdk/client';`,
    `const me = await joinMarket({ url: '', account: null as never });`,
    `const market = createMarketClient({ baseUrl: '' });`,
    ...listUses(
      'me',
      'address client actions mailbox messages do depositCollateral attach open run matching close',
    ),
    ...listUses('me.do', 'claimTask topUp submitProof acceptMilestone openDispute createTask fundTask stake'),
    ...listUses('me.matching', 'find get list proposals propose sign choose decline withdraw invite toTask'),
    ...listUses('me.mailbox', 'send read conversations conversation mark follow block token close'),
    ...listUses('me.client', 'open task concerns events'),
    ...listUses('market', 'open recent task tasks timeline concerns earnings siteConfig health events'),
    `market.open({ ${listFields('cursor limit market signal state tag q sort')} });`,
    `me.do.postTask({ ${listFields('title criteria deadline fundNowTok reviewPeriod')} });`,
  ].join('\n');
  const marks = [...program.matchAll(/\/\*\*\/(\w+)/g)];
  assert.ok(marks.length >= 60, String(marks.length));
  const file = join(folder, 'hover.ts');
  writeFileSync(file, program);
  const server = [
    process.execPath,
    join(root, 'node_modules/typescript/bin/tsc'),
    '--lsp',
    '-stdio',
  ] as const;
  const places = marks.map(({ index }) => index + '/**/'.length);
  const words = await readHovers(server, file, program, places);
  const silent = marks.filter((_, at) => !/\w+ \w+/.test(words[at] ?? '')).map(([, name]) => name);
  assert.deepEqual(silent, []);
});

const listUses = (of: string, names: string) => names.split(' ').map((name) => `${of}./**/${name};`);
const listFields = (names: string) =>
  names
    .split(' ')
    .map((name) => `/**/${name}: null as never`)
    .join(', ');

test('a server loads nothing at its first use: its parts are those of laterParts.ts, and one that serves nobody', () => {
  const chunks = join(modules, 'svc/dist/chunks');
  const names = readdirSync(chunks)
    .filter((name) => name.endsWith('.js'))
    .flatMap((name) => [
      ...readFileSync(join(chunks, name), 'utf8').matchAll(/\bimport\("\.\/(\w+)-\w+\.js"\)/g),
    ])
    .map(([, name]) => name);
  const laterParts = ['discovery', 'hostedServer'];
  assert.deepEqual(names.sort(), [...laterParts, 'demoPartners'].sort());
});

test('every entry of the packages resolves for types and at run time', async () => {
  // Bundlers resolve the same entries by the same conditions.
  if (process.env.SVC_LONG_TESTS) await compile('bundler');
  await run(node, ['entries.js']);
  readFileSync(join(modules, '@svc/contracts/src/TaskRegistry.sol'));
});

test('the same program is a small bundle for browsers, and one that only reads is much smaller', async (context) => {
  const reads = `import { createMarketClient } from '@svc/sdk'; console.log(await createMarketClient({ baseUrl: origin }).open());`;
  const [all, reading] = await Promise.all([
    bundleSize(`export * from './claim.ts';`),
    bundleSize(`declare const origin: string; ${reads}`),
  ]);
  context.diagnostic(`${all.toFixed(0)} kB gzipped, ${reading.toFixed(0)} kB for reading`);
  assert.ok(all < 250, `${all} kB`);
  assert.ok(reading < 20, `${reading} kB`);
});

/** Gzipped kB of a program in a browser. */
async function bundleSize(contents: string): Promise<number> {
  const { outputFiles } = await build({
    absWorkingDir: folder,
    stdin: { contents, resolveDir: folder, loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
  });
  return outputFiles.reduce((sum, { contents: bytes }) => sum + gzipSync(bytes).length, 0) / 1_000;
}

/** Of the installed svc; a seed takes longer. */
async function startMarket(context: TestContext) {
  const options = ['--json', '--port', '0', ...(process.env.SVC_LONG_TESTS ? [] : ['--no-seed'])];
  const env = { ...environment, SVC_DATA_DIR: join(folder, `data-${crypto.randomUUID()}`) };
  const child = spawn(node, [svc, 'start', ...options], { cwd: folder, env });
  context.after(() => child.kill('SIGKILL'));
  return { child, report: JSON.parse(await readLines(child)()) };
}

function listEntries(): string {
  const specifiers = ['contracts', 'sdk'].flatMap((name) => {
    const { exports } = JSON.parse(readFileSync(join(modules, '@svc', name, 'package.json'), 'utf8'));
    return (
      Object.entries<Record<string, string>>(exports)
        // The pattern of internal files is no entry.
        .filter(([entry, target]) => target.types !== undefined && !entry.includes('*'))
        .map(([entry]) => `@svc/${name}${entry.slice(1)}`)
    );
  });
  return specifiers.map((specifier, at) => `export * as entry${at} from '${specifier}';\n`).join('');
}

/** Compiles the programs of this folder as a user would, without the repository's settings. */
async function compile(resolution: 'bundler' | 'nodenext'): Promise<void> {
  const options = {
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable', 'esnext.iterator', 'esnext.disposable'],
    module: resolution === 'bundler' ? 'esnext' : resolution,
    moduleResolution: resolution,
    strict: true,
    types: [],
    // The declarations of the packages themselves are checked once.
    skipLibCheck: resolution === 'bundler',
    noEmit: resolution === 'bundler',
  };
  const config = { compilerOptions: options, files: ['claim.ts', 'entries.ts', ...programs] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  await run(process.execPath, [tsc, '--checkers', '1']).catch(({ stdout }) => assert.fail(stdout));
}
