// What axe-core finds on a page, in light or in dark and on a phone.
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

type Look = { readonly colorScheme: 'light' | 'dark'; readonly width: number };

const wide = 1_280;
/** Each page gets the next one: pages share their colours and parts. SVC_LONG_TESTS=1 takes all looks for each. */
const looks: readonly Look[] = [
  { colorScheme: 'light', width: wide },
  { colorScheme: 'dark', width: 390 },
];
let seen = 0;

/**
 * Fails for serious and critical findings and for landmarks of one name, where the page is wider than a phone, and where a wide page cuts a table. Looks at
 * the page as it is now, or at its open dialog alone; then it is light and wide again.
 */
export async function checkBarriers(page: Page): Promise<void> {
  // Evaluated outside the page's policy, as developer tools are.
  await page.evaluate(axe);
  const next = looks[seen++ % looks.length] as Look;
  for (const look of process.env.SVC_LONG_TESTS ? looks : [next]) {
    const { colorScheme, width } = look;
    await page.emulateMedia({ colorScheme });
    await resize(page, width);
    assert.deepEqual(await findBarriers(page), [], `in ${colorScheme}, ${width} wide`);
  }
  await resize(page, 390);
  assert.ok(!(await page.evaluate(isWide)), 'the page is wider than the phone');
  await page.emulateMedia({ colorScheme: 'light' });
  await resize(page, wide);
  assert.ok(!(await page.evaluate(isCut)), 'a table is cut');
}

/** Until the page has answered the new width by its script: that runs in the next frame, and takes effect in the one after. */
async function resize(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 844 });
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
}

/** The page, or the contents of a card or a dialog. */
const isWide =
  "[document.documentElement, ...document.querySelectorAll('.sheet > .body, dialog > .inside')].some((box) => box.scrollWidth > box.clientWidth)";

/** Columns of a wide page, or the words of a cell. */
const isCut = `[...document.querySelectorAll('.sheet.scroll')].some((box) => box.scrollWidth > box.clientWidth) ||
  [...document.querySelectorAll('th, td')].some((cell) =>
    getComputedStyle(cell).overflow !== 'visible' && cell.scrollHeight > cell.clientHeight + 1)`;

/** What is loaded ahead concerns sounds that play on their own, a lesser finding. */
async function findBarriers(page: Page): Promise<string[]> {
  const settings = JSON.stringify({ resultTypes: ['violations'], preload: false });
  const run = `axe.run(document.querySelector('dialog[open]') ?? document, ${settings})`;
  const { violations } = await page.evaluate<{ violations: Finding[] }>(run);
  return violations
    .filter(({ id, impact }) => /serious|critical/.test(impact) || id === 'landmark-unique')
    .map(
      ({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary}`).join('\n')}`,
    );
}
