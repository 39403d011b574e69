// `npm run web:speed`: how soon the pages of a running market appear in Chromium on a slow line and a slow processor.
// The address may be given; `--write` puts the table on docs/performance.md. Fails if a page misses a target.
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Browser, chromium } from 'playwright-core';
import { root } from '../scripts/tools.ts';
import { browserPath } from '../test/support/browser.ts';
import { formatTable, savePage } from './figure.ts';

/** Slow 4G: 150 ms there and back, 1.6 Mbit/s down, 750 kbit/s up; and a quarter of this machine's speed. */
const line = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };
const slowdown = 4;
const targets = { lcpMs: 2_500, shift: 0.05, mainBytes: 130_000 };

const pages: Readonly<Record<string, string>> = {
  'the hub': '/',
  'open tasks': '/market.html?market=standard',
  'a task': '/market.html?task=v2:standard:40',
  'the posting form': '/market.html?market=standard&post=new',
  'my work': '/my.html',
  messages: '/messages.html',
  leaderboard: '/leaderboard.html',
  treasury: '/treasury-dashboard.html',
  wallet: '/wallet.html',
  'a guide': '/docs/quick-start',
  'API reference': '/docs/api',
};

/** Long enough for late layout shifts. */
const settleMs = 5_000;

type Measured = {
  readonly lcpMs: number;
  readonly shift: number;
  /** The largest script, and all scripts until the page is still; compressed. */
  readonly mainBytes: number;
  readonly scriptBytes: number;
};

/** Evaluated before the page's own scripts. */
const observe = `
  globalThis.seen = { lcp: 0, shift: 0, shifts: [] };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.lcp = entry.startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.hadRecentInput) continue;
      seen.shift += entry.value;
      seen.shifts.push(entry.value.toFixed(3) + ' ' + entry.sources.map(({ node }) => node?.outerHTML?.slice(0, 80)).join(' | '));
    }
  }).observe({ type: 'layout-shift', buffered: true });`;

async function measure(browser: Browser, url: string, width: number): Promise<Measured> {
  const context = await browser.newContext({ viewport: { width, height: 844 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', line);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await page.addInitScript(observe);
  const sizes: Promise<number>[] = [];
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.endsWith('.js'))
      sizes.push(response.body().then((body) => gzipSync(body).length));
  });
  await page.goto(url, { waitUntil: 'load', timeout: 120_000 });
  await page.waitForTimeout(settleMs);
  const seen = await page.evaluate<{ lcp: number; shift: number; shifts: string[] }>('seen');
  if (process.argv.includes('--shifts')) console.error(url, width, seen.shifts);
  const scripts = await Promise.all(sizes);
  await context.close();
  return {
    lcpMs: seen.lcp,
    shift: seen.shift,
    mainBytes: Math.max(0, ...scripts),
    scriptBytes: scripts.reduce((sum, bytes) => sum + bytes, 0),
  };
}

function isMet({ lcpMs, shift, mainBytes }: Measured): boolean {
  return lcpMs < targets.lcpMs && shift < targets.shift && mainBytes < targets.mainBytes;
}

function renderTable(rows: readonly (readonly [string, Measured, Measured])[]): string {
  const kilobytes = (bytes: number) => `${Math.round(bytes / 1_000)} kB`;
  const show = ({ lcpMs, shift }: Measured) => [`${(lcpMs / 1_000).toFixed(1)} s`, shift.toFixed(3)];
  const sizes = ({ mainBytes, scriptBytes }: Measured) => [kilobytes(mainBytes), kilobytes(scriptBytes)];
  return formatTable(
    ['page', 'LCP, 1280 px', 'CLS', 'LCP, 390 px', 'CLS', 'main script', 'all scripts', ''],
    rows.map(([name, wide, phone]) => {
      const mark = isMet(wide) && isMet(phone) ? 'ok' : 'missed';
      return [name, ...show(wide), ...show(phone), ...sizes(wide), mark];
    }),
  );
}

if (browserPath === undefined) throw new Error('no Chromium was found; name one in SVC_TEST_BROWSER');
const [base = 'http://127.0.0.1:4020'] = process.argv
  .slice(2)
  .filter((argument) => !argument.startsWith('--'));
const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
const rows: [string, Measured, Measured][] = [];
try {
  for (const [name, path] of Object.entries(pages))
    rows.push([name, await measure(browser, base + path, 1_280), await measure(browser, base + path, 390)]);
} finally {
  await browser.close();
}
const table = renderTable(rows);
console.log(table);
if (process.argv.includes('--write')) savePage(join(root, 'docs/performance.md'), 'page speed', table);
if (!rows.every(([, wide, phone]) => isMet(wide) && isMet(phone))) process.exitCode = 1;
