// The posting form: a draft that nothing loses, templates, a preview that is the page, files, Markdown, and plans.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseUsdc } from '#sdk/domain/amount.ts';
import { openView } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { checkBarriers } from './barriers.ts';
import { browser, enterCast, gateway, openAs, options, walletOf } from './scene.ts';
import { connect, fill, openStep, sign, signing, writePost } from './walletSteps.ts';

const markdown = [
  '## Photographs',
  '**Ten** birds, see https://work.example/birds.',
  '![cat](https://tracker.example/pixel.png) [here](javascript:globalThis.broken=1)',
  '<img src="https://tracker.example/2.png" onerror="globalThis.broken=2">',
].join('\n');

describe('the posting form', options, () => {
  test('a draft survives a closed tab, looks in the preview as on its page, and is posted with its file', async (context) => {
    const cast = await enterCast('micro');
    const wallet = walletOf('newcomer');
    const url = `${gateway.url()}/market.html?market=micro&post=new&who=anyone`;
    const first = await openView(context, browser, url, { wallet });
    // As much time to look at a delivery as posters have who write by tools.
    await openStep(first.page, 'Reward and time');
    assert.ok(await first.page.getByRole('radio', { name: '3 days' }).last().isChecked());
    await first.page.goBack();
    // Only what was left is complained about, and nothing after a new start.
    await first.page.getByLabel('Title').fill('A');
    await first.page.getByLabel('Title').fill('');
    await first.page.getByLabel('The work').fill('Birds');
    await first.page.getByText('Enter a title.').waitFor();
    assert.equal(await first.page.locator('[aria-invalid]').count(), 1);
    await first.page.getByText('Still to fill in: Title, Accepted when.').waitFor();
    assert.ok(await first.page.getByRole('button', { name: 'Next: reward and time' }).isDisabled());
    await first.page.getByLabel('Accepted when').fill('The colours look nice.');
    await first.page.getByText('A judge cannot check “nice”').waitFor();
    await first.page.getByRole('button', { name: 'Start again' }).click();
    await first.page.getByText('Enter a title.').waitFor({ state: 'detached' });
    await first.page.getByLabel('Start from').selectOption('Data labelling');
    await first.page.getByLabel('Title').fill('Name the birds');
    await first.page.getByLabel('Start from').selectOption('Bug fix');
    await first.page.getByRole('button', { name: 'Bring back what I had typed' }).click();
    assert.equal(await first.page.getByLabel('Title').inputValue(), 'Name the birds');
    await first.page.getByLabel('The work').fill(markdown);
    await first.page.getByRole('button', { name: 'Next: reward and time' }).click();
    await fill(first.page, { 'Amount 1': '20 TOK', 'Amount 2': '30' });
    await first.page.getByRole('radio', { name: 'A date…' }).check();
    await first.page.getByLabel('Due on').fill('2030-01-01T12:00');
    await first.page.getByText('It must be within 365 days.').waitFor();
    await first.page.getByRole('radio', { name: '2 weeks' }).check();
    await first.page.getByText('your time, then 1 d of grace').waitFor();

    const { page, complaints } = await openView(context, browser, url, { wallet, beside: first.page });
    await first.page.close();
    assert.equal(await page.getByLabel('The work').inputValue(), markdown);
    await openStep(page, 'Reward and time');
    assert.ok(await page.getByRole('radio', { name: '2 weeks' }).isChecked());
    await openStep(page, 'What');
    await connect(page);
    await page.getByLabel('Files').setInputFiles({
      name: 'birds.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('1. robin'),
    });
    await page.getByRole('button', { name: 'Sign in at this gateway' }).click();
    await page.getByText(', uploaded').waitFor();
    const sign = page.locator(signing);
    await openStep(page, 'Reward and time');
    const pays = page.getByText('You pay now');
    await pays.waitFor();
    for (const wrong of ['3..0 TOK', '$3..0']) {
      await page.getByLabel('Amount 2').fill(wrong);
      await page.getByText('To correct: Reward.').waitFor();
      await openStep(page, 'Review and pay');
      await page.getByText('To correct: Reward.').waitFor();
      assert.ok(await sign.isDisabled(), 'the costs of the last valid amount cannot be signed');
      assert.equal(await pays.count(), 0);
      await openStep(page, 'Reward and time');
    }
    await page.getByLabel('Amount 2').fill('30 TOK');
    await pays.waitFor();
    await openStep(page, 'Review and pay');
    await page.getByText('Details', { exact: true }).click();
    // Collateral that leaves elsewhere has to come again, and the last post of today may be used elsewhere.
    const goOn = page.getByRole('button', { name: 'Go on with this' });
    const { poster, contracts } = cast;
    await poster.write(contracts.deposits, 'withdraw', [parseUsdc('45'), poster.address]);
    await page.getByRole('alert').getByText('There is a new cost.').waitFor();
    assert.ok(await sign.isDisabled());
    await goOn.click();
    await page.getByText('Collateral you still need').waitFor();
    await sign.and(page.locator(':enabled')).waitFor();
    await page.route('**/api/posting/quota*', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), remaining: 0 } });
    });
    const usedUp = page.getByRole('alert').getByText('posts of today is used');
    await until(async () => {
      // As a reader who comes back to the tab.
      await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
      return usedUp.isVisible();
    });
    assert.ok(await sign.isDisabled());
    await goOn.click();
    await sign.and(page.locator(':enabled')).waitFor();
    const outside: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('example')) outside.push(request.url());
    });
    const words = page.getByRole('article', { name: 'Description' }).locator('.markdown');
    const previewed = await words.innerHTML();
    assert.match(previewed, /<h4[^>]*>Photographs<\/h4>/);
    await sign.click();
    await page.getByRole('heading', { level: 2, name: 'History' }).waitFor();
    await page.getByRole('heading', { level: 1, name: 'Name the birds' }).waitFor();
    assert.equal(await words.innerHTML(), previewed, 'the page shows what the preview showed');
    await page.getByText('First 10 %, to agree on hard cases').waitFor();
    await page.getByRole('button', { name: 'Open birds.txt' }).click();
    await page.getByText('1. robin').waitFor();
    assert.deepEqual(outside, [], 'no picture was loaded');
    assert.equal(await page.evaluate('globalThis.broken'), undefined);
    assert.equal(await page.locator('main img, a[href^="javascript"]').count(), 0);
    await checkBarriers(page);
    await page.goto(url);
    await page.getByLabel('Title').waitFor();
    assert.equal(await page.getByLabel('Title').inputValue(), '', 'what is posted is no draft');
    assert.deepEqual([...first.complaints, ...complaints], []);
  });

  test('a file that the gateway refuses stays in the list, and the words are counted in the bytes they take', async (context) => {
    const path = '/market.html?market=standard&post=new&who=anyone';
    // The browser complains of the refusal.
    const { page } = await openAs(
      context,
      'publisher',
      path,
      (complaint) => !/status of 403/.test(complaint),
    );
    const words = { Title: 'Bind a book', 'Accepted when': 'It holds.' };
    await writePost(page, words, '1500 TOK');
    await openStep(page, 'What');
    await page.getByText(/^\d{3} of 4,096 bytes on chain$/).waitFor();
    await page.getByLabel('The work').fill('x'.repeat(4_096));
    await page
      .getByText(/^4,\d{3} of 4,096 bytes on chain$/)
      .and(page.locator('[data-tone=risk]'))
      .waitFor();
    await page.getByLabel('The work').fill('');
    const file = { name: 'cover.txt', mimeType: 'text/plain', buffer: Buffer.from('blue') };
    await page.getByLabel('Files').setInputFiles(file);
    await page.getByRole('button', { name: 'Sign in at this gateway' }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'cover.txt' });
    await row.getByText(/collateral/i).waitFor();
    // Its bytes are gone with the page; what was promised with it is not forgotten.
    await page.reload();
    await row.getByText('choose it again, or remove it').waitFor();
    await openStep(page, 'Review and pay');
    await page.getByText('The files are not uploaded yet.').waitFor();
    assert.ok(await page.locator(signing).isDisabled());
    await openStep(page, 'What');
    const many = Array.from({ length: 101 }, (_, at) => ({ ...file, name: `page-${at}.txt` }));
    await page.getByLabel('Files').setInputFiles(many);
    await page.getByText('not taken: at most 100 files fit').nth(1).waitFor();
    await row.getByRole('button', { name: 'Remove cover.txt' }).click();
    await row.waitFor({ state: 'detached' });
  });

  test('a poster sees the plans with their prices and buys one', async (context) => {
    const path = '/market.html?market=standard&post=new&who=anyone';
    const { page } = await openAs(context, 'visitor', path);
    await page.getByText(/posts of the free plan left today; each pays the access fee/).waitFor();
    await page.getByText('More posts a day: plans and prices').click();
    await page.getByText('20 USDC for 30 days, or 3,600 TOK (10 % less)').waitFor();
    await page.getByRole('button', { name: 'Buy Basic with USDC' }).click();
    const dialog = page.getByRole('dialog', { name: 'Buy a posting plan' });
    await dialog.getByText('20 USDC').first().waitFor();
    await sign(page);
    await page.getByText(/2[45] posts of the basic plan left today/).waitFor();
  });
});
