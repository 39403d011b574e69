// What HTTP itself asks for: methods, origins, ids, limits, and an answer even to what is hardly a request.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routes } from '#sdk/schemas/apis.ts';
import type { Route } from '#sdk/schemas/route.ts';
import { ask, sendBytes } from '../support/rawHttp.ts';
import type { LogLine, TestSite } from '../support/site.ts';
import { until } from '../support/until.ts';

const all = Object.values<Route>(routes);
const paths = all.filter(({ body }) => body === undefined).map(({ path }) => path);

export function testTransport(siteOf: () => TestSite): void {
  const send = (path: string, method: string, headers: Record<string, string> = {}, body?: string) =>
    ask(siteOf().url(), { path, method, headers, ...(body !== undefined && { body }) });

  test('every read takes GET, HEAD and OPTIONS, and says so to every other method', async () => {
    for (const path of paths) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY']) {
        const { status, headers, body } = await send(path, method);
        assert.equal(status, 405, `${method} ${path}`);
        assert.equal(headers.allow, 'GET, HEAD, OPTIONS');
        assert.deepEqual(JSON.parse(String(body)), {
          error: 'This route accepts GET, HEAD, OPTIONS.',
          code: 'METHOD_NOT_ALLOWED',
        });
        assert.equal(headers['access-control-allow-origin'], undefined);
      }
      const { status, headers } = await send(path, 'OPTIONS');
      assert.equal(status, 204);
      assert.equal(headers.allow, 'GET, HEAD, OPTIONS');
    }
  });

  test('every route with a body takes POST and OPTIONS, and says so to every other method', async () => {
    for (const { path } of all.filter(({ body }) => body !== undefined)) {
      for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']) {
        const { status, headers } = await send(path, method);
        assert.equal(status, 405, `${method} ${path}`);
        assert.equal(headers.allow, 'POST, OPTIONS');
      }
      const preflight = await send(path, 'OPTIONS', { 'access-control-request-method': 'POST' });
      assert.equal(preflight.status, 204);
      assert.equal(preflight.headers['access-control-allow-origin'], undefined);
    }
  });

  test('a body that no route wants is refused unread, whatever its type and size', async () => {
    for (const type of ['text/xml', 'application/json', '']) {
      const { status } = await send(
        '/api/market/open',
        'POST',
        { 'content-type': type },
        'x'.repeat(100_000),
      );
      assert.equal(status, 405);
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
    assert.equal(refused.status, 204);
    assert.equal(refused.headers['access-control-allow-origin'], undefined);
    assert.equal((await send('/nowhere', 'OPTIONS', wish('GET'))).status, 404);
    for (const path of ['/api/market/open', '/api/site-config', '/health', '/openapi.yaml']) {
      const { headers } = await send(path, 'GET', origin);
      assert.equal(headers['access-control-allow-origin'], '*', path);
    }
  });

  test('HEAD on the stream and on health answers headers alone', async () => {
    for (const path of ['/api/events', '/health', '/metrics']) {
      const { status, body } = await send(path, 'HEAD');
      assert.equal(status, 200, path);
      assert.equal(body.length, 0);
    }
  });

  test('every answer names its request: by the id that came along, or by a new one', async () => {
    for (const path of [
      '/api/market/open',
      '/health',
      '/nowhere',
      '/api/market/open?limit=0',
      '/api/site-config',
    ]) {
      const given = await send(path, 'GET', { 'x-request-id': 'trace-42' });
      assert.equal(given.headers['x-request-id'], 'trace-42', path);
      const ids = await Promise.all(
        [1, 2].map(async () => (await send(path, 'GET')).headers['x-request-id']),
      );
      assert.ok(ids[0] && ids[1] && ids[0] !== ids[1], path);
      const bad = await send(path, 'GET', { 'x-request-id': 'a b"c' });
      assert.notEqual(bad.headers['x-request-id'], 'a b"c');
    }
  });

  test('the log has a line for each request with its id, and neither query nor headers', async () => {
    const { log } = siteOf();
    for (const path of ['/api/market/open?secret=hunter2', '/nowhere?secret=hunter2']) {
      await send(path, 'GET', { 'x-request-id': `log${path.length}`, authorization: 'Bearer hunter2' });
      const isOurs = (line: LogLine) => line.requestId === `log${path.length}`;
      await until(() => log.some(isOurs));
      const { status, path: logged } = log.find(isOurs) as LogLine;
      assert.equal(logged, path.split('?')[0]);
      assert.equal(status, path.startsWith('/api') ? 200 : 404);
    }
    assert.doesNotMatch(JSON.stringify(log), /hunter2/);
  });

  const raw: readonly (readonly [what: string, bytes: string, status: number])[] = [
    ['text that is not HTTP', 'hello\r\n\r\n', 400],
    ['an unknown method', 'BREW /api/market/open HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['no Host', 'GET /api/market/open HTTP/1.1\r\n\r\n', 400],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n', 400],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n', 400],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 400],
    [
      'length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    [
      'a broken chunk where nothing is',
      'POST /nothing HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      404,
    ],
    [
      'a broken chunk',
      'POST /api/posting/check HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
        'Transfer-Encoding: chunked\r\n\r\nzz\r\n',
      400,
    ],
    ['huge headers', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    ['a huge URL', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
    ['an unknown expectation', 'GET /health HTTP/1.1\r\nHost: x\r\nExpect: the-moon\r\n\r\n', 417],
    ['a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n', 404],
    ['another version', 'GET /health HTTP/9.9\r\nHost: x\r\n\r\n', 400],
  ];
  for (const [what, bytes, status] of raw) {
    test(`${what} is answered with ${status} and {error}`, async () => {
      const answer = await sendBytes(
        siteOf().url(),
        bytes.replace('Host: x\r\n', 'Host: x\r\nConnection: close\r\n'),
      );
      const [head = '', body = ''] = answer.split('\r\n\r\n');
      assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `), answer.slice(0, 200));
      assert.equal(typeof JSON.parse(body).error, 'string');
    });
  }

  test('the server goes on as if nothing had happened', async () => {
    assert.equal((await send('/api/market/open', 'GET')).status, 200);
  });
}
