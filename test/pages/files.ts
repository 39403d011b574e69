// How the pages are served: cached by hash, under a strict content security policy, and small.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { pageList } from '#web/data/pageList.ts';
import { escapeHtml } from '../../web/docs/renderGuide.ts';
import { openView } from '../support/browser.ts';
import { until } from '../support/until.ts';
import type { Scene } from './scene.ts';

const names =
  'market my messages notifications leaderboard agent tx treasury-dashboard market-health approve';
const documents = ['/', '/docs', ...names.split(' ').map((name) => `/${name}.html`)];

const queries: Readonly<Record<string, string>> = {
  standard: '?market=standard',
  micro: '?market=micro',
  both: '?market=both',
  post: '?post=new',
  request: '?request=none',
};

/** The address of each view, and its first words. */
const pageAddresses = Object.fromEntries(
  Object.entries(pageList).flatMap(([name, { views }]) =>
    Object.entries(views).flatMap(([view, { lead }]) =>
      view === 'task' || name === 'agent'
        ? []
        : [[`/${name}.html${queries[view] ?? ''}`.replace('/index.html', '/'), lead]],
    ),
  ),
);

export function testFiles(sceneOf: () => Scene): void {
  test('every document forbids inline script and style, framing and other origins', async () => {
    for (const path of documents) {
      const { status, headers, body } = await sceneOf().gateway.get(path);
      assert.equal(status, 200, path);
      // The embedded chain itself may be asked, because a visitor's wallet lives in the page.
      const policy = (headers.get('content-security-policy') ?? '').replace(
        ` ${sceneOf().gateway.devnet.rpcUrl};`,
        ';',
      );
      assert.doesNotMatch(policy, /unsafe|https?:|\*/, path);
      for (const rule of [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "frame-ancestors 'none'",
      ])
        assert.ok(policy.includes(rule), `${path}: ${rule}`);
      assert.equal(headers.get('cache-control'), 'no-cache', path);
      assert.equal(headers.get('x-content-type-options'), 'nosniff', path);
      assert.equal(headers.get('referrer-policy'), 'no-referrer', path);
      assert.doesNotMatch(body, /<script>|<style|\son[a-z]+=/i, path);
    }
  });

  test('unknown files are not found, and no path leads out of the folder', async () => {
    for (const path of [
      '/assets/none.js',
      '/assets/..%2f..%2fpackage.json',
      '/assets/%2e%2e/%2e%2e/package.json',
    ])
      assert.equal((await sceneOf().gateway.get(path)).status, 404, path);
  });

  test('no page has a script above 130 kB, or loads above 275 kB or 22 scripts before it can be used', async (context) => {
    for (const path of documents) {
      const { body } = await sceneOf().gateway.get(path);
      const scripts = [
        ...new Set(
          [...body.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, url]) => url as string),
        ),
      ];
      const sizes = await Promise.all(
        scripts.map(async (url) => gzipSync((await sceneOf().gateway.get(url)).body).length),
      );
      const total = sizes.reduce((sum, size) => sum + size, 0);
      context.diagnostic(
        `${path}: ${scripts.length} scripts, ${total} bytes, the largest ${Math.max(...sizes)}`,
      );
      assert.ok(Math.max(...sizes) < 130_000, `${path} has a script of ${Math.max(...sizes)} bytes`);
      assert.ok(total < 275_000, `${path} loads ${total} bytes`);
      assert.ok(scripts.length <= 22, `${path} loads ${scripts.length} scripts`);
    }
  });

  test('a page shows its words before its script runs, and uses every request that it sent early', async (context) => {
    const { browser, gateway } = sceneOf();
    const { page } = await openView(context, browser, 'about:blank');
    const addresses = {
      ...pageAddresses,
      '/market.html?task=v2:standard:40': 'Fuzz the parser of a binary map format',
    };
    for (const [path, words] of Object.entries(addresses)) {
      const { body } = await gateway.get(path);
      const [root = ''] = /<div id="root">.*/s.exec(body) ?? [];
      assert.ok(root.includes(escapeHtml(words)), `${path}: ${words}`);
      await page.goto(gateway.url() + path);
      await page.getByText('Live, block').waitFor();
      const later = path.includes('request=') ? 'There is no such request' : words;
      // Dollars are put behind amounts once the price is known.
      const shown = `document.body.innerText.replaceAll(/ ≈ \\$[\\d.,]+/g, '').includes(${JSON.stringify(later)})`;
      await until(() => page.evaluate<boolean>(shown));
      await until(() => page.evaluate<boolean>('early.size === 0'));
    }
  });
}
