// Every page: its words before its script runs, no browser errors, no serious findings of axe-core.
import assert from 'node:assert/strict';
import { after, describe, type TestContext, test } from 'node:test';
import { views } from '#web/data/pageList.ts';
import { escapeHtml } from '../../web/docs/renderGuide.ts';
import { openView } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { checkBarriers } from './barriers.ts';
import { browser, gateway, options } from './scene.ts';

/** Each page, a text that appears once it has loaded, and its first words. */
const pages: Readonly<Record<string, readonly [text: string, words?: string]>> = {
  '/': ['Paid out so far', views.hub.lead],
  '/market.html': ['Funded, unless marked', views.standard.heading],
  '/market.html?market=both&view=all&tag=translation&state=COMPLETED': ['found.'],
  '/market.html?task=v2:standard:40': ['History', 'Fuzz the parser of a binary map format'],
  '/market.html?task=v2:standard:41': ['Evidence'],
  '/market.html?market=micro&post=new&who=anyone': ['You pay, beside the reward', views.post.lead],
  '/market.html?market=standard&post=new&step=reward': ['Lock the reward'],
  '/market.html?market=standard&post=new&step=review': ['Who reads it'],
  '/my.html': ['Connect a wallet to see the tasks', views.my.lead],
  '/messages.html': ['Connect a wallet to read your messages', views.messages.lead],
  '/leaderboard.html?agents=wallet&verifiers=-bond': ['Bond ↑', views.leaderboard.lead],
  '/agent.html?address=0xFABB0ac9d68B0B445fB7357272Ff202C5651694a': ['Time to deliver'],
  '/treasury-dashboard.html': ['Agents, most at risk first', views.stats.lead],
  '/market-health.html': ['Open tasks by tag', views.stats.lead],
  '/wallet.html': ['Connect a wallet to see its money', views.wallet.lead],
  '/approve.html': ['Connect your wallet to see its requests', views.requests.lead],
  '/docs/quick-start': ['From nothing to a paid task'],
  '/nowhere': ['There is no page here'],
};

/** Other tests look for barriers on these; those of requests are in harmfulRequests.ts. */
const onlyWords: typeof pages = {
  '/market.html?market=micro': ['Live, block', views.micro.heading],
  '/notifications.html': ['Live, block', views.notifications.lead],
  '/connections.html': ['Live, block', views.connections.lead],
  '/approve.html?request=none': ['There is no such request', views.request.lead],
  [`/market.html?listing=0x${'0'.repeat(64)}`]: ['There is no such listing'],
};

describe('appearance and loading', options, () => {
  // Shared by all tests, so that assets load once.
  let view: ReturnType<typeof openView> | undefined;
  after(async () => {
    await (await view)?.page.context().close();
  });
  for (const [path, [text, words]] of Object.entries(pages))
    test(`${path} is shown without barriers`, async (context) => {
      await look(context, path, text, words);
      await checkBarriers((await openOnce()).page);
    });

  test('the other pages show their words before their scripts run', async (context) => {
    for (const [path, [text, words]] of Object.entries(onlyWords)) await look(context, path, text, words);
    const seen = Object.values({ ...pages, ...onlyWords }).map(([, words]) => words);
    // These two begin with words of a task or a wallet.
    const { task: _, agent: __, ...others } = views;
    for (const { lead, heading } of Object.values(others)) assert.ok(seen.includes(lead || heading), heading);
  });

  test('a page that throws shows a message inside its frame', async (context) => {
    const { page } = await openView(context, browser, 'about:blank');
    await page.addInitScript("Date.prototype.toISOString = () => { throw new Error('broken') }");
    await page.goto(`${gateway.url()}/market.html?task=v2:standard:40`);
    await page.getByRole('alert').getByText('This page has stopped because of an error in it').waitFor();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  });

  function openOnce(): ReturnType<typeof openView> {
    const options = { isAlone: true };
    view ??= openView({ after: () => undefined }, browser, 'about:blank', options).then(async (opened) => {
      await opened.page.addInitScript(keepEarly);
      return opened;
    });
    return view;
  }

  async function look(context: TestContext, path: string, text: string, words?: string): Promise<void> {
    const { page, complaints } = await openOnce();
    complaints.length = 0;
    await page.goto(gateway.url() + path);
    await page.getByText(text).first().waitFor();
    if (words !== undefined) {
      const { body } = await gateway.get(path);
      const [root = ''] = /<div id="root">.*/s.exec(body) ?? [];
      assert.ok(root.includes(escapeHtml(words)), `${path}: ${words}`);
      // Dollars are put behind amounts once the price is known.
      const shown = `document.body.innerText.replaceAll(/ ≈ \\$[\\d.,]+/g, '').includes(${JSON.stringify(words)})`;
      if (!path.includes('request=')) await until(() => page.evaluate<boolean>(shown));
      await until(() => page.evaluate<boolean>('early.size === 0'));
    }
    // The browser logs a 404, which is the expected reply here.
    const isMissing = /nowhere|request=none|listing=/.test(path);
    assert.deepEqual(
      complaints.filter((complaint) => !(isMissing && complaint.includes('404'))),
      [],
    );
    context.diagnostic(`first paint after ${Math.round(await page.evaluate<number>(firstPaint))} ms`);
  }
});

/** A request that was sent early and that nobody takes would be forgotten after 15 s, and not be noticed. */
const keepEarly =
  'globalThis.setTimeout = ((set) => (run, ms, ...rest) => ms === 15_000 ? 0 : set(run, ms, ...rest))(setTimeout)';

/** Reported, not asserted: a busy machine paints later. */
const firstPaint = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0";
