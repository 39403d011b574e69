// The board as an Atom feed: the same tasks as the open list, by market and tag.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { XMLParser } from 'fast-xml-parser';
import type { TestSite } from '../support/site.ts';

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  isArray: (name) => ['entry', 'category'].includes(name),
});

export function testFeeds(siteOf: () => TestSite): void {
  const read = async (query: string) => {
    const response = await siteOf().get(`/api/market/feed?${query}`);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'application/atom+xml; charset=utf-8');
    const { feed } = parser.parse(await response.text());
    const entries: { readonly link: { readonly '@href': string } }[] = feed.entry ?? [];
    return { feed, ids: entries.map(({ link }) => new URL(link['@href']).searchParams.get('task')) };
  };
  const listed = async (query: string): Promise<string[]> =>
    (await siteOf().getJson(`/api/market/open?${query}`)).tasks.map(({ id }: { id: string }) => id);

  test('it lists the newest open tasks of one market, and links to their pages', async () => {
    for (const market of ['standard', 'micro']) {
      const { ids, feed } = await read(`market=${market}`);
      assert.deepEqual(ids, await listed(`market=${market}&limit=50`));
      assert.ok(ids.length > 0);
      const page = new URL(feed.entry[0].link['@href']);
      assert.equal(page.href, `${siteOf().url()}/market.html?task=${ids[0]}`);
      const own = new URL(feed.link[0]['@href']);
      assert.equal((await siteOf().get(own.pathname + own.search)).status, 200);
    }
  });

  test('a tag in any case narrows it, and each entry has that category', async () => {
    const [some] = (await read('')).feed.entry;
    const tag: string = some.category[0]['@term'];
    const query = `tag=${encodeURIComponent(tag.toUpperCase())}`;
    const { ids, feed } = await read(query);
    assert.deepEqual(ids, await listed(query));
    assert.ok(ids.length > 0);
    for (const { category } of feed.entry)
      assert.ok(category.some((one: { readonly '@term': string }) => one['@term'] === tag));
    assert.deepEqual((await read('tag=no-such-tag')).ids, []);
  });

  test('an unknown market and a tag without letters are refused', async () => {
    for (const [query, code] of [
      ['market=other', 'MARKET_UNKNOWN'],
      ['tag=', 'TAG_INVALID'],
      [`tag=${'x'.repeat(61)}`, 'TAG_INVALID'],
    ]) {
      const response = await siteOf().get(`/api/market/feed?${query}`);
      assert.equal(response.status, 400, query);
      assert.equal(((await response.json()) as { code: string }).code, code);
    }
  });
}
