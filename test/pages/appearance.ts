// Every page in light, dark and on a phone: no browser errors, no serious findings of axe-core.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openView } from '../support/browser.ts';
import type { TestGateway } from '../support/gateway.ts';
import { type Asked, askForPost, askForSignature, askForStranger } from './requests.ts';
import type { Scene } from './scene.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Each page, and a text that appears once it has loaded. */
const pages: Readonly<Record<string, string>> = {
  '/': 'Paid out',
  '/market.html': 'Posted ↓',
  '/market.html?market=micro&view=all&max=900&sort=-amount': 'Amount ↑',
  '/market.html?market=both&view=all&tag=translation&state=COMPLETED': 'Both markets',
  '/market.html?task=v2:standard:40': 'History',
  '/market.html?task=v2:standard:99999': 'There is no task',
  '/market.html?market=micro&post=new': 'Before you sign',
  '/my.html': 'Connect a wallet to see the tasks',
  '/messages.html': 'Connect a wallet to read your messages',
  '/leaderboard.html?agents=wallet&verifiers=-bond': 'Bond ↑',
  // A worker, and the arbitrator of most disputes.
  '/agent.html?address=0xFABB0ac9d68B0B445fB7357272Ff202C5651694a': 'Time to deliver',
  '/agent.html?address=0xcd3B766CCDd6AE721141F452C550Ca635964ce71': 'Its public cases',
  '/tx.html': 'The address of this page must end with',
  '/agent.html': 'The address of this page must end with',
  '/treasury-dashboard.html': 'Agents, most at risk first',
  '/market-health.html': 'Open tasks by tag',
  '/approve.html?request=none': 'There is no such request',
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
    const isMissing = /99999|request=none|nowhere/.test(path);
    assert.deepEqual(
      complaints.filter((complaint) => !(isMissing && complaint.includes('404'))),
      [],
    );
    context.diagnostic(`first paint after ${Math.round(await page.evaluate<number>(firstPaint))} ms`);
  }
}

/** Looks at the page as it is now in light, in dark and on a phone; then it is light and wide again. */
export async function checkBarriers(page: Page): Promise<void> {
  // Evaluated outside the page's policy, as developer tools are.
  await page.evaluate(axe);
  await page.emulateMedia({ colorScheme: 'light' });
  assert.deepEqual(await findBarriers(page), [], 'in light');
  await page.emulateMedia({ colorScheme: 'dark' });
  // Only the colours differ.
  assert.deepEqual(await findBarriers(page, ['color-contrast']), [], 'in dark');
  await page.setViewportSize({ width: 390, height: 844 });
  assert.deepEqual(await findBarriers(page), [], 'on a phone');
  assert.ok(!(await page.evaluate(isWide)), 'the page is wider than the phone');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1_280, height: 844 });
}

/** Reported, not asserted: a busy machine paints later. */
const firstPaint = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0";
/** The page, or the contents of a card or a dialog. */
const isWide =
  "[document.documentElement, ...document.querySelectorAll('.sheet > .body, dialog > .inside')].some((box) => box.scrollWidth > box.clientWidth)";

async function findBarriers(page: Page, rules?: readonly string[]): Promise<string[]> {
  const found = await page.evaluate(async (runOnly) => {
    const { axe } = globalThis as never as { axe: { run: (options: object) => Promise<AxeResult> } };
    const options = { resultTypes: ['violations'], ...(runOnly !== undefined && { runOnly }) };
    return (await axe.run(options)).violations;
  }, rules);
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`,
    );
}

type AxeResult = {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
};
