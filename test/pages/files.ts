// How the pages are served: cached by hash, under a strict content security policy, and small.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { gateway, options } from './scene.ts';

const names =
  'market my messages notifications leaderboard agent tx treasury-dashboard market-health wallet approve';
const documents = ['/', '/docs', ...names.split(' ').map((name) => `/${name}.html`)];

describe('the files', options, () => {
  test('every document forbids inline script and style, framing and other origins', async () => {
    for (const path of documents) {
      const { status, headers, body } = await gateway.get(path);
      assert.equal(status, 200, path);
      // The embedded chain itself may be asked, because a visitor's wallet lives in the page.
      const policy = (headers.get('content-security-policy') ?? '').replace(
        ` ${gateway.devnet.rpcUrl};`,
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

  test('no page has a script above 130 kB, or loads above 255 kB or 14 scripts before it can be used', async (context) => {
    // Pages share most of them.
    const known = new Map<string, number>();
    for (const path of documents) {
      const { body } = await gateway.get(path);
      const found = [...body.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)];
      const scripts = [...new Set(found.map(([, url]) => url as string))];
      for (const url of scripts)
        if (!known.has(url)) known.set(url, gzipSync((await gateway.get(url)).body).length);
      const sizes = scripts.map((url) => known.get(url) as number);
      const total = sizes.reduce((sum, size) => sum + size, 0);
      context.diagnostic(
        `${path}: ${scripts.length} scripts, ${total} bytes, the largest ${Math.max(...sizes)}`,
      );
      assert.ok(Math.max(...sizes) < 130_000, `${path} has a script of ${Math.max(...sizes)} bytes`);
      assert.ok(total < 255_000, `${path} loads ${total} bytes`);
      assert.ok(scripts.length <= 14, `${path} loads ${scripts.length} scripts`);
    }
  });
});
