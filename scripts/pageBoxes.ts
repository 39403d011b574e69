// `node scripts/pageBoxes.ts --drawn <folder of drawn screens> --url <a running market>`: compares the boxes of bar, title, amount, decisive
// button and first row of each screen with those of its drawing, at both widths. Fails where one is more than 8 px away.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../test/support/browser.ts';

type Part = readonly [name: string, drawn: string, built: string];
type Screen = { readonly file: string; readonly path: string; readonly parts: readonly Part[] };

const bar: readonly Part[] = [
  ['bar', '.bar', '.masthead'],
  ['brand', '.brand', '.brand'],
];

const screens: readonly Screen[] = [
  {
    file: '01-hub.html',
    path: '/',
    parts: [
      ...bar,
      ['title', 'h1', 'h1'],
      ['amount', '.open .sum', '.open .sum'],
      ['decisive button', '.btn--main', 'main .button[data-is=main]'],
      ['first row', '.roll li', '.roll li'],
    ],
  },
  {
    file: '02-board.html',
    path: '/market.html',
    parts: [
      ...bar,
      ['title', 'h1', 'h1'],
      ['first row', '.task', '.task'],
      ['second row', '.task + .task', '.task + .task'],
      ['amount', '.task .usd', '.task .dollars'],
    ],
  },
  {
    file: '03-task-open.html',
    path: '/market.html?task=v2:standard:29',
    parts: [
      ...bar,
      ['title', 'h1', 'h1'],
      ['state', '.state', '.turn'],
      ['amount', '.slip .sum', '.slip .sum'],
      ['decisive button', '.btn--main', '#next-step .go > [data-is=main]'],
      ['first term', '.lines > div', '.lines > div'],
    ],
  },
];

const widths = [1_440, 390] as const;
const most = 8;

const { drawn = '', url = '' } = parseArgs({
  options: { drawn: { type: 'string' }, url: { type: 'string' } },
}).values;
const browser = await launchBrowser();
let isFar = false;
for (const width of widths)
  for (const { file, path, parts } of screens) {
    const [there, here] = await Promise.all([
      readBoxes(
        browser,
        `file://${join(drawn, file)}`,
        width,
        parts.map(([, selector]) => selector),
      ),
      readBoxes(
        browser,
        url + path,
        width,
        parts.map(([, , selector]) => selector),
      ),
    ]);
    for (const [at, [name]] of parts.entries()) {
      const [one, other] = [there[at], here[at]];
      const away = one == null || other == null ? null : [other.x - one.x, other.y - one.y].map(Math.round);
      const far = away === null || away.some((distance) => Math.abs(distance) > most);
      isFar ||= far;
      console.log(
        `${far ? 'FAR ' : '    '}${path} ${width} ${name}: ${away === null ? 'not there' : `${away} px`}`,
      );
    }
  }
await browser.close();
process.exitCode = isFar ? 1 : 0;

async function readBoxes(browser: Browser, address: string, width: number, selectors: readonly string[]) {
  const viewport = { width, height: width > 1_000 ? 900 : 844 };
  const context = await browser.newContext({ viewport, colorScheme: 'light', reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(address);
  const boxes = [];
  for (const selector of selectors) {
    const part = page.locator(`${selector}:visible`).first();
    await part.waitFor({ timeout: 10_000 }).catch(() => undefined);
    boxes.push((await part.count()) === 0 ? null : await part.boundingBox());
  }
  await context.close();
  return boxes;
}
