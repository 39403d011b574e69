// A real Chromium for the pages' tests, and views in it that remember every complaint of the browser.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { patienceMs } from './patience.ts';
import { injectWallet, type TestWallet } from './testWallet.ts';
import { until } from './until.ts';

const places = [
  process.env.SVC_TEST_BROWSER,
  // Draws no windows around its pages: a fifth less work.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Where a Chromium is on this machine, if anywhere. */
export const browserPath: string | undefined = places.find(
  (place) => place !== undefined && existsSync(place),
);

// Skipped tests look like good ones: where a browser is promised, as in continuous integration, its absence is a failure.
if (browserPath === undefined && process.env.SVC_REQUIRE_BROWSER !== undefined)
  throw new Error('no Chromium was found: install it, or name it in SVC_TEST_BROWSER');

const [usualWidth, height] = [1280, 844];

const unusedFeatures = [
  // Each window would load the suggestions of its address bar, pages in a process of their own: a second of CPU time.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  // A process would be started ahead for a page that may come: five of seventeen.
  'SpareRendererForSitePerProcess',
  // Our list replaces that of Playwright, which switches these off.
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

export function launchBrowser(): Promise<Browser> {
  if (browserPath === undefined) throw new Error('no Chromium was found');
  // The processor draws the pages more cheaply by itself than by acting as a graphics card.
  const drawing = ['--disable-gpu', '--disable-software-rasterizer'];
  // Pages of one person share a process, and with it the scripts that it has compiled.
  const sharing = '--process-per-site';
  const args = ['--no-sandbox', sharing, ...drawing, `--disable-features=${unusedFeatures.join(',')}`];
  return chromium.launch({ executablePath: browserPath, args, timeout: patienceMs });
}

export type View = Awaited<ReturnType<typeof openView>>;

export type ViewOptions = {
  readonly width?: number;
  readonly wallet?: TestWallet;
  /** In the same browser as this page, with all that it remembers. */
  readonly beside?: Page;
  /** In a session that no other test gets: its clock is moved, or it keeps a service worker. */
  readonly isAlone?: boolean;
};

/** Of people whom no test needs now: what they had stored is forgotten, what was loaded and compiled serves the next one. */
const free: BrowserContext[] = [];

/** Closes its pages but a small one: as long as a page of the site is open, its process stays. */
async function forget(session: BrowserContext): Promise<void> {
  const pages = session.pages();
  const origin = new URL(pages.at(-1)?.url() ?? '').origin;
  const small = `${origin}/llms.txt`;
  const holder = pages.find((page) => page.url() === small) ?? (await session.newPage());
  if (holder.url() !== small) await holder.goto(small);
  for (const page of pages) if (page !== holder) await page.close();
  const devTools = await session.newCDPSession(holder);
  await devTools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await devTools.detach();
  await session.clearPermissions();
}

/** Closed with the test. */
export async function openView(
  context: Pick<TestContext, 'after'> & Partial<Pick<TestContext, 'diagnostic'>>,
  browser: Browser,
  url: string,
  { width = usualWidth, wallet, beside, isAlone = false }: ViewOptions = {},
) {
  const session = beside?.context() ?? (await openSession(context, browser, isAlone));
  const page = await session.newPage();
  if (width !== usualWidth) await page.setViewportSize({ width, height });
  page.setDefaultTimeout(patienceMs);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  const spent = { clicks: 0, transactions: 0 };
  page.on('request', (request) => {
    if (request.postData()?.includes('"eth_sendRawTransaction"')) spent.transactions++;
  });
  await page.exposeFunction('countClick', () => {
    spent.clicks++;
  });
  await page.addInitScript({
    content: "addEventListener('click', ({ isTrusted }) => { if (isTrusted) countClick(); }, true)",
  });
  if (wallet !== undefined) await injectWallet(page, wallet);
  await page.goto(url);
  return {
    page,
    /** Errors of the console, of scripts and of the policy, as they come. */
    complaints,
    /** What a person has done on it so far: clicks, and transactions of a visitor, whose key the page has. */
    spent: () => ({ ...spent }),
  };
}

/** What a page says while it is not complete. */
const stillLoading = /(loading|Loading|Reading|Preparing|Simulating) .*…/;

/** A picture for README and guides, in the folder that `npm run web:shots` names; nothing in other runs. */
export async function shoot(page: Page, file: string, height = 700, top?: Locator): Promise<void> {
  const folder = process.env.SVC_TEST_SHOTS;
  if (folder === undefined) return;
  const size = page.viewportSize() ?? { width: usualWidth, height };
  await page.setViewportSize({ width: 1_080, height });
  await page.mouse.move(0, 0);
  await until(async () => (await page.getByText(stillLoading).count()) === 0);
  // What else loads above it moves it.
  await page.waitForTimeout(1_000);
  await page.evaluate('scrollTo(0, 0)');
  const place = await top?.boundingBox();
  if (place) await page.evaluate(`scrollTo(0, ${place.y - 96})`);
  await page.screenshot({ path: join(folder, file) });
  await page.setViewportSize(size);
}

/** For this test. */
async function openSession(
  context: Parameters<typeof openView>[0],
  browser: Browser,
  isAlone: boolean,
): Promise<BrowserContext> {
  const viewport = { width: usualWidth, height };
  // Without a graphics card each frame of an animation is drawn by the processor: half of the browser's time.
  const create = () => browser.newContext({ viewport, reducedMotion: 'reduce' });
  const session = (isAlone ? undefined : free.pop()) ?? (await create());
  context.after(async () => {
    // The types of Node do not know this property yet.
    const hasFailed = 'passed' in context && context.passed === false;
    if (hasFailed) for (const page of session.pages()) context.diagnostic?.(await describePage(page));
    // A handler may still be waiting for the reply that it alters.
    for (const page of session.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' });
    // Where the test has closed all pages, there is nothing to keep.
    if (hasFailed || isAlone || session.pages().length === 0) return session.close();
    await forget(session);
    free.push(session);
  });
  return session;
}

/** What a failed test saw last: an open dialog, else the whole page. */
async function describePage(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog');
  const shown = (await dialog.count()) > 0 ? dialog.first() : page.locator('body');
  const text = await shown.innerText({ timeout: 5_000 }).catch((error: Error) => error.message);
  return `${page.url()} shows: ${text}`;
}
