// A real Chromium for the pages' tests, and views in it that remember every complaint of the browser.
import { existsSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { injectWallet, type TestWallet } from './testWallet.ts';

const places = [
  process.env.SVC_TEST_BROWSER,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Undefined where there is none; with SVC_REQUIRE_BROWSER that is a failure, so that no run is green by silence. */
export const browserPath: string | undefined = places.find(
  (place) => place !== undefined && existsSync(place),
);
if (browserPath === undefined && process.env.SVC_REQUIRE_BROWSER !== undefined)
  throw new Error('no Chromium was found: install it, or name it in SVC_TEST_BROWSER');

export function launchBrowser(): Promise<Browser> {
  if (browserPath === undefined) throw new Error('no Chromium was found');
  return chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
}

export type View = {
  readonly page: Page;
  /** Errors of the console, of scripts and of the policy, as they come. */
  readonly complaints: string[];
};

export type ViewOptions = {
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  readonly wallet?: TestWallet;
};

/** Closed with the test. */
export async function openView(
  context: TestContext,
  browser: Browser,
  url: string,
  { theme = 'light', width = 1280, wallet }: ViewOptions = {},
): Promise<View> {
  const options: BrowserContextOptions = { colorScheme: theme, viewport: { width, height: 844 } };
  const session = await browser.newContext(options);
  context.after(() => session.close());
  const page = await session.newPage();
  page.setDefaultTimeout(30_000);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  if (wallet !== undefined) await injectWallet(page, wallet);
  await page.goto(url);
  return { page, complaints };
}
