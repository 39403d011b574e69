// A real Chromium for the pages' tests, and views in it that remember every complaint of the browser.
import type { TestContext } from 'node:test';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { browserPath } from '../../scripts/browserPath.ts';
import { injectWallet, type TestWallet } from './testWallet.ts';

// Skipped tests look like good ones: where a browser is promised, as in continuous integration, its absence is a failure.
if (browserPath === undefined && process.env.SVC_REQUIRE_BROWSER !== undefined)
  throw new Error('no Chromium was found: install it, or name it in SVC_TEST_BROWSER');

/** Long: it only separates “never” from “slowly”. */
const patienceMs = 120_000;

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
  const args = ['--no-sandbox', ...drawing, `--disable-features=${unusedFeatures.join(',')}`];
  return chromium.launch({ executablePath: browserPath, args, timeout: patienceMs });
}

export type View = {
  readonly page: Page;
  /** Errors of the console, of scripts and of the policy, as they come. */
  readonly complaints: string[];
  /** What a person has done on it so far: clicks, and transactions of a visitor, whose key the page has. */
  readonly spent: () => { readonly clicks: number; readonly transactions: number };
};

export type ViewOptions = {
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  readonly wallet?: TestWallet;
  /** In the same browser as this page, with all that it remembers. */
  readonly beside?: Page;
};

/** Closed with the test. */
export async function openView(
  context: Pick<TestContext, 'after'> & Partial<Pick<TestContext, 'diagnostic'>>,
  browser: Browser,
  url: string,
  { theme = 'light', width = 1280, wallet, beside }: ViewOptions = {},
): Promise<View> {
  const options: BrowserContextOptions = {
    colorScheme: theme,
    viewport: { width, height: 844 },
    // Without a graphics card each frame of an animation is drawn by the processor: half of the browser's time.
    reducedMotion: 'reduce',
  };
  const session = beside?.context() ?? (await browser.newContext(options));
  if (beside === undefined)
    context.after(async () => {
      // The types of Node do not know this property yet.
      if ('passed' in context && context.passed === false)
        for (const page of session.pages()) context.diagnostic?.(await describePage(page));
      // A handler may still be waiting for the reply that it alters.
      for (const page of session.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' });
      await session.close();
    });
  const page = await session.newPage();
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
  return { page, complaints, spent: () => ({ ...spent }) };
}

/** What a failed test saw last: an open dialog, else the whole page. */
async function describePage(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog');
  const shown = (await dialog.count()) > 0 ? dialog.first() : page.locator('body');
  const text = await shown.innerText({ timeout: 5_000 }).catch((error: Error) => error.message);
  return `${page.url()} shows: ${text}`;
}
