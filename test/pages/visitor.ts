// Two first-time visitors without a wallet: from the front page to a paid task, with what each must do next on its own page.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openView, shoot } from '../support/browser.ts';
import { checkBarriers } from './barriers.ts';
import { browser, gateway, options } from './scene.ts';
import { accepts, act, claims, signing, startVisitor, writePost } from './walletSteps.ts';

const maxClicks = 25;

describe('visitors', options, () => {
  test('two visitors with test money take a task from the post to the payment in at most 25 clicks', async (context) => {
    const start = async () => {
      const view = await openView(context, browser, 'about:blank');
      await startVisitor(view.page, gateway.url());
      await shoot(view.page, 'visitor-home.png');
      return view;
    };
    const expectTurn = async (page: Page, sentence: string) => {
      await page.goto(`${gateway.url()}/my.html`);
      const needed = page.getByRole('region', { name: 'Needs you now' });
      await needed.getByText(sentence).waitFor();
      if (page === poster.page) await shoot(page, 'visitor-turn.png');
      await needed.getByRole('link', { name: 'Water the plants' }).click();
    };

    const poster = await start();
    await poster.page.getByRole('link', { name: 'Post a standard task' }).click();
    const work = { Title: 'Water the plants', 'Accepted when': 'All of them, twice.' };
    await writePost(poster.page, work, '7.50');
    await poster.page.getByText('You pay now').waitFor();
    await poster.page.getByText('1,500 TOK').first().waitFor();
    await shoot(poster.page, 'post.png');
    await poster.page.locator(signing).click();
    await poster.page.getByRole('heading', { level: 1, name: 'Water the plants' }).waitFor();

    const worker = await start();
    await worker.page.getByRole('link', { name: 'Find funded work' }).click();
    await worker.page.getByRole('link', { name: 'Water the plants' }).click();
    await act(worker.page, claims, async (page) => {
      await page.getByText('Access fee').waitFor();
      await shoot(page, 'claim.png');
    });
    await expectTurn(poster.page, 'Your turn: start the work');
    await act(poster.page, 'Start the work');
    await expectTurn(worker.page, 'Your turn: deliver');
    await poster.page.goto(`${gateway.url()}/my.html`);
    await poster.page.getByText('Waiting for the worker').waitFor();
    await act(worker.page, 'Deliver', (dialog) =>
      dialog.getByLabel('Note to the poster').fill('Done, twice.'),
    );
    await poster.page.getByText('Your turn: review the delivery').waitFor();
    assert.equal(await poster.page.title(), '(1) My work · svc');
    const badge = poster.page.getByRole('link', { name: 'My work 1 waiting for you' });
    await badge.waitFor();
    await checkBarriers(poster.page);
    await poster.page.getByRole('link', { name: 'Water the plants' }).click();
    await badge.waitFor();
    await act(poster.page, accepts);
    await worker.page.goto(`${gateway.url()}/my.html`);
    await worker.page
      .getByRole('region', { name: 'Finished' })
      .getByText('Done: everything was paid to you.')
      .waitFor();
    await shoot(worker.page, 'visitor-paid.png');
    const clicks = poster.spent().clicks + worker.spent().clicks;
    assert.ok(clicks <= maxClicks, `${clicks} clicks`);
    context.diagnostic(`${clicks} clicks`);
    assert.deepEqual([...poster.complaints, ...worker.complaints], []);
  });
});
