// The board: search, filters and order in the address, keyboard navigation, live changes. Filters and orders: boardRows.test.ts.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { buildTaskDocument } from '#sdk/documents/buildDocument.ts';
import { openView, shoot } from '../support/browser.ts';
import { say } from '../support/chatGateway.ts';
import { joinAs, writeListing } from '../support/listings.ts';
import { postTask } from '../support/posting.ts';
import { until } from '../support/until.ts';
import { checkBarriers } from './barriers.ts';
import { browser, enterCast, gateway, model, options, walletOf } from './scene.ts';

const modelText =
  '- Ten birds are named. <img src=x onerror=alert(1)>\n- [here](https://trap.example) ![p](https://trap.example/p.png)';

/** A wallet whose picture would have to be loaded from its server. */
const announceSpy = `{
  const info = { uuid: '7b0d3f0e-0f64-4d0c-9e4e-2a4f3a9a6c11', name: 'Spy', icon: 'https://spy.example/icon.png', rdns: 'example.spy' };
  const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', {
    detail: Object.freeze({ info, provider: { request: async () => [], on: () => {}, removeListener: () => {} } }),
  }));
  addEventListener('eip6963:requestProvider', announce);
  announce();
}`;

describe('the board', options, () => {
  const open = (context: Parameters<typeof openView>[0], path: string) =>
    openView(context, browser, gateway.url() + path);
  const go = (page: Page, path: string) => page.goto(gateway.url() + path);

  test('a search and filters apply at once, are kept in the address and survive a reload; keys move between rows', async (context) => {
    const { page } = await open(context, '/market.html?view=all');
    await page.locator('.task').nth(10).waitFor();
    await page.locator('.task h2 > a').first().hover();
    await page.keyboard.press('/');
    await page.keyboard.type('map parser');
    await page.getByText('1 task found.').waitFor();
    assert.match(page.url(), /q=map\+parser/);
    await page.reload();
    await page.getByText('1 task found.').waitFor();
    assert.equal(await page.locator('.task').count(), 1);
    await page.keyboard.press('/');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('Delete');
    await page.locator('.task').nth(10).waitFor();
    assert.equal(await page.locator('.mark').count(), 0, 'rows that the search had hidden are not new');

    await go(page, '/market.html?min=999,999,999&max=lots');
    await page.getByText('No task matches').waitFor();
    await page.getByText('Filter · 1').click();
    await page.getByText('Not an amount: write 1500').waitFor();

    await go(page, '/market.html?sort=amount');
    await page.locator('.task').first().waitFor();
    const titles = await page.locator('.task h2 > a').allTextContents();
    for (const key of ['j', 'j', 'k', 'j', 'Enter']) await page.keyboard.press(key);
    await page.getByRole('heading', { level: 1, name: titles[1] ?? '' }).waitFor();
    await page.goBack();
    await page.locator('.task').first().waitFor();
    assert.match(page.url(), /sort=amount/);
  });

  test('a click on a tag filters by it; feeds follow market and tag; no list mixes the markets', async (context) => {
    const { page, complaints } = await open(context, '/market.html?market=both');
    await page.locator('.task').nth(5).waitFor();
    await page.locator('[aria-label=Market] [aria-current=true]', { hasText: 'Standard' }).waitFor();
    for (const href of await page
      .locator('.task h2 > a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href'))))
      assert.match(href ?? '', /task=v2:standard:/);
    await page.locator('.task .label', { hasText: 'not funded' }).waitFor();
    await page.getByText('Funded, unless marked.').waitFor();
    const tag = page.locator('.chips a[href^="/market.html"]').first();
    const name = (await tag.textContent()) ?? '';
    await tag.click();
    const remove = page.getByRole('button', { name: `${name}: remove this filter` });
    await remove.waitFor();
    await page.getByText(/^\d+ tasks? found/).waitFor();
    const { tasks } = (await gateway.get(`/api/market/recent?state=POSTED&tag=${name}`)).body;
    await until(async () => (await page.locator('.task').count()) === tasks.length);
    await remove.click();
    await page.getByText(/^\d+ tasks? found/).waitFor({ state: 'detached' });
    // A menu closes as menus do.
    const [filter, field] = [page.getByText('Filter', { exact: true }), page.getByLabel('At least, TOK')];
    await filter.click();
    await field.waitFor();
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'hidden' });
    await filter.click();
    await field.waitFor();
    await page.getByRole('heading', { level: 1 }).click();
    await field.waitFor({ state: 'hidden' });

    await go(page, '/market.html?market=micro&tag=translation');
    const link = page.getByRole('link', { name: 'Feed', exact: true });
    assert.equal(await link.getAttribute('href'), '/api/market/feed?market=micro&tag=translation');
    assert.deepEqual(complaints, []);
  });

  test('the list of all tasks is filtered by state, searched by the API, and short on a phone', async (context) => {
    const { page } = await open(context, '/market.html?view=all&state=DISPUTED');
    await page.getByText(/^\d+ tasks? found/).waitFor();
    assert.deepEqual([...new Set(await page.locator('.task .status').allTextContents())], ['Disputed']);
    await page.setViewportSize({ width: 390, height: 844 });
    const asked: string[] = [];
    await page.route('**/api/market/recent?**', async (route) => {
      asked.push(new URL(route.request().url()).search);
      await route.continue();
    });
    await go(page, '/market.html?view=all&q=map+parser');
    await page.getByText('1 task found.').waitFor();
    assert.ok(
      asked.some((search) => /[?&]q=map(\+|%20)parser/.test(search)),
      asked.join(' '),
    );
  });

  test('listings show only the filters that find them, say when none matches, and come page by page', async (context) => {
    const { page } = await open(context, '/market.html?view=wanted&tag=ink,paper&min=5&due=86400&q=zebra');
    await page.getByText('No listing matches the search and the filters.').waitFor();
    // A site without a gateway has no listings, and leads there.
    await page.route('**/pages.json', async (route) => {
      const reply = await (await route.fetch()).json();
      await route.fulfill({ json: { ...reply, isGateway: false, gatewayUrl: 'https://gateway.example' } });
    });
    for (const path of ['/market.html?view=wanted', `/market.html?listing=0x${'0'.repeat(64)}`]) {
      await go(page, path);
      const there = page.getByRole('main').getByRole('link', { name: 'open this page there' });
      assert.equal(await there.getAttribute('href'), `https://gateway.example${path}`);
    }
    await page.unroute('**/pages.json');
    await go(page, '/market.html?view=wanted&tag=ink,paper&min=5&due=86400&q=zebra');
    await page.getByText('No listing matches the search and the filters.').waitFor();
    assert.deepEqual(await page.locator('.chosen button').allTextContents(), ['ink ×']);
    await page.getByText('Filter · 1').click();
    assert.equal(await page.getByLabel('At least, TOK').count(), 0);
    const poster = await joinAs(gateway, 'press');
    const listing = await poster.matching.list(writeListing(gateway, {}, { title: 'Draw a map' }));
    const nextCursor = `1.${'5e'.repeat(32)}`;
    await page.route('**/v1/listings?**', (route) => {
      const isFirst = !new URL(route.request().url()).searchParams.has('cursor');
      const page = isFirst
        ? { listings: [listing], nextCursor }
        : { listings: [{ ...listing, id: `0x${'6f'.repeat(32)}` }], nextCursor: null };
      return route.fulfill({ json: { count: 1, ...page } });
    });
    await go(page, '/market.html?view=wanted');
    await page.getByRole('button', { name: 'Show more' }).click();
    await until(async () => (await page.getByRole('link', { name: 'Draw a map' }).count()) === 2);
    assert.equal(await page.getByRole('button', { name: 'Show more' }).count(), 0);
    await poster.matching.close(listing.id);
    await poster.close();
  });

  test('the hub names the deposit of the running contracts, what was paid, and three tasks, funded ones first', async (context) => {
    const { page } = await openView(context, browser, 'about:blank');
    // Contracts with another deposit than those that this build deploys.
    await page.route('**/api/site-config*', async (route) => {
      const reply = await (await route.fetch()).json();
      await route.fulfill({ json: { ...reply, limits: { ...reply.limits, entryCollateralUsd: 30 } } });
    });
    await go(page, '/');
    await page.getByText('30 USDC, which stays yours.').waitFor();
    await page.unrouteAll();
    await go(page, '/');
    await page.locator('.tile').nth(2).waitFor();
    await page.locator('.roll li').nth(3).waitFor();
    await page.getByText('% disputed').waitFor();
    await shoot(page, 'visitor-start.png');
    for (const tile of await page.locator('.tile').allInnerTexts()) assert.match(tile, /TOK locked/);
    const words = (await page.evaluate<string>('document.body.innerText')).split(/\s+/).length;
    assert.ok(words <= 260, `${words} words`);
    // A click loads no document.
    await page.evaluate('globalThis.isSame = true');
    await page.locator('.tile a').first().click();
    await page.getByText(/then 1 d of grace$/).waitFor();
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'People' }).click();
    await page.getByRole('table', { name: 'Workers' }).waitFor();
    assert.equal(await page.title(), 'People · svc');
    await page.goBack();
    await page.getByText(/then 1 d of grace$/).waitFor();
    assert.equal(await page.evaluate('isSame'), true);
  });

  test('wallets are listed with the pictures that they bring along, and with no others', async (context) => {
    const { page } = await openView(context, browser, gateway.url(), {
      wallet: walletOf('visitor'),
    });
    await page.addInitScript({ content: announceSpy });
    await page.reload();
    await page.getByRole('button', { name: 'Connect wallet' }).click();
    const icons = (name: string) => page.getByRole('button', { name }).locator('img');
    await page.getByRole('button', { name: 'Spy' }).waitFor();
    assert.match((await icons('Test wallet').getAttribute('src')) ?? '', /^data:image\/svg/);
    assert.equal(await icons('Spy').count(), 0);
  });

  test('the leaderboard ranks only wallets that have claimed a task; columns sort, and a click anywhere on a row opens the profile', async (context) => {
    const board = (await gateway.get('/v1/leaderboard/reputation?market=standard')).body;
    const ranked = board.agents.filter(({ claimed }: { claimed: number }) => claimed > 0);
    assert.notEqual(ranked.length, board.agents.length, 'posters have a record as well');
    const { page } = await open(context, '/leaderboard.html');
    const agents = page.getByRole('table', { name: 'Workers' });
    await agents.getByRole('link').first().waitFor();
    const shown = await agents
      .getByRole('link')
      .evaluateAll((all) => all.map((one) => one.getAttribute('title')));
    assert.deepEqual(
      shown,
      ranked.map(({ address }: { address: string }) => address),
    );
    await agents.getByRole('button', { name: 'Earned' }).click();
    await agents
      .getByRole('columnheader', { name: 'Earned', exact: true })
      .and(page.locator('[aria-sort=descending]'))
      .waitFor();
    assert.match(page.url(), /agents=earned/);
    const row = agents.getByRole('row').nth(1);
    const address = await row.getByRole('link').getAttribute('title');
    // The link covers the whole row.
    await row.getByRole('cell').nth(2).click({ force: true });
    await page.waitForURL(new RegExp(`agent.html\\?address=${address}`));
    const worker = page.getByRole('region', { name: 'As worker' });
    for (const name of ['Earned', 'Paid in full', 'With a dispute', 'Time to deliver'])
      await worker.getByText(name, { exact: true }).waitFor();
    await page
      .getByText(/tasks? completed: \+\d+/)
      .first()
      .waitFor();
  });

  test('stats show the figures of the API as a table, and lead to open tasks by tag', async (context) => {
    const { body } = await gateway.get('/v1/market/health');
    const { page } = await open(context, '/market-health.html');
    await page.waitForURL(/treasury-dashboard/);
    const [first] = body.weeks;
    const monday = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
    const rows = page.getByRole('table', { name: 'Week by week' }).getByRole('row');
    const week = rows.filter({ hasText: monday.format(first.start * 1_000) });
    assert.equal(await week.getByRole('cell').first().textContent(), String(first.posted));
    assert.equal(await rows.count(), body.weeks.length + 1);
    const [{ tag, tasks }] = body.open.tags;
    await page.getByRole('link', { name: tag, exact: true }).click();
    await page.getByText(new RegExp(`^${tasks} tasks? found`)).waitFor();
  });

  test('a language model explains a dispute and drafts criteria on a click, and nothing of it runs or is sent before', async (context) => {
    model.behave(say(JSON.stringify({ choices: [{ message: { content: modelText } }], model: 'local' })));
    const { tasks } = (await gateway.get('/api/market/recent?state=DISPUTED')).body;
    const { page } = await open(context, `/market.html?task=${tasks[0].id}`);
    const button = page.getByRole('button', { name: 'Explain this dispute' });
    await button.waitFor();
    assert.equal(model.asked.length, 0);
    await button.click();
    const answer = page.getByRole('article', { name: 'In other words' });
    await answer.getByText('Ten birds are named').waitFor();
    assert.equal(await answer.locator('img, script').count(), 0);
    assert.ok(model.asked[0]?.body.messages[1]?.content.includes(tasks[0].id));

    await go(page, '/market.html?market=micro&post=new&who=anyone');
    const draft = page.getByRole('button', { name: 'Draft acceptance criteria' });
    await draft.and(page.locator(':disabled')).waitFor();
    await page.getByLabel('Title').fill('Name the birds');
    await draft.click();
    await page.getByRole('button', { name: 'Use these criteria' }).click();
    assert.equal(await page.getByLabel('Accepted when', { exact: true }).inputValue(), modelText);

    // A site without a model does not offer it. Names stand beside addresses where a registry is configured.
    const { poster } = tasks[0];
    await page.route('**/api/site-config*', async (route) => {
      const reply = await (await route.fetch()).json();
      await route.fulfill({ json: { ...reply, chat: false, names: true } });
    });
    await page.route('**/api/wallet-name*', (route) => {
      const address = new URL(route.request().url()).searchParams.get('address');
      return route.fulfill({ json: { address, name: address === poster ? 'ada.example.eth' : null } });
    });
    await go(page, `/market.html?task=${tasks[0].id}`);
    const party = page.locator('.who', { hasText: 'ada.example.eth' });
    await party
      .getByRole('link')
      .and(page.locator(`[title="${poster}"]`))
      .waitFor();
    assert.equal(await page.getByRole('button', { name: 'Explain' }).count(), 0);
    await checkBarriers(page);
  });

  test('a task can be shared, also while the page moves; its tags lead to the board', async (context) => {
    const { page } = await open(context, '/market.html?task=v2:standard:40');
    await page.getByRole('button', { name: 'Share' }).hover();
    await page.mouse.down();
    // Something above loads in this moment.
    await page.evaluate("document.querySelector('.taskhead').style.paddingTop = '200px'");
    await page.mouse.up();
    await page.getByText(/^(Link copied|Copy the address of this page)$/).waitFor();
    await page.locator('.taskhead .tags a').first().click();
    await page.waitForURL(/tag=/);
  });

  test('seven tabs share one event stream, and a new task waits while the pointer is on the list', async (context) => {
    const url = `${gateway.url()}/market.html?market=micro`;
    const { page: first } = await openView(context, browser, url);
    await first.locator('.task').first().waitFor();
    // Browsers allow six connections to a server; these tabs would use them up.
    const plain = `${gateway.url()}/approve.html`;
    await Promise.all(Array.from({ length: 5 }, () => openView(context, browser, plain, { beside: first })));
    const { page } = await openView(context, browser, url, { beside: first });
    await page.locator('.task').first().waitFor();
    await waitForStreams(1);
    // The tab that follows the stream for all.
    await show(first, 'hidden');
    const before = await page.locator('.task h2 > a').allTextContents();
    await page.locator('.task h2 > a').first().hover();
    const title = 'Count the chairs in a photograph';
    const { uri } = buildTaskDocument({ title, description: '', criteria: 'All of them.', tags: [] });
    await postTask(await enterCast('micro'), { uri });
    await page.getByText('1 new, shown when the pointer leaves the list').waitFor();
    assert.deepEqual(await page.locator('.task h2 > a').allTextContents(), before);
    await page.mouse.move(5, 5);
    await page.getByRole('link', { name: title }).waitFor();
    assert.equal((await page.locator('.task h2 > a').allTextContents())[0], title);
    assert.equal(await page.locator('.task:has(.mark)').getByRole('link', { name: title }).count(), 1);
    assert.equal(await first.getByRole('link', { name: title }).count(), 0);
    await show(first, 'visible');
    await first.getByRole('link', { name: title }).waitFor();
    await waitForStreams(1);
  });

  test('a lost connection is reported, the rows stay, and the page recovers', async (context) => {
    const { page } = await open(context, '/market.html');
    await page.getByText('Live, block').waitFor();
    await page.locator('.task').first().waitFor();
    await shoot(page, 'market.png');
    const rows = await page.locator('.task').count();
    await page.context().setOffline(true);
    await page.getByText('The service does not respond; retrying').waitFor();
    assert.equal(await page.locator('.task').count(), rows);
    await page.context().setOffline(false);
    await page.getByText('Live, block').waitFor();
  });

  async function waitForStreams(count: number): Promise<void> {
    await until(async () => {
      const { body } = await gateway.get('/metrics');
      return Number(/^\w*event_streams (\d+)$/m.exec(body)?.[1]) === count;
    });
  }
});

/** A headless browser reports all tabs as visible; this overrides it. */
async function show(page: Page, state: 'visible' | 'hidden'): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  `);
}
