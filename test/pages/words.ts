// How much there is to read: a first look at a page or a sheet stays short, and what is signed stands in it.
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openView } from '../support/browser.ts';
import { browser, gateway, openAs, options } from './scene.ts';
import { accepts, claims, signing } from './walletSteps.ts';

const width = 1_440;

describe('words', options, () => {
  /** As a reader sees it: what is folded does not count. */
  const expectWords = (context: TestContext, text: string, most: number) => {
    const count = text.split(/\s+/).filter(Boolean).length;
    context.diagnostic(`${count} words of ${most}`);
    assert.ok(count <= most, `${count} words: ${text}`);
  };
  const textOf = (page: Page) => page.evaluate<string>('document.body.innerText');
  const openSheet = async (page: Page, button: RegExp) => {
    await page.getByRole('button', { name: button }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.locator(signing).and(page.locator(':enabled')).waitFor();
    return dialog.innerText();
  };

  test('the hub has at most 260 words', async (context) => {
    const { page } = await openView(context, browser, gateway.url(), { width });
    await page.getByText('Paid out so far').waitFor();
    await page.getByText('Live, block').waitFor();
    await page.locator('.tile').nth(2).getByRole('link').waitFor();
    expectWords(context, await textOf(page), 260);
  });

  test('an open task has at most 260 words, and its claim 60 with the amount, the lock, the gain and the risk', async (context) => {
    const { page } = await openAs(context, 'newcomer', '/market.html?task=v2:standard:56');
    await page.getByRole('heading', { level: 1, name: 'Sixty-four object labels' }).waitFor();
    await page.setViewportSize({ width, height: 900 });
    await page.getByText('Tasks paid').waitFor();
    await page.getByRole('button', { name: claims }).waitFor();
    expectWords(context, await textOf(page), 260);
    const sheet = await openSheet(page, claims);
    expectWords(context, sheet, 60);
    assert.match(sheet, /Earn \$125.*1,000 TOK \(\$5\.00\).*5 USDC.*26,000 TOK \(\$130\.00\)/s);
    assert.match(sheet, /Nothing delivered by .*: the locked USDC go to the poster\..*Claim, pay \$5\.00/s);
  });

  test('a delivery has at most 200 words, and its acceptance 60 with amount, full address, silence and risk', async (context) => {
    const { page } = await openAs(context, 'archive', '/market.html?task=v2:standard:43');
    await page.getByRole('heading', { level: 1, name: 'Parse eighty years' }).waitFor();
    await page.setViewportSize({ width, height: 900 });
    await page.getByText('Tasks done').waitFor();
    await page.getByRole('button', { name: 'Open layouts.md' }).waitFor();
    await page.getByRole('button', { name: accepts }).waitFor();
    expectWords(context, await textOf(page), 200);
    const sheet = await openSheet(page, accepts);
    expectWords(context, sheet, 60);
    assert.match(sheet, /Pay \$115\.00.*23,000 TOK \(\$115\.00\) to the worker/s);
    assert.match(sheet.replace(/\s/g, ''), /0x[0-9a-fA-F]{40}/);
    assert.match(sheet, /pays the same, .*Final\. Open the files first\./s);
  });
});
