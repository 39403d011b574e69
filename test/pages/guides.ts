// The served guides: every link leads to an existing page, file or heading.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openView } from '../support/browser.ts';
import { browser, gateway, options } from './scene.ts';

describe('the guides', options, () => {
  test('every guide can be reached from /docs, and no link or anchor is dead', async (context) => {
    const pages = await crawl('/docs');
    context.diagnostic(`${pages.size} addresses`);
    assert.ok(pages.size > 70);
    const dead = [...pages].flatMap(([path, { links }]) =>
      links
        .filter(({ to, anchor }) => {
          const page = pages.get(to);
          return page?.status !== 200 || (anchor !== '' && !page.anchors.has(anchor));
        })
        .map(({ to, anchor }) => `${path} -> ${to}#${anchor}`),
    );
    assert.deepEqual(dead, []);
    for (const [path, { title, titles }] of pages) {
      assert.notEqual(title, '', path);
      assert.equal(titles, 1, `${path} has one heading of the first level`);
    }
  });

  test('every address in llms.txt answers', async () => {
    const text = await (await fetch(`${gateway.url()}/llms.txt`)).text();
    const named = new Set(text.match(/https?:\/\/[^\s),;]+/g) ?? []);
    assert.ok(named.size > 20);
    for (const url of named) {
      // Tools are called by POST.
      if (url.endsWith('/mcp')) continue;
      assert.equal((await fetch(url)).status, 200, url);
    }
  });

  test('a guide can be read without script; with it a code block can be copied', async (context) => {
    const bare = await browser.newContext({ javaScriptEnabled: false });
    context.after(() => bare.close());
    const silent = await bare.newPage();
    await silent.goto(`${gateway.url()}/docs/quick-start`);
    await silent.getByRole('heading', { name: '3. Post a task' }).waitFor();
    assert.ok(
      await silent.getByRole('navigation', { name: 'Guides' }).getByText('Configuration').isVisible(),
    );
    const { page, complaints } = await openView(context, browser, `${gateway.url()}/docs/quick-start`);
    await page.getByLabel('Search the guides').fill('escrow dispute bond');
    await page.locator('.found a').first().waitFor();
    await page.getByLabel('Search the guides').fill('words that nobody wrote xyzzy');
    await page.getByText('No guide has all of these words.').waitFor();
    await page.getByLabel('Search the guides').fill('');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const block = page.locator('.code').first();
    await block.hover();
    await block.getByRole('button', { name: 'Copy' }).click();
    await block.getByRole('button', { name: 'Copied' }).waitFor();
    assert.match(await page.evaluate<string>('navigator.clipboard.readText()'), /^git clone .*\ncd svc\n/);
    assert.deepEqual(complaints, []);
  });
});

type Address = {
  readonly status: number;
  readonly title: string;
  readonly titles: number;
  readonly anchors: ReadonlySet<string>;
  readonly links: readonly { readonly to: string; readonly anchor: string }[];
};

/** Follows links below /docs, and requests other links on this server once. */
async function crawl(start: string): Promise<Map<string, Address>> {
  const seen = new Map<string, Address>();
  const waiting = [start];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue;
    const { status, headers, body } = await gateway.get(path);
    const isGuide = /html/.test(headers.get('content-type') ?? '') && path.startsWith('/docs');
    const html = isGuide ? String(body) : '';
    const found = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link = '']) => link);
    const links = found
      .map((link) => new URL(link, `http://guide${path}`))
      .filter(({ host }) => host === 'guide')
      .map(({ pathname, search, hash }) => ({
        to: pathname + search,
        anchor: decodeURIComponent(hash.slice(1)),
      }));
    // The API reference is no guide; a file has no title.
    const isOwn = isGuide && path !== '/docs/api';
    seen.set(path, {
      status,
      title: isOwn ? (/<title>(.+?) · svc<\/title>/.exec(html)?.[1] ?? '') : path,
      titles: isOwn ? (html.match(/<h1[ >]/g)?.length ?? 0) : 1,
      anchors: new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)),
      links: path === '/docs/api' ? [] : links,
    });
    if (isOwn) waiting.push(...links.map(({ to }) => to));
  }
  return seen;
}
