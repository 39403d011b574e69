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
    const paths = [
      '/api/market/open?limit=100',
      '/api/market/task?id=v2:standard:3',
      '/api/market/recent?limit=7',
    ];
    for (const path of paths) {
      // What nobody has asked for yet is cold; the same again is hot, and so is the same under a longer URL.
      const cold = await get(`${path}&cold=${Date.now()}`);
      const hot = await get(path);
      const again = await get(path);
      for (const answer of [hot, again]) {
        assert.ok(cold.body.equals(answer.body), path);
        assert.deepEqual(comparable(answer), comparable(cold), path);
      }
    }
  });

  for (const { path, samples } of conditional) {
    test(`${path} answers 304 without a body for as long as nothing has changed`, async () => {
      const target = samples[0]?.path as string;
      for (const form of [
        (etag: string) => etag,
        (etag: string) => `W/${etag}`,
        (etag: string) => `"other", ${etag}`,
        () => '*',
      ]) {
        const { first, second } = await askTwice(target, form);
        assert.match(first.headers.etag as string, /^"[\w-]{22}"$/);
        assert.equal(second.status, 304);
        assert.equal(second.body.length, 0);
        assert.equal(second.headers.etag, first.headers.etag);
        assert.equal(second.headers['cache-control'], first.headers['cache-control']);
        assert.equal(second.headers['content-length'], undefined);
      }
      assert.equal((await get(target, { 'if-none-match': '"other"' })).status, 200);
    });

    test(`HEAD on ${path} answers what GET does, without the body`, async () => {
      const target = samples[0]?.path as string;
      const [head, full] = [await get(target, {}, 'HEAD'), await get(target)];
      assert.equal(head.status, 200);
      assert.equal(head.body.length, 0);
      assert.equal(head.headers['content-type'], full.headers['content-type']);
      if (head.headers.etag === full.headers.etag) {
        assert.equal(head.headers['content-length'], String(full.body.length));
      }
    });
  }

  test('bodies come compressed for who takes it, and unpack to the plain ones', async () => {
    const plain = await get(long);
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.equal(plain.headers.vary, 'Accept-Encoding, Svc-At-Least-Block');
    const brotli = await get(long, { 'accept-encoding': 'gzip, deflate, br' });
    assert.equal(brotli.headers['content-encoding'], 'br');
    assert.ok(brotliDecompressSync(brotli.body).equals(plain.body));
    const gzip = await get(long, { 'accept-encoding': 'gzip' });
    assert.equal(gzip.headers['content-encoding'], 'gzip');
    assert.ok(gunzipSync(gzip.body).equals(plain.body));
    assert.ok(brotli.body.length < gzip.body.length && gzip.body.length < plain.body.length / 2);
  });

  test('every encoding has its own ETag, and each ETag is accepted', async () => {
    const tags = await Promise.all(
      ['identity', 'gzip', 'br'].map(
        async (name) => (await get(long, { 'accept-encoding': name })).headers.etag,
      ),
    );
    assert.equal(new Set(tags).size, 3);
    for (const tag of tags) {
      const answer = await get(long, { 'accept-encoding': 'br', 'if-none-match': tag as string });
      assert.equal(answer.status, 304);
      assert.equal(answer.headers.etag, tags[2]);
    }
  });

  test('what a client does not take it does not get', async () => {
    for (const accepted of ['br;q=0, gzip;q=0', 'identity', 'deflate', 'br;q=0', 'x', ';;;', 'gzip;q=2']) {
      const { headers, status } = await get(long, { 'accept-encoding': accepted });
      assert.equal(status, 200);
      assert.equal(headers['content-encoding'], undefined, accepted);
    }
    const preferred = await get(long, { 'accept-encoding': 'br;q=0.1, gzip;q=0.9' });
    assert.equal(preferred.headers['content-encoding'], 'gzip');
  });

  test('lists say how long they may be kept, and which block they show', async () => {
    const { headers } = await get('/api/market/open');
    assert.equal(headers['cache-control'], 'public, max-age=2, stale-while-revalidate=10');
    assert.match(headers['svc-block'] as string, /^\d+$/);
    assert.match(headers['svc-block-age'] as string, /^\d+$/);
    assert.equal(headers['x-content-type-options'], 'nosniff');
  });
}

/** Everything but what differs from second to second and from request to request. */
function comparable({ status, headers }: RawAnswer) {
  const own = ['date', 'x-request-id', 'svc-block', 'svc-block-age', 'svc-unknown-parameters'];
  return { status, ...Object.fromEntries(Object.entries(headers).filter(([name]) => !own.includes(name))) };
}
