// What axe-core finds on a page in light, in dark and on a phone.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type Finding = {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
};

/**
 * Fails for serious and critical findings. Looks at the page as it is now, or at its open dialog alone, in light, in dark and on a
 * phone; then it is light and wide again.
 */
export async function checkBarriers(page: Page): Promise<void> {
  // Evaluated outside the page's policy, as developer tools are.
  await page.evaluate(axe);
  await page.emulateMedia({ colorScheme: 'light' });
  assert.deepEqual(await findBarriers(page, {}), [], 'in light');
  await page.emulateMedia({ colorScheme: 'dark' });
  // Only the colours differ.
  assert.deepEqual(await findBarriers(page, { runOnly: ['color-contrast'] }), [], 'in dark');
  await page.setViewportSize({ width: 390, height: 844 });
  // Contrast takes nearly all of its time, and the colours are the same.
  const rules = { 'color-contrast': { enabled: false } };
  assert.deepEqual(await findBarriers(page, { rules }), [], 'on a phone');
  assert.ok(!(await page.evaluate(isWide)), 'the page is wider than the phone');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1_280, height: 844 });
}

/** The page, or the contents of a card or a dialog. */
const isWide =
  "[document.documentElement, ...document.querySelectorAll('.sheet > .body, dialog > .inside')].some((box) => box.scrollWidth > box.clientWidth)";

/** What is loaded ahead concerns sounds that play on their own, a lesser finding. */
async function findBarriers(page: Page, options: object): Promise<string[]> {
  const settings = JSON.stringify({ resultTypes: ['violations'], preload: false, ...options });
  const run = `axe.run(document.querySelector('dialog[open]') ?? document, ${settings})`;
  const { violations } = await page.evaluate<{ violations: Finding[] }>(run);
  return violations
    .filter(({ impact }) => /serious|critical/.test(impact))
    .map(
      ({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary}`).join('\n')}`,
    );
}
