// A sequence of calls that is interrupted goes on where it stopped, and pays nothing twice.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { getAbiItem, type Hex, toFunctionSelector } from 'viem';
import { taskRegistryAbi } from '#contracts/generated/abi/taskRegistry.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { openView } from '../support/browser.ts';
import { chooseAccount, createTestWallet } from '../support/testWallet.ts';
import { until } from '../support/until.ts';
import { browser, enterCast, gateway, openAs, options, postShown, walletOf } from './scene.ts';
import { act, claims, connect, openStep, signing, writePost } from './walletSteps.ts';

const isPost = (data: Hex) =>
  data.startsWith(toFunctionSelector(getAbiItem({ abi: taskRegistryAbi, name: 'postTask' })));

describe('interruptions', options, () => {
  test('a post whose receipt cannot be read is not sent again, though its plan has changed meanwhile', async (context) => {
    const wallet = walletOf('newcomer');
    const { page, complaints } = await openView(context, browser, 'about:blank', { wallet, isAlone: true });
    await page.clock.install();
    await page.goto(`${gateway.url()}/market.html?market=standard&post=new&who=anyone`);
    await connect(page);
    const title = 'Name ten birds in a photograph';
    await writePost(page, { Title: title, 'Accepted when': 'Ten names.' }, '1500 TOK');
    await openStep(page, 'Reward and time');
    await page.getByRole('radio', { name: 'Later' }).check();
    await openStep(page, 'Review and pay');
    await page.getByText('1,000 TOK').first().waitFor();
    await page.getByText('Details', { exact: true }).click();
    await page.getByText('Collateral you still need').waitFor();
    // The post is sent, but its receipt cannot be read. A minute later the plan has another deadline.
    const asked = wallet.holdNext(3);
    await page.locator(signing).click();
    const agree = await asked;
    wallet.failing.add('eth_getTransactionReceipt');
    await agree();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    wallet.failing.clear();
    // Another account has sent nothing.
    await chooseAccount(page, wallet, accountOf('visitor').address);
    await page.locator(signing, { hasText: 'Post, pay $5.00' }).waitFor();
    await chooseAccount(page, wallet, wallet.address);
    const deadline = page.locator('dt', { hasText: 'Due' }).locator('+ dd');
    const before = await deadline.innerText();
    await page.clock.fastForward(61_000);
    await until(async () => (await deadline.innerText()) !== before);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    assert.equal(wallet.sent.filter(isPost).length, 1, 'it was posted and paid once');
    assert.deepEqual(complaints, []);
  });

  test('after declining the second of two calls a retry continues there; after leaving no second signature is requested', async (context) => {
    const path = '/wallet.html?market=micro';
    const { page, wallet } = await openAs(context, 'visitor', path);
    await page.getByLabel('Amount, USDC').fill('7');
    await page.getByRole('button', { name: 'Top up', exact: true }).click();
    wallet.declineNext(1);
    await page.locator(signing).click();
    await page.getByText('You declined in the wallet. What you signed before stays sent.').waitFor();
    assert.equal(wallet.sent.length, 1);
    // A keyboard goes on where it was.
    await page.locator('button:focus', { hasText: 'Try again' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Done. The market shows it.').waitFor();
    await page.locator('button:focus', { hasText: 'Close' }).waitFor();
    assert.equal(wallet.sent.length, 2);
    assert.notEqual(wallet.sent[0], wallet.sent[1]);
    assert.equal(
      await page
        .locator('.steps')
        .getByRole('button', { name: /Transaction 0x/ })
        .count(),
      2,
      'each step shows its transaction',
    );
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();

    // Closing the dialog between two calls cancels the second.
    await page.getByRole('button', { name: 'Top up', exact: true }).click();
    const asked = wallet.holdNext();
    await page.locator(signing).click();
    const agree = await asked;
    await page.getByText('If you leave, you will not be asked for the remaining').waitFor();
    await page.keyboard.press('Escape');
    await agree();
    // The cancelled call would have arrived before the end of this dialog, which needs one call only.
    await act(page, 'Top up', (dialog) => dialog.getByText('1 transaction;').waitFor());
    assert.equal(wallet.sent.length, 4);
    assert.equal(wallet.sent[3], wallet.sent[1]);
  });

  test('a wallet that cannot pay sees what is missing before it signs', async (context) => {
    const wallet = createTestWallet('Test wallet', `0x${'ab'.repeat(32)}`, gateway.devnet.rpcUrl);
    const id = await postShown(await enterCast('standard'));
    const { page } = await openAs(context, wallet, `/market.html?task=${id}`);
    await page.getByRole('button', { name: claims }).click();
    await page.getByText('1,000 TOK ≈ $5.00 are needed and the wallet has 0').waitFor();
    await page.getByText('25 USDC are needed and the wallet has 0').waitFor();
    assert.ok(await page.locator(signing).isDisabled());
  });

  test('a session that the gateway does not know is forgotten, and the page asks to sign in again', async (context) => {
    const isWrong = (complaint: string) => !/status of 40[34]/.test(complaint);
    const { page } = await openAs(context, 'newcomer', '/my.html', isWrong);
    const name = `svc:session:${accountOf('newcomer').address.toLowerCase()}`;
    const session = JSON.stringify({ token: 'A'.repeat(43), expiresAt: 4_000_000_000 });
    await page.evaluate(`localStorage.setItem('${name}', '${session}')`);
    await page.reload();
    await page.getByText('Sign in on the messages page to see what is new.').waitFor();
    await until(async () => (await page.evaluate(`localStorage.getItem('${name}')`)) === null);

    // What was read before a session ended does not end the next one.
    await page.goto(`${gateway.url()}/messages.html`);
    const signIn = page.getByRole('button', { name: 'Sign in at this gateway' });
    await signIn.click();
    const signedIn = page.getByRole('button', { name: 'Sign out' });
    await signedIn.waitFor();
    await gateway.site().market.database.write('UPDATE sessions SET revoked_at = 1');
    await signIn.click();
    await signedIn.waitFor();
    await pause(1_000);
    assert.equal(await signedIn.count(), 1);

    // Messages that cannot be read say why.
    await page.goto(`${gateway.url()}/messages.html?conversation=0x${'5e'.repeat(32)}`);
    await page.getByText('Cannot load this conversation. There is no such conversation').waitFor();
    await page.route('**/v1/mailbox/**', (route) => route.fulfill({ status: 403, json: { error: 'No.' } }));
    await page.goto(`${gateway.url()}/my.html`);
    await page.getByText('Cannot read your messages. No.').waitFor();
  });
});
