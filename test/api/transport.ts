// What HTTP itself asks for: methods, origins and ids. Requests that are hardly HTTP: `httpLimits.test.ts`, `hostile.ts`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routes } from '#sdk/schemas/apis.ts';
import type { Route } from '#sdk/schemas/route.ts';
import { ask } from '../support/rawHttp.ts';
import type { LogLine, TestSite } from '../support/site.ts';
import { until } from '../support/until.ts';

export function testTransport(siteOf: () => TestSite): void {
  const send = (path: string, method: string, headers: Record<string, string> = {}) =>
    ask(siteOf().url(), { path, method, headers });

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
    const { log } = siteOf();
    for (const path of ['/api/market/open?secret=hunter2', '/nowhere?secret=hunter2']) {
      await send(path, 'GET', { 'x-request-id': `log${path.length}`, authorization: 'Bearer hunter2' });
      const isOurs = (line: LogLine) => line.requestId === `log${path.length}`;
      await until(() => log.some(isOurs));
      const { status, path: logged } = log.find(isOurs) as LogLine;
      assert.deepEqual([logged, status], [path.split('?')[0], path.startsWith('/api') ? 200 : 404]);
    }
    assert.doesNotMatch(JSON.stringify(log), /hunter2/);
  });
}
