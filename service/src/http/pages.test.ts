// Pages are files in memory: what was built is served by its kind, what was not is a sentence or nothing.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createApp } from './app.ts';
import { createPages, type Pages, registerPages } from './pages.ts';

const silentLog = { level: 'error', debug: () => undefined, info: () => undefined, error: () => undefined };

function serve(context: TestContext, pages: Pages) {
  const app = createApp({ log: silentLog });
  context.after(() => app.close());
  const info = async () => ({
    isGateway: false,
    gatewayUrl: null,
    tokUsdPrice: 0.005,
    abuseContact: 'abuse@market.example',
  });
  const readTaskHead = async (id: unknown) => (id === 'v2:standard:1' ? hostileHead : null);
  registerPages(app, { pages, info, readTaskHead, publicUrl: () => 'https://market.example' });
  return app;
}

/** Written by a poster who wants more than a title. */
const hostileHead = {
  title: '</title><script src="//evil.example"></script> $& $`',
  description: '"><img src=x onerror=alert(1)>',
  brief: '</p><iframe src=//evil.example></iframe>',
};

function build(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-pages-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>hub</title>');
  const market =
    '<!doctype html><meta name="description" content="general" /><title>Market · svc</title><!--task-->';
  writeFileSync(join(folder, 'market.html'), market);
  writeFileSync(join(folder, 'assets', 'hub-1a2b.js'), 'export {};');
  writeFileSync(join(folder, 'assets', 'notes.pdf'), 'not for anybody');
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'docs', 'agents.md'), '# Agents');
  writeFileSync(join(folder, 'llms-full.txt'), '# All guides');
  return folder;
}

test('before anything is built, a page says what to do, reloads and is not kept', async (context) => {
  const answer = await serve(context, createPages()).inject('/market.html');
  assert.equal(answer.statusCode, 503);
  assert.match(answer.body, /npm run web:build/);
  assert.match(answer.body, /<meta http-equiv="refresh"/);
  assert.equal(answer.headers['cache-control'], 'no-store');
});

test('what was built is served as what it is, and replaced when it is read again', async (context) => {
  const folder = build(context);
  const pages = createPages();
  const app = serve(context, pages);
  pages.load(folder);
  const page = await app.inject('/');
  assert.equal(page.statusCode, 200);
  assert.match(String(page.headers['content-security-policy']), /default-src 'none'/);
  const script = await app.inject('/assets/hub-1a2b.js');
  assert.match(String(script.headers['content-type']), /^text\/javascript/);
  assert.match(String(script.headers['cache-control']), /immutable/);
  assert.match(String((await app.inject('/docs/agents.md')).headers['content-type']), /^text\/markdown/);
  assert.equal((await app.inject('/llms-full.txt')).body, '# All guides');
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>newer</title>');
  pages.load(folder);
  assert.match((await app.inject('/')).body, /newer/);
  const outside = ['/assets/..%2f..%2fpackage.json', '/assets/%2e%2e/%2e%2e/package.json'];
  for (const path of ['/assets/notes.pdf', '/assets/none.js', '/early.js', ...outside])
    assert.equal((await app.inject(path)).statusCode, 404, path);
});

test('the page of a task names it in its head, as text; every other address keeps the general head', async (context) => {
  const pages = createPages();
  pages.load(build(context));
  const app = serve(context, pages);
  const { body, headers } = await app.inject('/market.html?task=v2:standard:1');
  assert.doesNotMatch(body, /<script|<img|<iframe|general/);
  assert.match(body, /<p dir="auto">&#60;\/p&#62;&#60;iframe/);
  assert.equal(body.match(/<title>/g)?.length, 1);
  assert.ok(body.includes('<meta property="og:title" content="&#60;/title&#62;&#60;script src='), body);
  assert.ok(body.includes('$&#38; $`'), body);
  assert.match(String(headers['content-security-policy']), /default-src 'none'/);
  const general = (await app.inject('/market.html')).body;
  for (const path of ['/market.html?task=v2:standard:2', '/market.html?task=1&task=2', '/market.html?task='])
    assert.equal((await app.inject(path)).body, general, path);
});

test('only on the embedded chain pages may ask its node and offer test money', async (context) => {
  const folder = build(context);
  for (const embeddedRpcUrl of [undefined, 'http://127.0.0.1:8545']) {
    const pages = createPages(() => ({ embeddedRpcUrl }));
    pages.load(folder);
    const app = serve(context, pages);
    assert.equal((await app.inject('/pages.json')).json().embeddedRpcUrl, embeddedRpcUrl ?? null);
    const policy = String((await app.inject('/')).headers['content-security-policy']);
    const allowed = ["connect-src 'self'", ...(embeddedRpcUrl ? [embeddedRpcUrl] : [])].join(' ');
    assert.ok(policy.includes(`; ${allowed};`), policy);
  }
});

test('pages name the chain of the market to the wallet, as text', async (context) => {
  const folder = build(context);
  writeFileSync(join(folder, 'index.html'), '<!doctype html><head><title>x</title></head>');
  const chain = { id: 1337, name: '"><script>$&', rpcUrl: 'http://rpc.example', explorerUrl: null };
  const pages = createPages(() => ({ chain }));
  pages.load(folder);
  const { body } = await serve(context, pages).inject('/');
  assert.doesNotMatch(body, /<script/);
  const [, content = ''] = body.match(/<meta name="svc-chain" content="([^"]*)" \/><\/head>/) ?? [];
  const text = content.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
  assert.deepEqual(JSON.parse(text), chain);
});

test('a link preview of a task has its words and the picture of the market; without words it has neither', async (context) => {
  const folder = build(context);
  writeFileSync(join(folder, 'preview.png'), 'a picture');
  const pages = createPages();
  const app = serve(context, pages);
  pages.load(folder);
  const page = await app.inject('/market.html?task=v2:standard:1&utm=%22%3E%3Cscript%3E');
  const tag = '<meta property="og:image" content="https://market.example/preview.png" />';
  assert.ok(page.body.includes(tag), page.body);
  const picture = await app.inject('/preview.png');
  assert.deepEqual([picture.statusCode, picture.headers['content-type']], [200, 'image/png']);
  assert.doesNotMatch((await app.inject('/market.html?task=v2:standard:2')).body, /og:image/);
});
