// What HTTP itself asks for: methods, origins, ids, and cached replies, which are the same bytes whether cached or not, plain or
// compressed. Requests that are hardly HTTP: `httpLimits.test.ts`, `hostile.ts`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Route } from '#sdk/schemas/route.ts';
import { routes } from '#sdk/schemas/routes.ts';
import { ask, type RawAnswer } from '../support/rawHttp.ts';
import type { LogLine } from '../support/site.ts';
import { until } from '../support/until.ts';
import { site } from './site.ts';

const send = (path: string, method: string, headers: Record<string, string> = {}) =>
  ask(site.url(), { path, method, headers });

test('every route names its methods to every other one, and grants no page more than reading', async () => {
  for (const { path, body: hasBody } of Object.values<Route>(routes)) {
    const allow = hasBody === undefined ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS';
    for (const method of [hasBody === undefined ? 'POST' : 'GET', 'DELETE', 'PROPFIND']) {
      const { status, headers, body } = await send(path, method);
      assert.deepEqual([status, headers.allow], [405, allow], `${method} ${path}`);
      const error = { error: `This route accepts ${allow}.`, code: 'METHOD_NOT_ALLOWED' };
      assert.deepEqual(JSON.parse(String(body)), error);
      if (hasBody === undefined) assert.equal(headers['access-control-allow-origin'], undefined);
    }
    const { status, headers } = await send(path, 'OPTIONS', { 'access-control-request-method': 'POST' });
    assert.deepEqual([status, headers.allow], [204, allow]);
    assert.equal(headers['access-control-allow-origin'], undefined, path);
  }
});

test('any page may read: a preflight for GET is granted, one for POST is not', async () => {
  const origin = { origin: 'https://page.example' };
  const wish = (method: string) => ({ ...origin, 'access-control-request-method': method });
  const granted = await send('/api/market/open', 'OPTIONS', wish('GET'));
  assert.equal(granted.headers['access-control-allow-origin'], '*');
  assert.equal(granted.headers['access-control-allow-methods'], 'GET, HEAD');
  assert.equal(granted.headers['access-control-allow-headers'], '*');
  const refused = await send('/api/market/open', 'OPTIONS', wish('POST'));
  assert.equal(refused.headers['access-control-allow-origin'], undefined);
  assert.equal((await send('/nowhere', 'OPTIONS', wish('GET'))).status, 404);
  for (const path of ['/api/market/open', '/api/site-config', '/health', '/openapi.yaml'])
    assert.equal((await send(path, 'GET', origin)).headers['access-control-allow-origin'], '*', path);
});

test('every answer names its request: by the id that came along, or by a new one', async () => {
  for (const path of ['/api/market/open', '/health', '/nowhere', '/api/market/open?limit=0']) {
    const idOf = async (headers = {}) => (await send(path, 'GET', headers)).headers['x-request-id'];
    assert.equal(await idOf({ 'x-request-id': 'trace-42' }), 'trace-42', path);
    const others = [await idOf(), await idOf(), await idOf({ 'x-request-id': 'a b"c' })];
    assert.equal(new Set(['a b"c', undefined, ...others]).size, 5, path);
  }
});

test('the log has a line for each request with its id, and neither query nor headers', async () => {
  const { log } = site;
  for (const path of ['/api/market/open?secret=hunter2', '/nowhere?secret=hunter2']) {
    await send(path, 'GET', { 'x-request-id': `log${path.length}`, authorization: 'Bearer hunter2' });
    const isOurs = (line: LogLine) => line.requestId === `log${path.length}`;
    await until(() => log.some(isOurs));
    const { status, path: logged } = log.find(isOurs) as LogLine;
    assert.deepEqual([logged, status], [path.split('?')[0], path.startsWith('/api') ? 200 : 404]);
  }
  assert.doesNotMatch(JSON.stringify(log), /hunter2/);
});

const conditional = Object.values<Route>(routes).filter(({ isConditional }) => isConditional);
/** A body long enough to be worth compressing. */
const long = '/api/market/recent';

const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<RawAnswer> =>
  ask(site.url(), { path, method, headers });

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

/** Everything but what differs from second to second and from request to request. */
function comparable({ status, headers }: RawAnswer) {
  const own = ['date', 'x-request-id', 'svc-block', 'svc-block-age', 'svc-unknown-parameters'];
  return { status, ...Object.fromEntries(Object.entries(headers).filter(([name]) => !own.includes(name))) };
}
