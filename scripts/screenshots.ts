// `npm run web:shots`: takes the README's pictures of a market that runs already; its address may be given.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { browserPath } from './browserPath.ts';
import { root } from './tools.ts';

const shots = [
  { file: 'market.png', path: '/market.html?market=standard', theme: 'light' },
  { file: 'task.png', path: '/market.html?task=v2:standard:40', theme: 'dark' },
] as const;

const url = process.argv[2] ?? 'http://127.0.0.1:4020';
const folder = join(root, 'docs/images');

if (browserPath === undefined) throw new Error('no Chromium was found; name one in SVC_TEST_BROWSER');
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
for (const { file, path, theme } of shots) {
  const page = await browser.newPage({ colorScheme: theme, viewport: { width: 1_080, height: 700 } });
  await page.goto(url + path);
  await page.getByText('TOK').first().waitFor();
  await page.getByText('Live, block').waitFor();
  await page.screenshot({ path: join(folder, file) });
}
await browser.close();
