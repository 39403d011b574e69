// A wallet request on its page: read from its bytes, approved and settled, or rejected, or of somebody else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeApproveUsdcVault } from '#chain/calls/approvals.ts';
import { encodeTopUp } from '#chain/calls/collateral.ts';
import { type CallContracts, joinCalls } from '#chain/calls/encode.ts';
import { accountOf } from '#devnet/accounts.ts';
import { parseUsdc } from '#domain/amount.ts';
import type { Scene } from '../pages.test.ts';
import { openView } from '../support/browser.ts';
import { createTestWallet } from '../support/testWallet.ts';
import { until } from '../support/until.ts';
import { connect } from './walletSteps.ts';

const owner = accountOf('newcomer');
const amount = parseUsdc('12.5');

export function testApprovals(sceneOf: () => Scene): void {
  async function askForTopUp(summary = 'Top up my collateral'): Promise<{ requestId: string; path: string }> {
    const { gateway } = sceneOf();
    const { body: site } = await gateway.get('/api/site-config?market=standard');
    const contracts = site.contracts as CallContracts;
    const { calls, steps } = joinCalls(
      encodeApproveUsdcVault(contracts, amount),
      encodeTopUp(contracts, amount),
    );
    const asked = {
      kind: 'calls',
      action: 'top-up',
      summary,
      chainId: 8453,
      from: owner.address,
      calls,
      steps,
    };
    const { status, body } = await gateway.post('/v1/requests', asked);
    assert.equal(status, 201);
    return { requestId: body.requestId, path: `/approve.html?request=${body.requestId}` };
  }
  const statusOf = async (id: string) => (await sceneOf().gateway.get(`/v1/requests/${id}`)).body.status;
  const open = (context: Parameters<typeof openView>[0], path: string, key = owner.privateKey) => {
    const { browser, gateway } = sceneOf();
    const wallet = createTestWallet('Test wallet', key, gateway.devnet.rpcUrl);
    return openView(context, browser, gateway.url() + path, { wallet });
  };

  test('an approved request is signed call by call, sent, and settled by the chain', async (context) => {
    const { requestId, path } = await askForTopUp();
    const { page, complaints } = await open(context, path);
    await page.getByText('topUp on deposit vault (standard)').waitFor();
    await page.getByText('12.5 USDC').first().waitFor();
    await connect(page);
    await page.getByText('it would succeed').waitFor();
    await page.getByRole('button', { name: 'Approve and sign 2 calls' }).click();
    await page.getByText('done: the chain proves it').waitFor();
    assert.equal(await statusOf(requestId), 'settled');
    assert.deepEqual(complaints, []);
  });

  test('a tab that is closed after the first of two calls leaves the second, and the first is not sent twice', async (context) => {
    const { browser, gateway } = sceneOf();
    const { requestId, path } = await askForTopUp();
    const wallet = createTestWallet('Test wallet', owner.privateKey, gateway.devnet.rpcUrl);
    const url = gateway.url() + path;
    const first = await openView(context, browser, url, { wallet });
    await connect(first.page);
    const asked = wallet.holdNext(1);
    await first.page.getByRole('button', { name: 'Approve and sign 2 calls' }).click();
    await asked;
    await first.page.close();
    assert.equal((await gateway.get(`/v1/requests/${requestId}`)).body.transactionHashes.length, 1);

    // Another browser, which remembers nothing: the gateway told it.
    const second = await openView(context, browser, url, { wallet });
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
    const { browser, gateway } = sceneOf();
    const { requestId, path } = await askForTopUp();
    const wallet = createTestWallet('Test wallet', owner.privateKey, gateway.devnet.rpcUrl);
    const url = gateway.url() + path;
    const first = await openView(context, browser, url, { wallet });
    await connect(first.page);
    const asked = wallet.holdNext();
    await first.page.getByRole('button', { name: 'Approve and sign 2 calls' }).click();
    const agree = await asked;
    const second = await openView(context, browser, url, { wallet, beside: first.page });
    await second.page.getByRole('button', { name: 'Approve and sign 2 calls' }).click();
    await second.page.getByText('Another tab sends this request right now').waitFor();
    await first.page.close();
    await agree();
    await second.page.getByRole('button', { name: 'Approve and sign 2 calls' }).click();
    await second.page.getByText('done: the chain proves it').waitFor();
    assert.equal(wallet.sent.length, 2);
    assert.equal(await statusOf(requestId), 'settled');
  });

  test('a rejected request stays rejected, and nothing is sent', async (context) => {
    const { requestId, path } = await askForTopUp();
    const { page } = await open(context, path);
    await connect(page);
    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('rejected; nothing was sent').waitFor();
    await until(async () => (await statusOf(requestId)) === 'rejected');
    assert.equal(await page.getByRole('button', { name: /Approve/ }).count(), 0);
  });

  test('another wallet than the one it is for can neither approve nor reject', async (context) => {
    const { path } = await askForTopUp();
    const { page } = await open(context, path, accountOf('visitor').privateKey);
    await connect(page);
    await page.getByText('Another wallet is connected.').waitFor();
    assert.equal(await page.getByRole('button', { name: /Approve|Reject/ }).count(), 0);
  });

  test('what the tool says is shown as its words, and a call to a stranger is named as one', async (context) => {
    const { gateway } = sceneOf();
    const summary = '<img src=x onerror=alert(1)> Harmless';
    const calls = [{ to: accountOf('drifter').address, value: '0xde0b6b3a7640000', data: '0x' }];
    const asked = {
      kind: 'calls',
      action: 'top-up',
      summary,
      chainId: 8453,
      from: owner.address,
      calls,
      steps: [],
    };
    const { body } = await gateway.post('/v1/requests', asked);
    const { page } = await open(context, `/approve.html?request=${body.requestId}`);
    await page.getByText(summary).waitFor();
    await page.getByText('This calls a contract that is none of this service’s').waitFor();
    await page.getByText('It also sends 1 ETH').waitFor();
  });
}
