// Dialogs whose premise is gone: the reader is told at once, and the wallet is not asked to sign any more.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { postedPriceFeedAbi } from '@svc/contracts/abi';
import type { Page } from 'playwright-core';
import { encodeFunctionData } from 'viem';
import { generatePrivateKey } from 'viem/accounts';
import { parseTaskId } from '#sdk/domain/taskId.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { buildPriceTransaction } from '#service/devnet/price.ts';
import { openView } from '../support/browser.ts';
import { type Cast, createCast, enter } from '../support/cast.ts';
import { createTestWallet, type TestWallet } from '../support/testWallet.ts';
import { steps } from './actions.ts';
import { checkBarriers } from './barriers.ts';
import { ask, owner } from './requests.ts';
import { postShown, type Scene } from './scene.ts';
import { act, connect } from './walletSteps.ts';

const lost = 'Somebody else has claimed this task.';

export function testLostRace(sceneOf: () => Scene): void {
  let cast: Cast;
  before(async () => {
    cast = await createCast(sceneOf().gateway.devnet.rpcUrl, 'standard');
    await enter(cast);
  });

  /** A wallet with money and without collateral, and every signature it was asked for. */
  async function createWorker(): Promise<TestWallet & { readonly asked: string[] }> {
    const { rpcUrl } = sceneOf().gateway.devnet;
    const wallet = createTestWallet('Test wallet', generatePrivateKey(), rpcUrl);
    await cast.client.request({ method: 'svc_fund', params: [wallet.address] } as never);
    const asked: string[] = [];
    const request: TestWallet['request'] = (method, params) => {
      if (/^(eth_send|eth_sign|personal_|wallet_sendCalls)/.test(method)) asked.push(method);
      return wallet.request(method, params);
    };
    return { ...wallet, request, asked };
  }
  const usdcOf = ({ address }: TestWallet) =>
    cast.client.readContract({ ...cast.contracts.usdc, functionName: 'balanceOf', args: [address] });
  const signButton = (page: Page) => page.locator('dialog .signbar button');
  async function openClaim(
    context: Parameters<typeof openView>[0],
    id: string,
    wallet: TestWallet,
    prepare?: (page: Page) => Promise<unknown>,
  ) {
    const { browser, gateway } = sceneOf();
    const view = await openView(context, browser, 'about:blank', { wallet });
    await prepare?.(view.page);
    await view.page.goto(`${gateway.url()}/market.html?task=${id}`);
    await connect(view.page);
    await view.page.getByRole('button', { name: 'Claim this task' }).click();
    await view.page.getByText('Collateral you still need').waitFor();
    await view.page.locator('dialog .signbar button:enabled').waitFor();
    return view;
  }

  test('two workers have the claim open; when one has claimed, the other sees it and signs nothing', async (context) => {
    const id = await postShown(sceneOf(), cast);
    const [winner, loser] = [await createWorker(), await createWorker()];
    const before = await usdcOf(loser);
    const losing = await openClaim(context, id, loser);
    const winning = await openClaim(context, id, winner);
    await winning.page.keyboard.press('Escape');
    await act(winning.page, 'Claim this task');
    const { page } = losing;
    await page.getByRole('alert').getByText(lost).waitFor();
    await page.getByText('You have signed nothing here.').waitFor();
    assert.ok(await signButton(page).isDisabled());
    assert.equal(await page.getByText('Collateral you still need').count(), 0);
    await checkBarriers(page);
    assert.deepEqual([loser.asked, await usdcOf(loser)], [[], before]);
    assert.deepEqual([...losing.complaints, ...winning.complaints], []);
  });

  test('before each signature the page reads the task again, also while it receives no events', async (context) => {
    const id = await postShown(sceneOf(), cast);
    const loser = await createWorker();
    const before = await usdcOf(loser);
    const { page } = await openClaim(context, id, loser, (blank) =>
      blank.route('**/api/events*', () => undefined),
    );
    const asked = loser.holdNext();
    await page.getByRole('button', { name: 'Sign with your wallet' }).click();
    const agree = await asked;
    await steps.claim(cast, parseTaskId(id).number);
    await agree();
    await page.getByRole('alert').getByText(lost).waitFor();
    await page.getByText('collateral that you added stays yours').waitFor();
    await page.getByText('stopped here').waitFor();
    assert.ok(await signButton(page).isDisabled());
    assert.deepEqual([loser.asked.length, await usdcOf(loser)], [1, before], 'it approved and moved nothing');
  });

  test('on the approval page, a request whose premise is gone is said to be, and cannot be approved', async (context) => {
    const { browser, gateway } = sceneOf();
    const id = await postShown(sceneOf(), cast);
    const { number } = parseTaskId(id);
    const { registry } = cast.contracts;
    const data = encodeFunctionData({ abi: registry.abi, functionName: 'cancelTask', args: [number] });
    const { path } = await ask(gateway, {
      kind: 'calls',
      action: 'cancel-task',
      summary: 'Cancel the task',
      calls: [{ to: registry.address, value: '0x0', data }],
      steps: [],
    });
    const wallet = createTestWallet('Test wallet', owner.privateKey, gateway.devnet.rpcUrl);
    const { page } = await openView(context, browser, gateway.url() + path, { wallet });
    await connect(page);
    await page.getByText('it would succeed').waitFor();
    const approve = page.getByRole('button', { name: 'Approve and sign' });
    await page.getByRole('button', { name: 'Approve and sign', disabled: false }).waitFor();
    await steps.claim(cast, number);
    await page.getByRole('alert').getByText('What this page showed no longer holds.').waitFor();
    assert.ok(await approve.isDisabled());
    assert.ok(await page.getByRole('button', { name: 'Reject' }).isEnabled());
    await checkBarriers(page);
    assert.deepEqual(wallet.sent, []);
  });

  /** Prices of the feed are some time apart. */
  async function publish(priceE8: bigint): Promise<void> {
    const { clock, deployment } = sceneOf().gateway.devnet;
    const feed = { address: deployment.priceFeed, abi: postedPriceFeedAbi } as const;
    await clock.advance(Number(await cast.client.readContract({ ...feed, functionName: 'minInterval' })) + 1);
    const params = [buildPriceTransaction(deployment, priceE8)];
    const hash = await cast.client.request({ method: 'eth_sendTransaction', params } as never);
    const { status } = await cast.client.waitForTransactionReceipt({ hash });
    assert.equal(status, 'success');
  }

  test('a moved price of TOK stops a payment that it makes dearer, and the next look shows the new one', async (context) => {
    const { browser, gateway } = sceneOf();
    const url = `${gateway.url()}/market.html?market=standard&post=new&who=anyone`;
    const wallet = await createWorker();
    const { page, complaints } = await openView(context, browser, url, { wallet });
    await connect(page);
    await page.getByText('More posts a day: plans and prices').click();
    await page.getByRole('button', { name: 'Buy Basic with TOK' }).click();
    const dialog = page.getByRole('dialog', { name: 'Buy a posting plan' });
    await dialog.getByText('3,600 TOK').first().waitFor();
    await page.locator('dialog .signbar button:enabled').waitFor();
    // A TOK is half a cent; now it is a little less, and the plan costs more of them.
    await publish(480_000n);
    try {
      await page.getByRole('alert').getByText('now 3,750 TOK instead of 3,600 TOK').waitFor();
      await page.getByText('You have signed nothing here.').waitFor();
      assert.ok(await signButton(page).isDisabled());
      assert.deepEqual(wallet.asked, []);
      await checkBarriers(page);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Buy Basic with TOK' }).click();
      await dialog.getByText('3,750 TOK').first().waitFor();
      await page.locator('dialog .signbar button:enabled').waitFor();
      assert.deepEqual(complaints, []);
    } finally {
      await publish(500_000n);
    }
  });

  test('a moved deadline stops a claim, and a newer delivery stops its acceptance', async (context) => {
    const { browser, gateway } = sceneOf();
    const id = await postShown(sceneOf(), cast, { dueIn: 86_400 });
    const { number } = parseTaskId(id);
    const worker = await createWorker();
    const { page } = await openClaim(context, id, worker);
    const { timestamp } = await cast.client.getBlock();
    await cast.poster.write(cast.contracts.registry, 'extendDeadline', [number, timestamp + 200_000n]);
    await page.getByText('The deadline has moved.').waitFor();
    assert.ok(await signButton(page).isDisabled());
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Claim this task' }).click();
    await page.getByRole('button', { name: 'Sign with your wallet' }).waitFor();
    assert.equal(await page.getByText('The deadline has moved.').count(), 0);

    await steps.claim(cast, number);
    await steps.start(cast, number);
    await steps.deliver(cast, number);
    const { privateKey } = accountOf('newcomer');
    const wallet = createTestWallet('Test wallet', privateKey, gateway.devnet.rpcUrl);
    const url = `${gateway.url()}/market.html?task=${id}`;
    const poster = await openView(context, browser, url, { wallet });
    await connect(poster.page);
    await poster.page.getByRole('button', { name: 'Accept the milestone' }).click();
    await poster.page.getByRole('button', { name: 'Sign with your wallet' }).waitFor();
    await gateway.devnet.clock.advance(2);
    await steps.deliver(cast, number);
    await poster.page.getByText('There is a newer delivery.').waitFor();
    assert.ok(await signButton(poster.page).isDisabled());
    assert.deepEqual(wallet.sent, []);
  });
}
