// Every page in light, dark and on a phone: no complaint of the browser, no barrier that axe-core calls serious.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { Scene } from '../pages.test.ts';
import { openView } from '../support/browser.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Each page, and a text that is there once it shows something. */
const pages: Readonly<Record<string, string>> = {
  '/': 'Paid out',
  '/market.html': 'Posted ↓',
  '/market.html?market=micro&view=all&sort=-amount': 'Amount ↑',
  '/market.html?task=v2:standard:40': 'What happened',
  '/market.html?task=v2:standard:99999': 'There is no task',
  '/market.html?market=micro&post=new': 'Before you sign',
  '/leaderboard.html': 'Verifiers by bond',
  '/treasury-dashboard.html': 'Agents, those in trouble first',
  '/approve.html?request=none': 'There is no such request',
  '/approve.html': 'The address of this page must end in',
};

export function testLooks(sceneOf: () => Scene): void {
  for (const [path, text] of Object.entries(pages)) {
    test(`${path} in light, in dark and on a phone`, async (context) => {
      const { browser, gateway } = sceneOf();
      const { page, complaints } = await openView(context, browser, gateway.url() + path);
      await page.getByText(text).first().waitFor();
      assert.deepEqual(await findBarriers(page), [], 'in light');
      await page.emulateMedia({ colorScheme: 'dark' });
      assert.deepEqual(await findBarriers(page), [], 'in dark');
      await page.setViewportSize({ width: 390, height: 844 });
      assert.deepEqual(await findBarriers(page), [], 'on a phone');
      assert.ok(!(await page.evaluate(isWide)), 'the page is wider than the phone');
      // The browser itself reports a 404, which on these two is the answer that was asked for.
      const isMissing = /99999|request=none/.test(path);
      assert.deepEqual(
        complaints.filter((complaint) => !(isMissing && complaint.includes('404'))),
        [],
      );
    });
  }
}

const isWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';

/** Evaluated past the page's policy, as a browser's own tools are. */
async function findBarriers(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const { violations } = await (
      globalThis as never as { axe: { run: () => Promise<AxeResult> } }
    ).axe.run();
    return violations;
  });
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
