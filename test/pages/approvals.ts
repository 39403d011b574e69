// The approval page: calls are decoded from their bytes, then approved and settled or rejected; other wallets cannot decide.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { approvalTokenHeader, splitApprovalUrl } from '#sdk/domain/approvalLink.ts';
import { accountOf } from '#service/devnet/accounts.ts';
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
import type { Scene } from './scene.ts';
import { connect } from './walletSteps.ts';

export function testApprovals(sceneOf: () => Scene): void {
  const statusOf = async (id: string) => (await sceneOf().gateway.get(`/v1/requests/${id}`)).body.status;
  const open = (context: Parameters<typeof openView>[0], path: string, key = owner.privateKey) => {
    const { browser, gateway } = sceneOf();
    const wallet = createTestWallet('Test wallet', key, gateway.devnet.rpcUrl);
    return openView(context, browser, gateway.url() + path, { wallet });
  };
  /** Opens a request of two calls in a connected tab; `openTab` opens more tabs with the same wallet. */
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
    await page.getByText('Add 12.5 USDC to your collateral').waitFor();
    await page.getByText('12.5 USDC').first().waitFor();
    await connect(page);
    await page.getByText('it would succeed').waitFor();
    await page.getByText('2 transactions; your wallet shows the exact cost').waitFor();
    await page.getByRole('button', { name: 'Approve and sign 2 calls' }).click();
    await page.getByText('done, confirmed on the chain').waitFor();
    assert.equal(await statusOf(requestId), 'settled');
    assert.deepEqual(complaints, []);
  });

  test('the secret of the link leaves the page in one header only, and not in an address or a referrer', async (context) => {
    const { path } = await askForTopUp(sceneOf().gateway);
    const { page } = await open(context, path);
    const { token } = splitApprovalUrl(path);
    const leaked: string[] = [];
    let reports = 0;
    page.on('request', (request) => {
      const { [approvalTokenHeader.toLowerCase()]: shown, ...headers } = request.headers();
      if (shown === token && request.url().endsWith('/result')) reports++;
      const sent = [request.url(), request.postData(), ...Object.values(headers)].join();
      if (sent.includes(String(token))) leaked.push(sent);
    });
    await connect(page);
    assert.ok(!page.url().includes(String(token)), 'the address bar no longer has it');
    await page.reload();
    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('rejected, nothing was sent').waitFor();
    assert.equal(reports, 1);
    assert.deepEqual(leaked, []);
  });

  test('without the secret of the link the wallet signs in before it can decide', async (context) => {
    const { requestId, path } = await askForTopUp(sceneOf().gateway);
    const { page } = await open(context, splitApprovalUrl(path).approvalUrl);
    await connect(page);
    await page.getByText('opened without the secret of the approval link').waitFor();
    assert.equal(await page.getByRole('button', { name: /Approve|Reject/ }).count(), 0);
    await page.getByRole('button', { name: 'Sign in at this gateway' }).click();
    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('rejected, nothing was sent').waitFor();
    assert.equal(await statusOf(requestId), 'rejected');
  });

  test('requests whose links were opened wait in a queue, each in words, and one follows the other', async (context) => {
    const { gateway } = sceneOf();
    const asked = [
      await askForTopUp(gateway, '3'),
      await askForPost(gateway),
      await askForSignature(gateway),
    ];
    const { page, complaints } = await open(context, asked[0]?.path ?? '');
    await connect(page);
    await page.getByRole('button', { name: 'Reject' }).waitFor();
    for (const { path } of asked.slice(1)) {
      await page.goto(gateway.url() + path);
      await page.getByRole('button', { name: 'Reject' }).waitFor();
    }
    await page.goto(`${gateway.url()}/my.html`);
    await page.getByRole('link', { name: 'Open the queue (3)' }).click();
    const queue = page.getByRole('region', { name: 'Waiting for you' }).getByRole('link');
    await queue.nth(2).waitFor();
    assert.deepEqual(
      (await queue.allInnerTexts()).map((text) => text.replace(/ \d+:.*/, '')),
      ['Add 3 USDC to your collateral', 'Post a task of 1,500 TOK', 'Sign: task terms'],
    );
    await queue.nth(1).click();
    // No bytes where the page knows what they are.
    await page.getByText('≈ $').first().waitFor();
    assert.doesNotMatch(await page.locator('main').innerText(), /0x[0-9a-f]{20}/i);
    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('rejected, nothing was sent').waitFor();
    await page.getByRole('link', { name: 'Sign: task terms' }).click();
    await page.getByRole('button', { name: 'Approve and sign' }).click();
    await page.getByText('done, the gateway has your signature').waitFor();
    assert.equal(await queue.count(), 1);
    assert.deepEqual(complaints, []);
  });

  test('what a key signs is shown without buttons', async (context) => {
    const { path } = await askForTopUp(sceneOf().gateway, '12.5', 'wallet');
    const { page } = await open(context, path);
    await connect(page);
    await page.getByText('there is nothing to approve here').waitFor();
    await page.getByText('with the wallet of your tools').waitFor();
    assert.equal(await page.getByRole('button', { name: /Approve|Reject|Sign in/ }).count(), 0);
  });

  test('after a tab is closed between two calls, only the second is sent from the next tab', async (context) => {
    const { requestId, wallet, first, openTab } = await openTopUp(context);
    const asked = wallet.holdNext(1);
    await first.page.getByRole('button', { name: 'Approve and sign 2 calls' }).click();
    await asked;
    await first.page.close();
    assert.equal((await sceneOf().gateway.get(`/v1/requests/${requestId}`)).body.transactionHashes.length, 1);

    // Another browser without local state: the gateway knows what was sent.
    const second = await openTab();
    await second.page.getByText('partly sent, waiting for you to continue').waitFor();
    wallet.declineNext();
    await second.page.getByRole('button', { name: 'Continue with call 2 of 2' }).click();
    await second.page.getByText('You declined in the wallet').waitFor();
    await second.page.getByRole('button', { name: 'Continue with call 2 of 2' }).click();
    await second.page.getByText('done, confirmed on the chain').waitFor();
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
    await second.page.getByText('Another tab is sending this request').waitFor();
    await first.page.close();
    await agree();
    // A closed tab releases its lock a moment later.
    await until(async () => !(await second.page.evaluate<boolean>(isLocked)));
    await second.page.getByRole('button', { name: 'Approve and sign 2 calls' }).click();
    await second.page.getByText('done, confirmed on the chain').waitFor();
    assert.equal(wallet.sent.length, 2);
    assert.equal(await statusOf(requestId), 'settled');
  });

  test('a rejected request stays rejected, and nothing is sent', async (context) => {
    const { requestId, path } = await askForTopUp(sceneOf().gateway);
    const { page } = await open(context, path);
    await connect(page);
    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('rejected, nothing was sent').waitFor();
    await until(async () => (await statusOf(requestId)) === 'rejected');
    assert.equal(await page.getByRole('button', { name: /Approve/ }).count(), 0);
  });

  test('another wallet can neither approve nor reject', async (context) => {
    const { path } = await askForTopUp(sceneOf().gateway);
    const { page } = await open(context, path, accountOf('visitor').privateKey);
    await connect(page);
    await page.getByText('Another wallet is connected.').waitFor();
    assert.equal(await page.getByRole('button', { name: /Approve|Reject/ }).count(), 0);
  });

  test('the tool’s text is marked as such, and a call to an unknown contract gets a warning', async (context) => {
    const summary = '<img src=x onerror=alert(1)> Harmless';
    const { path } = await askForStranger(sceneOf().gateway, summary);
    const { page } = await open(context, path);
    await page.getByText(summary).waitFor();
    await page.getByText('This contract is not part of the market').waitFor();
    await page.getByText('Nobody can say what this call does').waitFor();
    await page.getByText('This call also sends 1 ETH').waitFor();
  });

  test('a post is shown with its texts, fee, bond and gas, and the tool’s text is no heading', async (context) => {
    const { path } = await askForPost(sceneOf().gateway);
    const { page, complaints } = await open(context, path);
    const criteria = page.getByRole('region', { name: 'Acceptance criteria' });
    assert.match(await criteria.innerText(), /Ten names, left to right\.\nLatin names count as well\./);
    assert.match(await page.getByRole('region', { name: 'Description' }).innerText(), /(early.*){20}$/s);
    const costs = async () => (await page.locator('table.costs').allInnerTexts()).join();
    assert.match(
      await costs(),
      /market’s fees.*1,000 TOK.*locked bond.*5 USDC.*Gas.*estimated by the tool.*0\.000042 ETH/s,
    );
    assert.equal(await page.getByRole('heading', { name: 'Approved by svc' }).count(), 0);
    assert.deepEqual(complaints, []);
  });

  test('a wallet on another chain can be switched wherever it is needed', async (context) => {
    const { browser, gateway } = sceneOf();
    const { path } = await askForTopUp(gateway);
    const wallet = createTestWallet('Test wallet', owner.privateKey, gateway.devnet.rpcUrl);
    const { page } = await openView(context, browser, gateway.url() + path, { wallet });
    wallet.stray();
    wallet.failing.add('wallet_switchEthereumChain');
    await connect(page);
    const notices = page.getByText('Your wallet is on another chain. Switch it to Base to continue.');
    await notices.waitFor();
    assert.ok(await page.getByRole('button', { name: 'Approve and sign 2 calls' }).isDisabled());
    assert.ok(await page.getByRole('button', { name: 'Reject' }).isEnabled());
    assert.equal(await page.getByText('Simulating the calls').count(), 0);
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
    await page.getByText('The signature is valid only for this market’s task registry.').waitFor();
    await page.getByText('1,500 TOK').first().waitFor();
    await connect(page);
    // Nothing can be approved before the page shows what it moves.
    const approve = page.getByRole('button', { name: 'Approve and sign' });
    const [read, showIt] = [`${gateway.url()}/api/site-config*`, Promise.withResolvers<void>()];
    await page.route(read, async (route) => {
      await showIt.promise;
      await route.continue();
    });
    await page.reload();
    await page.getByText('Reading what this moves…').waitFor();
    assert.equal(await approve.isDisabled(), true);
    showIt.resolve();
    await approve.click();
    await page.getByText('done, the gateway has your signature').waitFor();
    const { status, signature } = (await gateway.get(`/v1/requests/${requestId}`)).body;
    assert.deepEqual([status, signature.length], ['settled', 132]);
    assert.deepEqual(complaints, []);
  });

  test('a signature for another contract gets a warning, can be declined in the wallet, and rejected', async (context) => {
    const { gateway, browser } = sceneOf();
    const { requestId, path } = await askForSignature(gateway, accountOf('drifter').address);
    const wallet = createTestWallet('Test wallet', owner.privateKey, gateway.devnet.rpcUrl);
    const text = `${'and on '.repeat(60)} everything I have is yours`;
    const strange = await askForStrangeSignature(gateway, text);
    const { page, complaints } = await openView(context, browser, gateway.url() + strange.path, { wallet });
    await page.getByText(text).waitFor();
    assert.deepEqual(complaints, []);
    await page.goto(gateway.url() + path);
    await page.getByText('This is not for a task registry of this service').waitFor();
    await connect(page);
    wallet.declineNext();
    await page.getByRole('button', { name: 'Approve and sign' }).click();
    await page.getByText('You declined in the wallet. Nothing was signed or sent.').waitFor();
    assert.equal(await statusOf(requestId), 'pending');
    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('rejected, nothing was sent').waitFor();
  });
}

/** Whether a tab holds the lock of a request; the event stream has another lock. */
const isLocked = "navigator.locks.query().then(({ held }) => held.some(({ name }) => name !== 'svc-events'))";
