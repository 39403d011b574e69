// What lists ask of the API while they load: little, and nothing that the stream has made old.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { buildTaskDocument } from '#sdk/documents/buildDocument.ts';
import { openView } from '../support/browser.ts';
import { browser, enterCast, gateway, options, postShown } from './scene.ts';

describe('requests of lists', options, () => {
  test('a page of rows needs few requests, however many posters it has', async (context) => {
    const { page } = await openView(context, browser, 'about:blank');
    const asked = listen(page, (path) => !path.startsWith('/api/market/recent?'));
    const posters = Array.from({ length: 25 }, (_, at) => `0x${String(at).padStart(40, '5e')}`);
    await page.route('**/api/market/recent?**', async (route) => {
      const reply = await (await route.fetch()).json();
      const tasks = posters.map((poster, at) => ({
        ...reply.tasks[0],
        id: `v2:standard:${900 + at}`,
        poster,
      }));
      await route.fulfill({ json: { ...reply, tasks } });
    });
    const named = page.waitForResponse('**/v1/names?**');
    await page.goto(`${gateway.url()}/market.html`);
    await page.locator('.task').nth(24).waitFor();
    await page.getByText('Live, block').waitFor();
    await named;
    // Longer than names are gathered.
    await page.waitForTimeout(1_000);
    assert.ok(asked.length <= 6, asked.join('\n'));
  });

  test('the start of the stream asks for nothing again that was just loaded', async (context) => {
    const { page } = await openView(context, browser, 'about:blank');
    const asked = listen(page, (path) => path.startsWith('/api/') && !path.startsWith('/api/events'));
    const started = page.waitForResponse('**/api/events*');
    await page.goto(gateway.url());
    await started;
    await page.getByText('Live, block').waitFor();
    // Longer than events are gathered.
    await page.waitForTimeout(1_000);
    const again = asked.filter((url, at) => asked.indexOf(url) !== at);
    assert.deepEqual(again, []);
  });

  test('a task that is posted while the first list is on its way is not missed', async (context) => {
    const { page } = await openView(context, browser, 'about:blank');
    const cast = await enterCast('micro');
    const title = 'Count the stairs in a photograph';
    const { uri } = buildTaskDocument({ title, description: '', criteria: 'All of them.', tags: [] });
    const started = page.waitForResponse('**/api/events*');
    const hold = async (route: Route) => {
      const response = await route.fetch();
      await started;
      await postShown(cast, { uri });
      // The stream tells of the task before the list arrives, which is older.
      await page.waitForTimeout(1_000);
      await route.fulfill({ response });
    };
    await page.route('**/api/market/recent?market=micro**', hold, { times: 1 });
    await page.goto(`${gateway.url()}/market.html?market=micro`);
    await page.getByRole('link', { name: title }).waitFor();
  });
});

/** Requests of the API that the page makes from now on. */
function listen(page: Page, isMeant: (path: string) => boolean): readonly string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (/^\/(api|v1)\//.test(pathname) && isMeant(pathname + search)) asked.push(pathname + search);
  });
  return asked;
}
