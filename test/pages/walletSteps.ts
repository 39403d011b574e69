// Steps that a person takes with a wallet on a page.
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';

/** The button that asks the wallet: it says what it costs. */
export const signing = '.signbar [data-is=main]';
/** The buttons of a task, which say what they bring or cost where there is a price. */
export const claims = /^Claim (this task|and earn .*)$/;
export const accepts = /^Accept and pay /;

export async function connect(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Connect wallet' }).click();
  await page.getByRole('button', { name: 'Test wallet' }).click();
  await page.locator('header button .mono').waitFor();
}

/** Starts as somebody without a wallet, who gets test money. */
export async function startVisitor(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByRole('button', { name: 'Try as a visitor' }).click();
  await page.getByRole('heading', { name: 'My work' }).waitFor();
  await page.getByText('20,000 TOK').waitFor();
}

/** Fills the fields of a form, each by its label. */
export async function fill(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label).fill(text);
}

/** Of the posting form. */
type PostStep = 'What' | 'Reward and time' | 'Review and pay';

export async function openStep(page: Page, step: PostStep): Promise<void> {
  await page.getByRole('list', { name: 'Steps' }).getByRole('link', { name: step }).click();
}

/** Fills the steps of the posting form up to the last one. A field takes the Enter key for the next step, as the button does. */
export async function writePost(
  page: Page,
  words: Readonly<Record<string, string>>,
  reward: string,
): Promise<void> {
  await fill(page, words);
  await page.getByRole('button', { name: 'Next: reward and time' }).click();
  await page.getByLabel('Reward', { exact: true }).fill(reward);
  await page.getByLabel('Reward', { exact: true }).press('Enter');
  await page.getByRole('region', { name: 'What you post' }).waitFor();
}

/** Opens an action of a task, fills its form, signs, again where it `stops` with these words, and closes it once the market shows it. */
export async function act(
  page: Page,
  action: string | RegExp,
  fill?: (dialog: Page) => Promise<void>,
  stops?: string,
): Promise<void> {
  await page.getByRole('button', { name: action, exact: true }).click();
  const dialog = page.getByRole('dialog');
  await openDetails(dialog);
  await fill?.(page);
  await dialog.getByRole('rowheader', { name: /^Gas/ }).waitFor();
  for (const word of ['What can I lose?', 'Can I undo this?', 'What happens next?'])
    await dialog.getByText(word, { exact: true }).waitFor();
  await checkInSight(page, dialog.locator(signing));
  await page.locator(signing).click();
  if (stops !== undefined) {
    await dialog.getByText(stops).waitFor();
    await dialog.getByRole('button', { name: 'Try again' }).click();
  }
  await page.getByText('Done. The market shows it.').waitFor();
  const close = dialog.getByRole('button', { name: 'Close' }).last();
  await checkInSight(page, close);
  await close.click();
}

/** Every cost and risk, which a reader opens who wants more than the lines above the button; no click of the way on. */
export async function openDetails(shown: Locator): Promise<void> {
  await shown.locator('.fold', { hasText: 'Details' }).evaluate((fold) => {
    Object.assign(fold, { open: true });
  });
}

/** Signs in the open dialog, and closes it once the market shows what was done. */
export async function sign(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.locator(signing).click();
  await page.getByText('Done. The market shows it.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
}

/** Without scrolling. */
async function checkInSight(page: Page, button: Locator): Promise<void> {
  const { y, height } = (await button.boundingBox()) ?? { y: -1, height: 0 };
  assert.ok(y >= 0 && y + height <= (page.viewportSize()?.height ?? 0), `it is at ${y}`);
}
