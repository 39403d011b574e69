// Every page in light, dark and on a phone: no browser errors, no serious findings of axe-core.
import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { openView } from '../support/browser.ts';
import type { TestGateway } from '../support/gateway.ts';
import { checkBarriers } from './barriers.ts';
import { type Asked, askForPost, askForSignature, askForStranger } from './requests.ts';
import type { Scene } from './scene.ts';

/** Each page, and a text that appears once it has loaded. */
const pages: Readonly<Record<string, string>> = {
  '/': 'Paid out',
  '/market.html': 'Posted ↓',
  '/market.html?market=both&view=all&tag=translation&state=COMPLETED': 'Both markets',
  '/market.html?task=v2:standard:40': 'History',
  '/market.html?market=micro&post=new&who=anyone': 'Before you sign',
  '/my.html': 'Connect a wallet to see the tasks',
  '/messages.html': 'Connect a wallet to read your messages',
  '/leaderboard.html?agents=wallet&verifiers=-bond': 'Bond ↑',
  '/agent.html?address=0xFABB0ac9d68B0B445fB7357272Ff202C5651694a': 'Time to deliver',
  '/treasury-dashboard.html': 'Agents, most at risk first',
  '/market-health.html': 'Open tasks by tag',
  '/approve.html': 'Connect your wallet to see its requests',
  '/docs/quick-start': 'From nothing to a paid task',
  '/nowhere': 'There is no page here',
};

/** Requests are created by the test. */
const requests: Readonly<Record<string, readonly [(gateway: TestGateway) => Promise<Asked>, string]>> = {
  'a request of a post': [askForPost, 'Latin names count as well.'],
  'a request of a call to an unknown contract': [
    (gateway) => askForStranger(gateway, 'Harmless'),
    'This call also sends 1 ETH',
  ],
  'a request to sign': [askForSignature, 'The signature is valid only for'],
};

export function testAppearance(sceneOf: () => Scene): void {
  // Shared by all tests, so that assets load once.
  let view: ReturnType<typeof openView> | undefined;
  after(async () => {
    await (await view)?.page.context().close();
  });
  for (const [path, text] of Object.entries(pages))
    test(`${path} in light, in dark and on a phone`, (context) => look(context, path, text));
  for (const [name, [ask, text]] of Object.entries(requests)) {
    test(`${name} in light, in dark and on a phone`, async (context) => {
      await look(context, (await ask(sceneOf().gateway)).path, text);
    });
  }

  test('a page that throws shows a message inside its frame', async (context) => {
    const { browser, gateway } = sceneOf();
    const { page } = await openView(context, browser, 'about:blank');
    await page.addInitScript("Date.prototype.toISOString = () => { throw new Error('broken') }");
    await page.goto(`${gateway.url()}/market.html?task=v2:standard:40`);
    await page.getByRole('alert').getByText('This page has stopped because of an error in it').waitFor();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  });

  async function look(context: TestContext, path: string, text: string): Promise<void> {
    const { browser, gateway } = sceneOf();
    view ??= openView({ after: () => undefined }, browser, 'about:blank');
    const { page, complaints } = await view;
    complaints.length = 0;
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1_280, height: 844 });
    await page.goto(gateway.url() + path);
    await page.getByText(text).first().waitFor();
    await checkBarriers(page);
    // The browser logs a 404, which is the expected reply here.
    const isMissing = /nowhere/.test(path);
    assert.deepEqual(
      complaints.filter((complaint) => !(isMissing && complaint.includes('404'))),
      [],
    );
    context.diagnostic(`first paint after ${Math.round(await page.evaluate<number>(firstPaint))} ms`);
  }
}

/** Reported, not asserted: a busy machine paints later. */
const firstPaint = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0";
