// One browser without a wallet, and workers elsewhere: list work and choose among two proposals, which makes a task; then the same
// visitor proposes, is chosen and signs. How a task goes on: visitor.ts.
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { parseTok } from '#sdk/domain/amount.ts';
import { openView, type View } from '../support/browser.ts';
import { joinAs, writeListing } from '../support/listings.ts';
import { until } from '../support/until.ts';
import { checkBarriers } from './barriers.ts';
import { browser, gateway, options } from './scene.ts';
import { fill, openStep, sign, signing, startVisitor } from './walletSteps.ts';

/** Signs what a dialog of the notice offers. */
async function fix(page: Page, label: RegExp): Promise<void> {
  await page.getByRole('button', { name: label }).click();
  await sign(page);
}

/** For the figures; what the other side does takes a part of the time. */
function say(context: TestContext, { clicks, transactions }: ReturnType<View['spent']>, startedAt: number) {
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  context.diagnostic(`${clicks} clicks, ${transactions} transactions, ${seconds} s`);
}

const idOf = (page: Page) => new URL(page.url()).searchParams.get('listing') ?? '';

describe('listings and proposals', options, () => {
  /** Changes a word: deadline and end stay, a reload loses nothing, and the draft of another post is left alone. */
  async function editListing(page: Page, id: string): Promise<void> {
    const read = async () => (await gateway.get(`/v1/listings/${id}`)).body;
    const before = await read();
    await page.evaluate("localStorage.setItem('svc:post', 'another')");
    await page.getByRole('link', { name: 'Edit the listing' }).click();
    await page.getByRole('heading', { level: 1, name: 'Edit your listing' }).waitFor();
    assert.match(page.url(), /market=standard/);
    await page.getByLabel('Accepted when', { exact: true }).fill('Ten names!');
    await page.reload();
    assert.equal(await page.getByLabel('Accepted when', { exact: true }).inputValue(), 'Ten names!');
    await openStep(page, 'Reward and time');
    await page.getByLabel('The least price you expect').fill('1000 TOK');
    await openStep(page, 'Review and pay');
    await page.getByRole('button', { name: 'Sign and publish the change' }).click();
    // The form shows the words as well.
    await page.getByRole('link', { name: 'Edit the listing' }).waitFor();
    await page.getByText('Ten names!').waitFor();
    const after = await read();
    assert.deepEqual(
      [after.document.deadline, after.expiresAt, after.document.budget.minTokWei],
      [before.document.deadline, before.expiresAt, String(parseTok('1000'))],
    );
    assert.equal(await page.evaluate("localStorage.getItem('svc:post')"), 'another');
  }

  test('a visitor lists work, and chooses among two proposals, which makes a task', async (context) => {
    const { page, complaints, spent } = await openView(context, browser, 'about:blank');
    const startedAt = performance.now();
    await startVisitor(page, gateway.url());
    await page.getByRole('link', { name: 'Post a standard task' }).click();
    await page.getByRole('radio', { name: 'I choose a proposal' }).check();
    await fill(page, { Title: 'Name ten birds <b>', 'Accepted when': 'Ten names.' });
    await page.getByRole('button', { name: 'Next: reward and time' }).click();
    await page.getByLabel('Reward', { exact: true }).fill('900 TOK');
    await page.getByText('pays 900 TOK').waitFor();
    await page.getByLabel('Reward', { exact: true }).fill('2000');
    await page.getByRole('radio', { name: '1 month' }).check();
    await page.getByRole('button', { name: 'Next: review and pay' }).click();
    // Nothing of a post that a listing does not do: it has no fee, and is closed when its poster likes.
    await page.getByText('Close it whenever you like: nothing is paid yet').waitFor();
    assert.equal(await page.getByText('the fee stays paid').count(), 0);
    await page.getByText('25 USDC more collateral and has not approved its access fee').waitFor();
    // The gateway takes listings of wallets with collateral only: nobody signs one that it refuses.
    await page.getByText('A listing needs the entry collateral of 25 USDC').waitFor();
    assert.ok(await page.getByRole('button', { name: 'Sign and list it' }).isDisabled());
    assert.equal(await page.getByText('costs nothing').count(), 0);
    await fix(page, /Top up/);
    await page.getByRole('button', { name: 'Sign and list it' }).click();
    await page.getByRole('heading', { level: 1, name: 'Name ten birds <b>' }).waitFor();
    const id = idOf(page);
    await page.getByRole('button', { name: 'Sign in at this gateway' }).click();
    await editListing(page, id);

    const [dear, cheap] = await Promise.all([joinAs(gateway, 'linguist'), joinAs(gateway, 'analyst')]);
    const listing = await cheap.matching.get(id);
    const document = listing.document ?? assert.fail();
    await dear.matching.propose(
      // Another review time than the listing has.
      { ...listing, document: { ...document, reviewPeriod: 5 * 86_400 } },
      { totalAmountTok: '1900', days: 3, rationale: '<img src=x>' },
    );
    await cheap.do.approveTokRouter({ market: 'standard', amountTok: '1000' });
    await cheap.matching.propose(listing, {
      totalAmountTok: '1500',
      days: 2,
      rationale: 'I know birds.',
      isBinding: true,
    });

    const table = page.locator('.proposals > li');
    await table.nth(1).waitFor();
    assert.match((await table.first().textContent()) ?? '', /1,500 TOK.*binding/);
    assert.match((await table.nth(1).textContent()) ?? '', /1,900 TOK.*not signed.*<img src=x>/);
    await checkBarriers(page);
    // The rough count is for those who do not see the proposals.
    assert.equal(await page.locator('.taskhead').getByText('proposals yet').count(), 0);
    // What differs is accepted by a box beside its words.
    await table.nth(1).getByText('differs from your listing: review period').waitFor();
    assert.equal(await table.nth(1).getByRole('button', { name: 'Choose: ask to sign' }).count(), 0);
    await table.nth(1).getByRole('button', { name: 'Look at the differences to accept' }).click();
    const consent = table.nth(1).getByRole('checkbox');
    await consent.check();
    const { width = 0, height = 0 } = (await consent.boundingBox()) ?? {};
    assert.ok(width <= 24 && height <= 24, `the box is ${width} by ${height}`);
    await table.nth(1).getByRole('button', { name: 'Choose: ask to sign' }).waitFor();
    await table.nth(1).getByRole('button', { name: 'Decline…' }).click();
    await table.nth(1).getByLabel('Why, in a sentence').fill('Too dear.');
    await page.route('**/v1/messages', (route) => route.abort('connectionfailed'), { times: 1 });
    await table.nth(1).getByRole('button', { name: 'Send and decline' }).click();
    await table.nth(1).getByRole('alert').waitFor();
    assert.equal(await table.nth(1).getByLabel('Why, in a sentence').inputValue(), 'Too dear.');
    await table.nth(1).getByRole('button', { name: 'Send and decline' }).click();
    await table.nth(1).getByText('declined').waitFor();
    await page.getByRole('button', { name: 'Accept: create and fund' }).click();
    await page.getByRole('dialog').getByText(cheap.address, { exact: true }).waitFor();
    await page.getByRole('dialog').getByText('after that it counts as accepted').waitFor();
    await page.getByRole('dialog').locator(signing).click();
    // The next thing is the task.
    await page.waitForURL(/task=v2/);
    await page.getByRole('heading', { level: 2, name: 'History' }).waitFor();
    await page.goBack();
    await table.first().getByRole('link', { name: 'task created' }).waitFor();
    await until(async () => (await cheap.matching.get(id)).state === 'taken');
    await page.getByText('a worker was chosen').waitFor();
    assert.equal(await page.getByText('Nothing is in escrow yet').count(), 0);
    const { taskId } = await cheap.matching.get(id);
    assert.ok(page.url().includes(id));
    assert.equal((await cheap.client.task(taskId ?? '')).task.worker, cheap.address);
    say(context, spent(), startedAt);
    assert.deepEqual(
      complaints.filter((one) => !one.includes('net::ERR_CONNECTION_FAILED')),
      [],
    );
    await Promise.all([dear.close(), cheap.close()]);
  });

  test('a visitor proposes for a listing, is chosen, signs, and gets the work; leaving lasts', async (context) => {
    const poster = await joinAs(gateway, 'press');
    const document = writeListing(gateway, {}, { title: 'Count the lighthouses' });
    const { id } = await poster.matching.list(document);
    const { page, complaints, spent } = await openView(context, browser, 'about:blank', { width: 390 });
    const startedAt = performance.now();
    await startVisitor(page, gateway.url());
    await page.goto(`${gateway.url()}/market.html?listing=${id}`);
    await page.getByText('you, the poster and the operator of this gateway can read it').waitFor();
    await page.goto(`${gateway.url()}/messages.html?to=${poster.address}`);
    await page.getByRole('button', { name: 'Sign in at this gateway' }).click();
    await page.getByText('your wallet needs the entry collateral').waitFor();
    await page.goto(`${gateway.url()}/market.html?market=standard&view=wanted`);
    await page.getByRole('link', { name: 'Count the lighthouses' }).click();
    await page.getByRole('heading', { level: 1, name: 'Count the lighthouses' }).waitFor();
    // The link that was followed is gone.
    await page.locator('#content:focus').waitFor();
    await page.getByRole('link', { name: 'Looking for proposals' }).click();
    await page.getByRole('link', { name: 'Count the lighthouses' }).waitFor();
    assert.equal(await page.title(), 'Market · svc', 'the board is not called after the listing');
    await page.getByRole('link', { name: 'Count the lighthouses' }).click();
    await page.getByText('no proposals yet').waitFor();
    // Typed in dollars; a TOK is half a cent, and the TOK is what is signed.
    await page.getByLabel('Your price').fill('12.50');
    await page.getByText('You sign 2,500 TOK.').waitFor();
    await fill(page, { 'Days you need': '5', 'Why you, in a sentence or two': 'I can count.' });
    await page.reload();
    assert.equal(await page.getByLabel('Why you, in a sentence or two').inputValue(), 'I can count.');
    await page.getByLabel('The proposal stands for, days').fill('15');
    await page.getByLabel('Days you need').focus();
    await page.getByText('Enter a number of days from 0.1 to 14.').waitFor();
    await page.getByLabel('The proposal stands for, days').fill('14');
    await page.getByText('A proposal needs the entry collateral of 25 USDC').waitFor();
    assert.ok(await page.getByRole('button', { name: 'Send the proposal' }).isDisabled());
    assert.equal(await page.getByText('costs nothing').count(), 0);
    await fix(page, /Top up/);
    await page.getByRole('button', { name: 'Send the proposal' }).click();
    await page.getByText('You have proposed.').waitFor();
    const listing = await poster.matching.get(id);
    const [proposal = assert.fail('no proposal')] = await poster.matching.proposals(listing);
    assert.deepEqual([proposal.state, proposal.comparison.isPlain], ['open', true]);
    await poster.matching.choose(proposal);
    await page.getByText('The poster wants your proposal.').waitFor();
    await page.getByText(/^Your collateral is enough for \d+ tasks?\.$/).waitFor();
    await fix(page, /Approve the access fee/);
    await page.getByRole('button', { name: /^Sign it: binding until/ }).click();
    await page.getByRole('dialog').getByText('for each of the two parties').first().waitFor();
    await page.getByRole('dialog').locator(signing).click();
    await page.getByText('You have signed.').waitFor();
    const [signed = assert.fail()] = await poster.matching.proposals(listing);
    assert.equal(signed.state, 'binding');
    await poster.do.createTask(poster.matching.toTask(signed));
    await until(async () => (await poster.matching.get(id)).state === 'taken');
    const taskId = (await poster.matching.get(id)).taskId ?? '';
    await poster.do.startWork({ taskId });
    await page.goto(`${gateway.url()}/my.html`);
    await page.getByText('Your turn: deliver').waitFor();
    say(context, spent(), startedAt);
    await page.locator('header button .mono').click();
    await page.getByRole('button', { name: 'Disconnect' }).click();
    const connect = page.getByRole('button', { name: 'Connect wallet' });
    await connect.waitFor();
    await page.reload();
    await connect.waitFor();
    await page.goto(`${gateway.url()}/my.html`);
    await connect.first().waitFor();
    assert.deepEqual(complaints, []);
    await poster.close();
  });
});
