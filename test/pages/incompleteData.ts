// Pages with data that is still being read, without events, and with a wrong device clock.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { errorMessages } from '#sdk/domain/errors.ts';
import { openView } from '../support/browser.ts';
import { browser, gateway, options } from './scene.ts';

const day = 86_400_000;

describe('incomplete data', options, () => {
  test('a board loads once it is ready, private tasks are polled, a wrong device clock is corrected', async (context) => {
    const { page } = await openView(context, browser, 'about:blank', { isAlone: true });
    // The device's clock is twenty days fast.
    await page.clock.install({ time: Date.now() + 20 * day });
    const board = '**/v1/treasury?*';
    await page.route(board, (route) =>
      route.fulfill({ status: 503, json: { error: errorMessages.NOT_READY } }),
    );
    await page.goto(`${gateway.url()}/treasury-dashboard.html`);
    await page.getByText(`${errorMessages.NOT_READY} This page retries automatically.`).waitFor();
    assert.equal(await page.getByRole('alert').count(), 0);
    await page.unroute(board);
    await page.clock.runFor(2_000);
    await page.getByText('Agents, most at risk first').waitFor();

    const ledger = '**/api/get-market-ledger?*';
    const { body } = await gateway.get('/api/market/recent');
    const { id, worker, createdAt } = body.tasks.find(
      ({ state }: { state: string }) => state === 'COMPLETED',
    );
    await page.goto(`${gateway.url()}/market.html?task=${id}`);
    const days = Math.floor((Date.now() - createdAt * 1_000) / day);
    await page
      .locator('.taskhead')
      .getByText(new RegExp(`^${days} d .*ago$`))
      .waitFor();
    await page.getByRole('region', { name: 'Worker' }).getByText('Earned').waitFor();

    // What cannot be read says so instead of loading for ever.
    await page.route(ledger, (route) => route.fulfill({ status: 400, json: { error: 'No.' } }));
    await page.reload();
    await page.getByText('the track record cannot be read now').first().waitFor();
    await page.goto(`${gateway.url()}/agent.html?address=${worker}`);
    await page.getByRole('region', { name: 'As worker' }).getByText('cannot be read now').waitFor();
    await page.goBack();
    await page.unroute(ledger);

    // There are no events about a private task: its page polls.
    let title = 'A private matter';
    await page.route('**/api/market/task?*', async (route) => {
      const response = await route.fetch();
      const { task, ...rest } = await response.json();
      await route.fulfill({ response, json: { ...rest, task: { ...task, title, scope: 'private' } } });
    });
    await page.reload();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    // The first change may arrive with the reset at the start of a stream.
    for (title of ['A private matter, changed', 'A private matter, changed again']) {
      await page.clock.runFor(5_000);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
    }
  });

  test('numbers of tasks are those that the service counts, also where a page loads only the newest', async (context) => {
    const { page } = await openView(context, browser, 'about:blank');
    const [task] = (await gateway.get('/api/market/recent?state=POSTED&limit=1')).body.tasks;
    const { body: disputed } = await gateway.get('/api/market/recent?state=RESOLVED,DISPUTED');
    const judged = disputed.tasks.find(
      ({ dispute }: { dispute: { judge: string | null } }) => dispute?.judge,
    );
    const totals: Record<string, number | null> = {
      '/api/market/open': 12_345,
      '/api/market/recent': null,
      '/api/poster/tasks': 2_345,
    };
    // Every list goes on for ever.
    await page.route(/\/api\/(market\/(open|recent)|poster\/tasks)\?/, async (route) => {
      const url = new URL(route.request().url());
      const { limit = '100', cursor = '1', market = 'standard' } = Object.fromEntries(url.searchParams);
      const tasks = Array.from({ length: Number(limit) }, (_, at) => ({
        ...task,
        market,
        id: `v2:${market}:${Number(cursor) + at}`,
      }));
      const [count, nextCursor] = [tasks.length, String(Number(cursor) + tasks.length)];
      const total = totals[url.pathname];
      const meta = { protocolVersion: 'v2', asset: 'TOK', market, source: 'chain-rpc' };
      await route.fulfill({ json: { tasks, count, total, nextCursor, meta } });
    });
    await page.goto(gateway.url());
    await page.getByRole('link', { name: 'All tasks', exact: true }).waitFor();
    await page.goto(`${gateway.url()}/market.html`);
    await page.getByText('12,345 tasks. Funded').waitFor();
    if (process.env.SVC_LONG_TESTS) {
      await page.goto(`${gateway.url()}/market.html?view=all`);
      await page.getByText('more than 10,000 tasks').waitFor();
    }
    await page.goto(`${gateway.url()}/agent.html?address=${task.poster}`);
    await page.getByText('It posted 4,690 tasks').waitFor();
    await page.getByText('shares and times: of the newest 2,000').waitFor();
    // The cases of an arbitrator come from the index of its tasks.
    await page.goto(`${gateway.url()}/agent.html?address=${judged.dispute.judge}`);
    const cases = page.getByRole('region', { name: 'Arbitrator, Standard' });
    await cases.getByRole('link', { name: judged.title }).waitFor();
  });
});
