// Steps that a person takes with a wallet on a page.
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { TestGateway } from '../support/gateway.ts';
import { until } from '../support/until.ts';

export async function connect(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Connect wallet' }).click();
  await page.getByRole('button', { name: 'Test wallet' }).click();
  await page.locator('header button .mono').waitFor();
}

/** Opens an action of a task, fills its form, signs, again where it `stops` with these words, and closes it once the market shows it. */
export async function act(
  page: Page,
  action: string,
  fill?: (dialog: Page) => Promise<void>,
  stops?: string,
): Promise<void> {
  await page.getByRole('button', { name: action, exact: true }).click();
  await fill?.(page);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('rowheader', { name: /^Gas/ }).waitFor();
  for (const word of ['What can I lose?', 'Can I undo this?'])
    await dialog.getByText(word, { exact: true }).waitFor();
  await checkInSight(page, dialog.getByRole('button').last());
  await page.getByRole('button', { name: 'Sign with your wallet' }).click();
  if (stops !== undefined) {
    await dialog.getByText(stops).waitFor();
    await dialog.getByRole('button', { name: 'Try again' }).click();
  }
  await page.getByText('Done. The market shows it.').waitFor();
  const close = dialog.getByRole('button', { name: 'Close' }).last();
  await checkInSight(page, close);
  await close.click();
}

/** Signs in the open dialog, and closes it once the market shows what was done. */
export async function sign(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Sign with your wallet' }).click();
  await page.getByText('Done. The market shows it.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
}

/** Without scrolling. */
async function checkInSight(page: Page, button: Locator): Promise<void> {
  const { y, height } = (await button.boundingBox()) ?? { y: -1, height: 0 };
  assert.ok(y >= 0 && y + height <= (page.viewportSize()?.height ?? 0), `it is at ${y}`);
}

/** Moves the chain's clock, and waits until the service reports the new time. */
export async function advance({ devnet, get }: TestGateway, seconds: number): Promise<void> {
  const timeOf = async () => (await get('/api/union/overview')).body.updatedAt;
  const target = (await timeOf()) + seconds;
  await devnet.clock.advance(seconds);
  await until(async () => (await timeOf()) >= target);
}
