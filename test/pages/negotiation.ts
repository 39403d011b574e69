// Two wallets negotiate a private task on the messages page, from the first offer to the payment.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type AccountName, accountOf } from '#service/devnet/accounts.ts';
import { openView } from '../support/browser.ts';
import { createCast, enter } from '../support/cast.ts';
import { postTask } from '../support/posting.ts';
import { createTestWallet } from '../support/testWallet.ts';
import { checkBarriers } from './appearance.ts';
import type { Scene } from './scene.ts';
import { act, connect } from './walletSteps.ts';

const newest = 'ol.messages > li:last-child';

export function testNegotiation(sceneOf: () => Scene): void {
  let openTask: string;
  before(async () => {
    const cast = await createCast(sceneOf().gateway.devnet.rpcUrl, 'standard');
    await enter(cast);
    openTask = await postTask(cast, { dueIn: 10 * 86_400 });
  });

  async function open(context: Parameters<typeof openView>[0], who: AccountName, path: string) {
    const { browser, gateway } = sceneOf();
    const wallet = createTestWallet('Test wallet', accountOf(who).privateKey, gateway.devnet.rpcUrl);
    const view = await openView(context, browser, gateway.url() + path, { wallet });
    await connect(view.page);
    return view;
  }
  async function signIn(page: Page): Promise<void> {
    await page.getByText('The operator of this gateway can read messages.').waitFor();
    await page.getByRole('button', { name: 'Sign in at this gateway' }).click();
    await page.getByRole('heading', { name: 'Conversations' }).waitFor();
  }
  async function signTerms(page: Page, button: string): Promise<void> {
    await page.getByRole('button', { name: button }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('for each of the two parties').first().waitFor();
    await dialog.getByRole('button', { name: 'Sign in your wallet' }).click();
    await dialog.waitFor({ state: 'detached' });
  }

  test('offer, counter-offer, agreement, and a private task with an encrypted file that is paid', async (context) => {
    const { gateway } = sceneOf();
    const poster = await open(context, 'newcomer', '/messages.html');
    await signIn(poster.page);
    await poster.page.getByRole('link', { name: 'New message' }).click();
    await poster.page.getByLabel('To', { exact: true }).fill(accountOf('visitor').address);
    await poster.page.getByRole('button', { name: 'An offer' }).click();
    await poster.page.getByLabel('Title').fill('Translate a letter');
    await poster.page.getByLabel('Acceptance criteria').fill('Every sentence is there.');
    await poster.page.getByLabel('Amount, TOK').fill('1500');
    await checkBarriers(poster.page);
    await poster.page.getByRole('button', { name: 'Send the offer' }).click();
    await poster.page.getByText('Waiting for an answer to your offer.').waitFor();

    const worker = await open(context, 'visitor', '/messages.html');
    await signIn(worker.page);
    await worker.page.getByText('1 new').waitFor();
    await worker.page.getByRole('link', { name: 'Translate a letter' }).click();
    await worker.page.getByText('Every sentence is there.').waitFor();
    await worker.page.getByRole('button', { name: 'Offer other terms' }).click();
    await worker.page.getByLabel('Amount, TOK').fill('1800');
    await worker.page
      .getByLabel('Acceptance criteria')
      .fill('Every sentence is there, and no name is translated.');
    await worker.page.getByLabel('Why (optional)').fill('It is longer than you said.');
    await worker.page.getByRole('button', { name: 'Send the counter-offer' }).click();

    // The poster's page updates without a reload, and marks what differs.
    const counter = poster.page.locator(newest);
    await counter.getByText('made a counter-offer').waitFor();
    await counter.locator('del', { hasText: '1,500' }).waitFor();
    await counter.locator('ins', { hasText: '1,800' }).waitFor();
    await counter.locator('ins', { hasText: 'and no name is translated.' }).waitFor();
    assert.equal(await counter.locator('[data-is=changed]').count(), 2, await counter.innerText());
    await checkBarriers(poster.page);
    await poster.page.getByLabel('Your message').fill('Agreed, thank you.');
    await poster.page.getByRole('button', { name: 'Send', exact: true }).click();
    await worker.page.getByText('Agreed, thank you.').waitFor();
    await signTerms(poster.page, 'Accept the offer');
    await signTerms(worker.page, 'Sign the terms');
    await act(poster.page, 'Create the task', async (page) => {
      await page.getByRole('row', { name: /Access fee/ }).waitFor();
    });
    await worker.page.getByText('This became').waitFor();
    await poster.page.getByRole('link', { name: /^task v2:standard:/ }).click();

    await poster.page.getByText('private: found only by its id').waitFor();
    await act(poster.page, 'Start the work');
    const id = new URL(poster.page.url()).searchParams.get('task') ?? '';
    await worker.page.goto(`${gateway.url()}/market.html?task=${id}`);
    await act(worker.page, 'Deliver', async (page) => {
      await page.getByLabel('Note to the poster').fill('The letter, in English.');
      const letter = { name: 'letter.txt', mimeType: 'text/plain', buffer: Buffer.from('Hello Ada,') };
      await page.getByLabel('Files').setInputFiles(letter);
      await page.getByText(', uploaded').waitFor();
      await page.getByRole('button', { name: 'Send it to the other party' }).click();
      await page.getByText('Sent to the other party.').waitFor();
    });
    const { body } = await gateway.get(`/api/market/task?id=${id}`);
    assert.deepEqual(
      [body.task.deliveries[0].uri, body.task.deliveries[0].documentState],
      ['', 'unavailable'],
    );
    await poster.page.getByText('Verified: these are exactly the words').waitFor();
    await poster.page.getByRole('button', { name: 'Open letter.txt' }).click();
    await poster.page.getByText('Hello Ada,').waitFor();

    await poster.page.getByRole('button', { name: 'Request a change' }).click();
    await poster.page.getByText('This does not stop the review time').waitFor();
    await poster.page.getByLabel('What should change').fill('Add the date, please.');
    await poster.page.getByRole('button', { name: 'Send the request' }).click();
    await poster.page.getByText('Sent to the worker.').waitFor();
    await poster.page.keyboard.press('Escape');
    await worker.page.goto(`${gateway.url()}/messages.html`);
    await worker.page
      .getByRole('link', { name: /Translate a letter|About task/ })
      .first()
      .click();
    await worker.page.getByText('Add the date, please.').waitFor();
    await act(poster.page, 'Accept the milestone');
    await poster.page.getByText('Done: everything was paid to the worker.').waitFor();
    assert.deepEqual([...poster.complaints, ...worker.complaints], []);
  });

  test('a worker applies to an open task with other terms', async (context) => {
    const worker = await open(context, 'visitor', `/market.html?task=${openTask}`);
    await worker.page.getByRole('link', { name: 'Apply with other terms' }).click();
    await worker.page.getByRole('button', { name: 'Sign in at this gateway' }).click();
    await worker.page.getByLabel('Title').fill('Birds, with their Latin names');
    await worker.page.getByLabel('Acceptance criteria').fill('Ten names.');
    assert.equal(await worker.page.getByLabel('Amount, TOK').inputValue(), '1000');
    await worker.page.getByLabel('Amount, TOK').fill('1100');
    await worker.page.getByRole('button', { name: 'Send the offer' }).click();
    await worker.page.getByText('Waiting for an answer to your offer.').waitFor();
    assert.deepEqual(worker.complaints, []);
  });
}
