// A wallet request on its page: read from its bytes, approved and settled, or rejected, or of somebody else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { accountOf } from '#service/devnet/accounts.ts';
import type { Scene } from '../pages.test.ts';
import { openView } from '../support/browser.ts';
import { createTestWallet } from '../support/testWallet.ts';
import { until } from '../support/until.ts';
import {
  askForPost,
  askForSignature,
  askForStranger,
  askForStrangeSignature,
  askForTopUp,
  owner,
} from './requests.ts';
import { connect } from './walletSteps.ts';

export function testApprovals(sceneOf: () => Scene): void {
  const statusOf = async (id: string) => (await sceneOf().gateway.get(`/v1/requests/${id}`)).body.status;
  const open = (context: Parameters<typeof openView>[0], path: string, key = owner.privateKey) => {
    const { browser, gateway } = sceneOf();
    const wallet = createTestWallet('Test wallet', key, gateway.devnet.rpcUrl);
    return openView(context, browser, gateway.url() + path, { wallet });
  };
  /** The first tab on a request of two calls, connected, and the way to open others with the same wallet. */
  const openTopUp = async (context: Parameters<typeof openView>[0]) => {
    const { browser, gateway } = sceneOf();
    const { requestId, path } = await askForTopUp(gateway);
    const wallet = createTestWallet('Test wallet', owner.privateKey, gateway.devnet.rpcUrl);
    const openTab = (beside?: Page) =>
      openView(context, browser, gateway.url() + path, { wallet, ...(beside && { beside }) });
    const first = await openTab();
    await connect(first.page);
    return { requestId, wallet, first, openTab };
  };

  test('an approved request is signed call by call, sent, and settled by the chain', async (context) => {
    const { requestId, path } = await askForTopUp(sceneOf().gateway);
    const { page, complaints } = await open(context, path);
    await page.getByText('topUp on deposit vault (standard)').waitFor();
    await page.getByText('12.5 USDC').first().waitFor();
    await connect(page);
    await page.getByText('it would succeed').waitFor();
    await page.getByText('2 transactions; the wallet says exactly').waitFor();
    await page.getByRole('button', { name: 'Approve and sign 2 calls' }).click();
    await page.getByText('done: the chain proves it').waitFor();
    assert.equal(await statusOf(requestId), 'settled');
    assert.deepEqual(complaints, []);
  });

  test('a tab that is closed after the first of two calls leaves the second, and the first is not sent twice', async (context) => {
    const { requestId, wallet, first, openTab } = await openTopUp(context);
    const asked = wallet.holdNext(1);
    await first.page.getByRole('button', { name: 'Approve and sign 2 calls' }).click();
    await asked;
    await first.page.close();
    assert.equal((await sceneOf().gateway.get(`/v1/requests/${requestId}`)).body.transactionHashes.length, 1);

    // Another browser, which remembers nothing: the gateway told it.
    const second = await openTab();
    await second.page.getByText('partly sent; waits for you to go on').waitFor();
    wallet.declineNext();
    await second.page.getByRole('button', { name: 'Go on with call 2 of 2' }).click();
    await second.page.getByText('You declined in the wallet').waitFor();
    await second.page.getByRole('button', { name: 'Go on with call 2 of 2' }).click();
    await second.page.getByText('done: the chain proves it').waitFor();
    assert.equal(wallet.sent.length, 2);
    assert.notEqual(wallet.sent[0], wallet.sent[1]);
    assert.deepEqual(second.complaints, []);
  });

  test('a call that the wallet sends after its tab was closed is found on the chain and not sent again', async (context) => {
    const { requestId, wallet, first, openTab } = await openTopUp(context);
    const asked = wallet.holdNext();
    await first.page.getByRole('button', { name: 'Approve and sign 2 calls' }).click();
    const agree = await asked;
    const second = await openTab(first.page);
    await second.page.getByRole('button', { name: 'Approve and sign 2 calls' }).click();
    await second.page.getByText('Another tab sends this request right now').waitFor();
    await first.page.close();
    await agree();
    // A tab that is gone lets go a moment later.
    await until(async () => !(await second.page.evaluate<boolean>(isLocked)));
    await second.page.getByRole('button', { name: 'Approve and sign 2 calls' }).click();
    await second.page.getByText('done: the chain proves it').waitFor();
    assert.equal(wallet.sent.length, 2);
    assert.equal(await statusOf(requestId), 'settled');
  });

  test('a rejected request stays rejected, and nothing is sent', async (context) => {
    const { requestId, path } = await askForTopUp(sceneOf().gateway);
    const { page } = await open(context, path);
    await connect(page);
    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('rejected; nothing was sent').waitFor();
    await until(async () => (await statusOf(requestId)) === 'rejected');
    assert.equal(await page.getByRole('button', { name: /Approve/ }).count(), 0);
  });

  test('another wallet than the one it is for can neither approve nor reject', async (context) => {
    const { path } = await askForTopUp(sceneOf().gateway);
    const { page } = await open(context, path, accountOf('visitor').privateKey);
    await connect(page);
    await page.getByText('Another wallet is connected.').waitFor();
    assert.equal(await page.getByRole('button', { name: /Approve|Reject/ }).count(), 0);
  });

  test('what the tool says is shown as its words, and a call to a stranger is named as one', async (context) => {
    const summary = '<img src=x onerror=alert(1)> Harmless';
    const { path } = await askForStranger(sceneOf().gateway, summary);
    const { page } = await open(context, path);
    await page.getByText(summary).waitFor();
    await page.getByText('This calls a contract that is none of this service’s').waitFor();
    await page.getByText('This page cannot read what this call does').waitFor();
    await page.getByText('It also sends 1 ETH').waitFor();
  });

  test('a post is shown with its texts, its fee, its bond and its gas, and the tool’s words are no heading', async (context) => {
    const { path } = await askForPost(sceneOf().gateway);
    const { page, complaints } = await open(context, path);
    const criteria = page.getByRole('region', { name: 'Acceptance criteria' });
    assert.match(await criteria.innerText(), /Ten names, left to right\.\nLatin names count as well\./);
    assert.match(await page.getByRole('region', { name: 'Description' }).innerText(), /(early.*){20}$/s);
    const costs = async () => (await page.locator('table.costs').allInnerTexts()).join();
    assert.match(await costs(), /Access fee.*1,000 TOK.*Bond.*5 USDC.*Gas.*as the tool says.*0\.000042 ETH/s);
    assert.equal(await page.getByRole('heading', { name: 'Approved by svc' }).count(), 0);
    assert.deepEqual(complaints, []);
  });

  test('a wallet on another chain is told so wherever it is needed, and switched from there', async (context) => {
    const { browser, gateway } = sceneOf();
    const { path } = await askForTopUp(gateway);
    const wallet = createTestWallet('Test wallet', owner.privateKey, gateway.devnet.rpcUrl);
    const { page } = await openView(context, browser, gateway.url() + path, { wallet });
    wallet.stray();
    wallet.failing.add('wallet_switchEthereumChain');
    await connect(page);
    const notices = page.getByText('The wallet is on another chain; switch it to Base to go on.');
    await notices.waitFor();
    assert.ok(await page.getByRole('button', { name: 'Approve and sign 2 calls' }).isDisabled());
    assert.ok(await page.getByRole('button', { name: 'Reject' }).isEnabled());
    assert.equal(await page.getByText('Trying it out').count(), 0);
    wallet.failing.clear();
    await page.goto(`${gateway.url()}/treasury-dashboard.html`);
    await notices.nth(1).waitFor();
    await page.getByRole('button', { name: 'Switch the wallet to Base' }).first().click();
    await page.getByText('Your stake').waitFor();
    await page.getByText('Deposited', { exact: true }).last().waitFor();
    assert.equal(await notices.count(), 0);
  });

  test('terms are shown field by field, signed once, and the gateway keeps the signature', async (context) => {
    const { gateway } = sceneOf();
    const { requestId, path } = await askForSignature(gateway);
    const { page, complaints } = await open(context, path);
    await page.getByText('It counts on this market’s task registry and nowhere else.').waitFor();
    await page.getByText('1,500 TOK').waitFor();
    await connect(page);
    await page.getByRole('button', { name: 'Approve and sign' }).click();
    await page.getByText('done: your signature is handed over').waitFor();
    const { status, signature } = (await gateway.get(`/v1/requests/${requestId}`)).body;
    assert.deepEqual([status, signature.length], ['settled', 132]);
    assert.deepEqual(complaints, []);
  });

  test('a signature for another place is warned of, declined in the wallet without harm, and rejected', async (context) => {
    const { gateway, browser } = sceneOf();
    const { requestId, path } = await askForSignature(gateway, accountOf('drifter').address);
    const wallet = createTestWallet('Test wallet', owner.privateKey, gateway.devnet.rpcUrl);
    const text = `${'and on '.repeat(60)} everything I have is yours`;
    const strange = await askForStrangeSignature(gateway, text);
    const { page, complaints } = await openView(context, browser, gateway.url() + strange.path, { wallet });
    await page.getByText(text).waitFor();
    assert.deepEqual(complaints, []);
    await page.goto(gateway.url() + path);
    await page.getByText('It does not name a task registry of this service').waitFor();
    await connect(page);
    wallet.declineNext();
    await page.getByRole('button', { name: 'Approve and sign' }).click();
    await page.getByText('You declined in the wallet: it was neither signed nor sent.').waitFor();
    assert.equal(await statusOf(requestId), 'pending');
    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('rejected; nothing was sent').waitFor();
  });
}

/** What a tab holds while it sends; the stream of changes has a lock of its own. */
const isLocked = "navigator.locks.query().then(({ held }) => held.some(({ name }) => name !== 'svc-events'))";
