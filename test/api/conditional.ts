// Cached replies: the same bytes whether cached or not, plain or compressed, and no body when nothing has changed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { routes } from '#sdk/schemas/apis.ts';
import type { Route } from '#sdk/schemas/route.ts';
import { ask, type RawAnswer } from '../support/rawHttp.ts';
import type { TestSite } from '../support/site.ts';

const conditional = Object.values<Route>(routes).filter(({ isConditional }) => isConditional);
/** A body long enough to be worth compressing. */
const long = '/api/market/recent';

export function testConditionalReads(siteOf: () => TestSite): void {
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<RawAnswer> =>
    ask(siteOf().url(), { path, method, headers });

  /** Some answers name the second they are for: then both are asked for again, until they fall into the same one. */
  async function askTwice(
    target: string,
    form: (etag: string) => string,
    triesLeft = 10,
  ): Promise<{ first: RawAnswer; second: RawAnswer }> {
    const first = await get(target);
    const second = await get(target, { 'if-none-match': form(first.headers.etag as string) });
    if (first.headers.etag === second.headers.etag || triesLeft === 0) return { first, second };
    return askTwice(target, form, triesLeft - 1);
  }

  test('a hot answer equals a cold one byte for byte, headers included', async () => {
    for (const path of ['/api/market/open?limit=100', '/api/market/task?id=v2:standard:3']) {
      // What nobody has asked for yet is cold; the same again is hot, and so is the same under a longer URL.
      const cold = await get(`${path}&cold=${Date.now()}`);
      for (const answer of [await get(path), await get(path)]) {
        assert.ok(cold.body.equals(answer.body), path);
        assert.deepEqual(comparable(answer), comparable(cold), path);
      }
    }
  });

  test('conditional reads answer 304 without a body for as long as nothing has changed, and HEAD what GET does', async () => {
    for (const { path, samples } of conditional) {
      const target = samples[0]?.path as string;
      for (const form of [(etag: string) => `W/${etag}`, (etag: string) => `"other", ${etag}`, () => '*']) {
        const { first, second } = await askTwice(target, form);
        assert.match(first.headers.etag as string, /^"[\w-]{22}"$/, path);
        assert.deepEqual([second.status, second.body.length], [304, 0], path);
        for (const name of ['etag', 'cache-control'])
          assert.equal(second.headers[name], first.headers[name], path);
        assert.equal(second.headers['content-length'], undefined, path);
      }
      assert.equal((await get(target, { 'if-none-match': '"other"' })).status, 200, path);
      const [head, full] = [await get(target, {}, 'HEAD'), await get(target)];
      assert.deepEqual([head.status, head.body.length], [200, 0], path);
      if (head.headers.etag === full.headers.etag)
        assert.equal(head.headers['content-length'], String(full.body.length), path);
    }
    const { headers } = await get('/api/market/open');
    assert.equal(headers['cache-control'], 'public, max-age=2, stale-while-revalidate=10');
    for (const name of ['svc-block', 'svc-block-age']) assert.match(headers[name] as string, /^\d+$/);
  });

  test('bodies come compressed for who takes it, each encoding with its own ETag', async () => {
    const as = (accepted: string, more = {}) => get(long, { 'accept-encoding': accepted, ...more });
    const plain = await get(long);
    assert.equal(plain.headers.vary, 'Accept-Encoding, Svc-At-Least-Block');
    const [brotli, gzip] = [await as('gzip, deflate, br'), await as('br;q=0.1, gzip;q=0.9')];
    assert.deepEqual(
      [brotli, gzip].map(({ headers }) => headers['content-encoding']),
      ['br', 'gzip'],
    );
    assert.ok(brotliDecompressSync(brotli.body).equals(plain.body));
    assert.ok(gunzipSync(gzip.body).equals(plain.body));
    const tags = [plain, gzip, brotli].map(({ headers }) => headers.etag as string);
    assert.equal(new Set(tags).size, 3);
    for (const tag of tags) {
      const { status, headers } = await as('br', { 'if-none-match': tag });
      assert.deepEqual([status, headers.etag], [304, tags[2]]);
    }
    for (const accepted of ['br;q=0, gzip;q=0', 'identity', 'deflate', 'x', ';;;', 'gzip;q=2']) {
      const { headers, status } = await as(accepted);
      assert.deepEqual([status, headers['content-encoding']], [200, undefined], accepted);
    }
  });
}

/** Everything but what differs from second to second and from request to request. */
function comparable({ status, headers }: RawAnswer) {
  const own = ['date', 'x-request-id', 'svc-block', 'svc-block-age', 'svc-unknown-parameters'];
  return { status, ...Object.fromEntries(Object.entries(headers).filter(([name]) => !own.includes(name))) };
}
