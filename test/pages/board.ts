// The board: search, filters and order stand in the address; keys walk the rows; changes arrive without a reload.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildDocumentUri } from '#domain/document.ts';
import { createCast } from '../../scripts/play/cast.ts';
import { enter } from '../../scripts/play/stories.ts';
import type { Scene } from '../pages.test.ts';
import { openView } from '../support/browser.ts';
import { postTask } from '../support/posting.ts';

export function testBoard(sceneOf: () => Scene): void {
  const open = (context: Parameters<typeof openView>[0], path: string) =>
    openView(context, sceneOf().browser, sceneOf().gateway.url() + path);

  test('a search narrows the rows, stands in the address and survives a reload', async (context) => {
    const { page } = await open(context, '/market.html?view=all');
    await page.getByRole('row').nth(10).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('map parser');
    await page.getByText('1 of').waitFor();
    assert.match(page.url(), /q=map\+parser/);
    await page.reload();
    await page.getByText('1 of').waitFor();
    assert.equal(await page.getByRole('row').count(), 2);
  });

  test('filters by amount, funding and deadline leave only what fits', async (context) => {
    const { page } = await open(context, '/market.html?min=20000&funding=full&sort=amount');
    await page.getByRole('table').waitFor();
    const amounts = await page.locator('td.c-amount .tok').allTextContents();
    const values = amounts.map((text) => Number.parseFloat(text.replaceAll(',', '')));
    assert.ok(values.length > 0 && values.every((value) => value >= 20_000));
    assert.deepEqual(
      values,
      [...values].sort((left, right) => right - left),
    );
    await page.goto(`${sceneOf().gateway.url()}/market.html?min=999999999`);
    await page.getByText('None of the').waitFor();
  });

  test('j and k walk the rows and Enter opens one; the way back leads to the same view', async (context) => {
    const { page } = await open(context, '/market.html?sort=amount');
    await page.getByRole('table').waitFor();
    const titles = await page.locator('.c-title a').allTextContents();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: titles[1] ?? '' }).waitFor();
    await page.goBack();
    await page.getByRole('table').waitFor();
    assert.match(page.url(), /sort=amount/);
  });

  test('a task that is posted appears without a reload, and waits while the pointer is on the list', async (context) => {
    const { page } = await open(context, '/market.html?market=micro');
    await page.getByRole('table').waitFor();
    const before = await page.locator('.c-title a').allTextContents();
    await page.locator('.c-title a').first().hover();
    const cast = await createCast(sceneOf().gateway.devnet.rpcUrl, 'micro');
    await enter(cast, () => undefined);
    const title = 'Count the chairs in a photograph';
    await postTask(cast, {
      uri: buildDocumentUri({ title, description: '', criteria: 'All of them.', tags: [] }),
    });
    await page.getByText('1 new, shown when the pointer leaves the list').waitFor();
    assert.deepEqual(await page.locator('.c-title a').allTextContents(), before);
    await page.mouse.move(5, 5);
    await page.getByRole('link', { name: title }).waitFor();
    assert.equal((await page.locator('.c-title a').allTextContents())[0], title);
  });

  test('a lost connection is said, what was shown stays, and the page goes on by itself', async (context) => {
    const { page } = await open(context, '/market.html');
    await page.getByText('Live, block').waitFor();
    const rows = await page.getByRole('row').count();
    await page.context().setOffline(true);
    await page.getByText('The service does not answer; trying again').waitFor();
    assert.equal(await page.getByRole('row').count(), rows);
    await page.context().setOffline(false);
    await page.getByText('Live, block').waitFor();
  });
}
