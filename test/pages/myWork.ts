// My work of wallets that negotiate: the poster has a proposal, then the worker that it chose must sign, then the poster again. Each row
// leads to the place where it is done. Before the wallet signs in, its tasks alone are listed.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { privateKeyToAccount } from 'viem/accounts';
import { accountOf } from '#service/devnet/accounts.ts';
import { joinAs, writeListing } from '../support/listings.ts';
import { checkBarriers } from './barriers.ts';
import { gateway, openAs, options } from './scene.ts';
import { signing } from './walletSteps.ts';

const requestOf = (from: string) => ({
  kind: 'signature',
  action: 'open-session',
  summary: 'Agree to a word',
  chainId: 8453,
  from,
  typedData: {
    domain: { name: 'a test' },
    types: { EIP712Domain: [{ name: 'name', type: 'string' }], Word: [{ name: 'text', type: 'string' }] },
    primaryType: 'Word',
    message: { text: 'hello' },
  },
});

const title = 'Bind a field guide';
const rowOf = (page: Page, region = 'Needs you now') =>
  page.getByRole('region', { name: region }).getByRole('listitem').filter({ hasText: title });

async function signIn(page: Page): Promise<void> {
  await page.getByText('Sign in to see the rest').waitFor();
  assert.equal(await rowOf(page).count(), 0, 'before that nothing private is listed');
  await page.getByRole('button', { name: 'Sign in at this gateway' }).click();
}

describe('what waits for a wallet', options, () => {
  test('a poster with a proposal, the worker that it chose, and the poster again read what is asked, and get there', async (context) => {
    const [poster, worker] = await Promise.all([joinAs(gateway, 'press'), joinAs(gateway, 'linguist')]);
    const listing = await poster.matching.list(writeListing(gateway, {}, { title }));
    await worker.do.approveTokRouter({ market: 'standard', amountTok: '1000' });
    const price = { totalAmountTok: '600', days: 2, validHours: 12 };
    const proposal = await worker.matching.propose(listing, price);

    const { page: posting } = await openAs(context, 'press', '/my.html');
    await signIn(posting);
    await rowOf(posting).getByText('proposes to do').waitFor();
    await rowOf(posting).getByText('accept or decline it').waitFor();
    assert.equal(await posting.getByText('Sign in to see the rest').count(), 0);
    const badge = posting.getByRole('link', { name: 'My work 1 waiting for you' });
    await badge.waitFor();
    await checkBarriers(posting);
    await rowOf(posting).getByRole('link', { name: title }).click();
    await posting.locator('.proposals > li').waitFor();
    assert.equal(new URL(posting.url()).searchParams.get('listing'), listing.id);
    await badge.waitFor();

    await poster.matching.choose(proposal);
    const { page: working } = await openAs(context, 'linguist', '/my.html');
    await signIn(working);
    await rowOf(working).getByText('has chosen your offer of 600 TOK').waitFor();
    await checkBarriers(working);
    await rowOf(working).getByRole('link', { name: title }).click();
    await working.getByText('Your offer was chosen.').waitFor();
    assert.equal(new URL(working.url()).searchParams.get('conversation'), proposal.root);
    await working.getByRole('button', { name: 'Sign the terms' }).click();
    await working.locator(`dialog ${signing}`).click();
    await working.getByText('You have signed.').waitFor();

    await posting.goto(`${gateway.url()}/my.html`);
    await rowOf(posting).getByText('has signed the terms for').waitFor();
    await working.goto(`${gateway.url()}/my.html`);
    await rowOf(working, 'Waiting for others').getByText('creates the task').waitFor();
    await Promise.all([poster.close(), worker.close()]);
  });

  test('a request that the tools of a wallet filed is listed once, and leads to its page', async (context) => {
    const account = privateKeyToAccount(accountOf('fallback').privateKey);
    const headers = { authorization: `Bearer ${await gateway.signIn(account)}` };
    const { status, body } = await gateway.post('/v1/requests', requestOf(account.address), headers);
    assert.equal(status, 201, JSON.stringify(body));
    const { page } = await openAs(context, 'fallback', '/my.html');
    await page.getByRole('button', { name: 'Sign in at this gateway' }).click();
    const row = page
      .getByRole('listitem')
      .filter({ hasText: 'Your tools ask you to sign: “Agree to a word”' });
    const link = row.getByRole('link', { name: 'A request of your tools' });
    await link.click();
    await page.getByRole('button', { name: 'Reject' }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('request'), body.requestId);
    await page.goto(`${gateway.url()}/my.html`);
    await link.waitFor();
    await page.getByText('Loading your balances').waitFor({ state: 'detached' });
    assert.equal(await page.locator(`main a[href$="${body.requestId}"]`).count(), 1);
  });
});
