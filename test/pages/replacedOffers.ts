// Offers that are replaced or taken back while a dialog shows them: what is signed is what its reader saw, or nothing.
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { parseTaskId } from '#sdk/domain/taskId.ts';
import { type AccountName, accountOf } from '#service/devnet/accounts.ts';
import { joinAs, writeListing } from '../support/listings.ts';
import type { TestWallet } from '../support/testWallet.ts';
import { until } from '../support/until.ts';
import { enterCast, gateway, openAs, options, prepareTask, walletOf } from './scene.ts';
import { steps } from './taskSteps.ts';
import { fill, signing as signs } from './walletSteps.ts';

const replaced = 'There is another offer by now.';

describe('replaced offers', options, () => {
  async function open(context: TestContext, who: AccountName | TestWallet, path: string): Promise<Page> {
    const { page } = await openAs(context, who, path);
    await page.getByRole('button', { name: 'Sign in at this gateway' }).click();
    return page;
  }
  const signing = (page: Page) => page.getByRole('dialog').locator(signs);
  async function changeOffer(page: Page, amount: string): Promise<void> {
    await page.getByRole('button', { name: 'Change the offer' }).click();
    await page.getByLabel('Reward', { exact: true }).fill(`${amount} TOK`);
    await page.getByRole('button', { name: 'Send the counter-offer' }).click();
    await page.getByRole('button', { name: 'Change the offer' }).waitFor();
  }

  test('a new offer changes no open dialog: its button is off, a started signature is not sent, and the old one is taken back', async (context) => {
    const cast = await enterCast('standard');
    await prepareTask(cast, 'claim');
    const poster = await open(context, 'newcomer', `/messages.html?to=${accountOf('visitor').address}`);
    await poster
      .locator('p', { hasText: /^To / })
      .locator(`a[href="/agent.html?address=${accountOf('visitor').address}"]`)
      .waitFor();
    await poster.getByRole('button', { name: 'An offer' }).click();
    const work = { Title: 'Paint a fence', 'Accepted when': 'It is green.' };
    await fill(poster, work);
    await poster.getByLabel('Reward', { exact: true }).fill('1500 TOK');
    await poster.getByRole('button', { name: 'Send the offer' }).click();
    await poster.getByText('Waiting for an answer to your offer.').waitFor();

    const wallet = walletOf('visitor');
    // The owner looks at what is to be signed until the test lets it go on.
    let hold: Promise<void> | null = null;
    const asked: string[] = [];
    const request: TestWallet['request'] = async (method, params) => {
      if (/^eth_(sign|send)/.test(method)) {
        asked.push(method);
        await hold;
      }
      return wallet.request(method, params);
    };
    const worker = await open(context, { ...wallet, request }, '/messages.html');
    // Nothing can be signed before the fees of both sides are shown. The page of the conversation reads them as well.
    wallet.failing.add('eth_call');
    await worker.getByRole('link', { name: 'Paint a fence' }).click();
    asked.length = 0;
    const dialog = worker.getByRole('dialog');
    const newest = worker.locator('ol.messages > li:last-child');
    await worker.getByRole('button', { name: 'Accept the offer' }).click();
    await dialog.getByText('1,500').first().waitFor();
    await dialog.getByText('Cannot load the fees of both sides.').waitFor();
    assert.ok(await signing(worker).isDisabled());
    wallet.failing.clear();
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByText('for each of the two parties').first().waitFor();
    assert.ok(await signing(worker).isEnabled());
    await changeOffer(poster, '700');
    await dialog.getByRole('alert').getByText(replaced).waitFor();
    assert.ok(await signing(worker).isDisabled());
    assert.match(await dialog.innerText(), /1,500/);
    assert.doesNotMatch(await dialog.innerText(), /700/);
    assert.deepEqual(asked, []);
    await worker.keyboard.press('Escape');

    // A draft answers the offer that it began with, also when it is opened again.
    const amount = worker.getByLabel('Reward', { exact: true });
    await worker.getByRole('button', { name: 'Offer other terms' }).click();
    await amount.fill('1 TOK');
    await worker.getByRole('button', { name: 'Back' }).click();
    await changeOffer(poster, '710');
    await newest.getByText('710').first().waitFor();
    await worker.getByRole('button', { name: 'Offer other terms' }).click();
    await worker.getByRole('alert').getByText(replaced).waitFor();
    assert.equal(await amount.inputValue(), '1');
    await worker.getByRole('button', { name: 'Start from the new one' }).click();
    assert.equal(await amount.inputValue(), '710');
    await worker.getByRole('button', { name: 'Back' }).click();

    // Another one while the wallet shows the terms: the message with the signature is not sent.
    await worker.getByRole('button', { name: 'Accept the offer' }).click();
    await dialog.getByText('710').first().waitFor();
    let release = () => {};
    hold = new Promise((resolve) => {
      release = resolve;
    });
    await signing(worker).click();
    await until(() => asked.length === 1);
    await changeOffer(poster, '650');
    release();
    hold = null;
    await dialog.getByRole('alert').getByText(replaced).waitFor();
    assert.deepEqual(asked, ['eth_signTypedData_v4'], 'the message was not signed');
    await newest.getByText('650').first().waitFor();
    await worker.keyboard.press('Escape');

    await worker.getByRole('button', { name: 'Accept the offer' }).click();
    await dialog.getByText('650').first().waitFor();
    await signing(worker).click();
    await dialog.waitFor({ state: 'detached' });
    const visitor = await joinAs(gateway, 'visitor');
    const digestOf = async () =>
      (await visitor.mailbox.conversations({ limit: 1 })).conversations[0]?.settlementDigest;
    const signed = await digestOf();
    // Taking back means the signature that was given, not the next offer.
    await worker.getByRole('button', { name: 'Take my signature back' }).click();
    await changeOffer(poster, '600');
    await until(async () => (await digestOf()) !== signed);
    await newest.getByText('600').first().waitFor();
    await signing(worker).click();
    await worker.getByText('Done. The market shows it.').waitFor();
    const isRevoked = (digest: unknown) =>
      cast.client.readContract({
        ...cast.contracts.registry,
        functionName: 'isRevoked',
        args: [wallet.address, digest as `0x${string}`],
      });
    assert.deepEqual([await isRevoked(signed), await isRevoked(await digestOf())], [true, false]);
    await visitor.close();

    // Only what is new is read out, not the earlier messages that are shown on request.
    const note = async (text: string) => {
      await poster.getByLabel('Your message').fill(text);
      await poster.getByRole('button', { name: 'Send', exact: true }).click();
      await poster.locator('ol.messages > li:last-child').getByText(text.slice(0, 30)).waitFor();
    };
    for (const letter of 'abc') await note(letter.repeat(30_000));
    await worker.reload();
    const messages = worker.locator('ol.messages');
    await messages.and(worker.locator('[aria-live=polite]')).waitFor();
    await worker.getByRole('button', { name: /^Show earlier messages/ }).click();
    await messages.and(worker.locator('[aria-live=off]')).waitFor();
    await note('Are you there?');
    await newest.getByText('Are you there?').waitFor();
    await messages.and(worker.locator('[aria-live=polite]')).waitFor();
  });

  test('a proposal that is taken back, and a split that is replaced, can no longer be signed, nor a change asked of an older delivery', async (context) => {
    const cast = await enterCast('standard');
    const id = await prepareTask(cast, 'claim', 'start');
    const [poster, worker] = await Promise.all([joinAs(gateway, 'newcomer'), joinAs(gateway, 'visitor')]);
    const listing = await poster.matching.list(writeListing(gateway, {}, { title: 'Paint a door' }));
    await worker.do.approveTokRouter({ market: 'standard', amountTok: '1000' });
    const proposal = await worker.matching.propose(listing, {
      totalAmountTok: '900',
      days: 2,
      isBinding: true,
    });
    const page = await open(context, 'newcomer', `/market.html?listing=${listing.id}`);
    await page.getByRole('button', { name: 'Accept: create and fund' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('900').first().waitFor();
    await worker.matching.withdraw(proposal);
    await dialog.getByRole('alert').getByText('This offer was taken back.').waitFor();
    assert.ok(await signing(page).isDisabled());

    const path = `/market.html?task=${id}`;
    await page.goto(gateway.url() + path);
    const offer = async (share: string) => {
      await page.getByRole('button', { name: 'Settle together' }).click();
      await page.getByLabel('Share of the worker, %').fill(share);
      await page.getByRole('button', { name: 'Sign and send the split' }).click();
      await page.getByText('Sent. The other party finds it in its messages').waitFor();
      await page.keyboard.press('Escape');
    };
    await offer('40');
    const other = await open(context, 'visitor', '/messages.html');
    await other.getByRole('link', { name: 'Name ten birds' }).first().click();
    await other.getByRole('button', { name: 'Agree and end the task' }).click();
    await other.locator('dialog .signbar button:enabled').waitFor();
    await offer('10');
    await other.getByRole('alert').getByText('They have offered another split by now.').waitFor();
    assert.ok(await signing(other).isDisabled());
    // Own words have a button of their own, which goes with what they rest on.
    await page.getByRole('button', { name: 'Settle together' }).click();
    await page.getByLabel('Share of the worker, %').fill('20');
    await steps.deliver(cast, parseTaskId(id).number);
    await page.getByRole('dialog').getByRole('alert').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Sign and send the split' }).count(), 0);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Ask for a change' }).click();
    await page.getByLabel('What should change').fill('The colour.');
    // The contract refuses it within the second of the delivery before.
    const again = () => steps.deliver(cast, parseTaskId(id).number, '0x02').catch(() => null);
    await until(async () => (await again()) !== null);
    await page.getByRole('dialog').getByText('There is a newer delivery.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Send the request' }).count(), 0);
    await Promise.all([poster.close(), worker.close()]);
  });
});
