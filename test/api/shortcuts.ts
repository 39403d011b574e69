// Addresses that are answered before the router: never otherwise than the router would have.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markets } from '#sdk/domain/market.ts';
import { ask } from '../support/rawHttp.ts';
import type { TestSite } from '../support/site.ts';

const path = '/api/market/task';

export function testShortcuts(siteOf: () => TestSite): void {
  const get = async (query: string, method = 'GET', more: Record<string, string> = {}) => {
    const { status, headers, body } = await ask(siteOf().url(), {
      path: path + query,
      method,
      headers: more,
    });
    // These differ between requests, seconds or blocks.
    for (const name of ['x-request-id', 'date', 'svc-block', 'svc-block-age']) {
      assert.ok(headers[name] !== undefined, `${query} has ${name}`);
      delete headers[name];
    }
    return { status, headers, body: String(body) };
  };

  for (const market of markets) {
    test(`each spelling of a ${market} task's address gets the same answer, the first time and every time`, async () => {
      const routed = await get(`?id=v2:${market}:2&unknown=parameter`);
      assert.equal(routed.headers['svc-unknown-parameters'], 'unknown');
      delete routed.headers['svc-unknown-parameters'];
      assert.equal(routed.status, 200);
      const spellings = [`id=v2:${market}:2`, `id=v2%3A${market}%3A2`, `taskId=v2:${market}:2`];
      for (const spelling of spellings) {
        for (let time = 0; time < 4; time++) assert.deepEqual(await get(`?${spelling}`), routed, spelling);
      }
    });
  }

  test('HEAD and If-None-Match are answered as on any read', async () => {
    const whole = await get('?id=v2:standard:4');
    const head = await get('?id=v2:standard:5', 'HEAD');
    assert.deepEqual([head.status, head.body], [200, '']);
    assert.equal(
      head.headers['content-length'],
      String(Buffer.byteLength((await get('?id=v2:standard:5')).body)),
    );
    const known = await get('?id=v2:standard:4', 'GET', { 'if-none-match': String(whole.headers.etag) });
    assert.deepEqual([known.status, known.body], [304, '']);
  });

  test('what is no task is refused by the router, in its words', async () => {
    const { getJson, get: fetchPath } = siteOf();
    for (const [id, status] of [
      ['v2:standard:99999999', 404],
      ['v2:standard:999999999999999', 404],
      ['v2:standard:0', 400],
      ['v2:standard:01', 400],
      ['v2:other:1', 400],
    ] as const) {
      assert.equal((await fetchPath(`${path}?id=${id}`)).status, status, id);
      assert.deepEqual(
        await getJson(`${path}?id=${id}`),
        await getJson(`${path}?id=${id}&unknown=parameter`),
        id,
      );
    }
  });
}
