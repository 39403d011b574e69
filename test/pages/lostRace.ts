// Dialogs whose premise is gone: the reader is told at once, and the wallet is not asked to sign any more. What counts as a
// change: premise.test.ts.
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { encodeFunctionData } from 'viem';
import { generatePrivateKey } from 'viem/accounts';
import { parseTaskId } from '#sdk/domain/taskId.ts';
import { openView } from '../support/browser.ts';
import type { Cast } from '../support/cast.ts';
import { createTestWallet, type TestWallet } from '../support/testWallet.ts';
import { checkBarriers } from './barriers.ts';
import { ask } from './requests.ts';
import { browser, enterCast, gateway, openAs, options, postShown } from './scene.ts';
import { steps } from './taskSteps.ts';
import { claims, connect, signing } from './walletSteps.ts';

const lost = 'Somebody else has claimed this task.';

describe('a lost race', options, () => {
  /** Opens the claim of a task with a wallet that has money and no collateral; `asked` are the signatures it was asked for. */
  async function openClaim(
    context: TestContext,
    { client }: Cast,
    id: string,
    prepare?: (page: Page) => unknown,
  ) {
    const wallet = createTestWallet('Test wallet', generatePrivateKey(), gateway.devnet.rpcUrl);
    await client.request({ method: 'svc_fund', params: [wallet.address] } as never);
    const asked: string[] = [];
    const request: TestWallet['request'] = (method, params) => {
      if (/^(eth_send|eth_sign|personal_|wallet_sendCalls)/.test(method)) asked.push(method);
      return wallet.request(method, params);
    };
    const { page } = await openView(context, browser, 'about:blank', { wallet: { ...wallet, request } });
    await prepare?.(page);
    await page.goto(`${gateway.url()}/market.html?task=${id}`);
    await connect(page);
    await page.getByRole('button', { name: claims }).click();
    await page.getByText('Details', { exact: true }).click();
    await page.getByText('Collateral you still need').waitFor();
    await page.locator('dialog .signbar button:enabled').waitFor();
    return { page, wallet, asked };
  }
  const isSignable = (page: Page) => page.locator('dialog .signbar button').isEnabled();

  test('when somebody else has claimed, an open claim says so and asks for no signature', async (context) => {
    const cast = await enterCast('standard');
    const id = await postShown(cast);
    const { page, asked } = await openClaim(context, cast, id);
    await steps.claim(cast, parseTaskId(id).number);
    await page.getByRole('alert').getByText(lost).waitFor();
    await page.getByText('You have signed nothing here.').waitFor();
    assert.equal(await isSignable(page), false);
    assert.equal(await page.getByText('Collateral you still need').count(), 0);
    await checkBarriers(page);
    assert.deepEqual(asked, []);
  });

  test('before each signature the page reads the task again, also while it receives no events', async (context) => {
    const cast = await enterCast('standard');
    const id = await postShown(cast);
    const { page, wallet, asked } = await openClaim(context, cast, id, (blank) =>
      blank.route('**/api/events*', () => undefined),
    );
    const holding = wallet.holdNext();
    await page.locator(signing).click();
    const agree = await holding;
    await steps.claim(cast, parseTaskId(id).number);
    await agree();
    await page.getByRole('alert').getByText(lost).waitFor();
    await page.getByText('collateral that you added stays yours').waitFor();
    await page.getByText('stopped here').waitFor();
    assert.equal(await isSignable(page), false);
    assert.equal(asked.length, 1, 'it approved and moved nothing');
  });

  test('on the approval page, a request whose premise is gone is said to be, and cannot be approved', async (context) => {
    const cast = await enterCast('standard');
    const { number } = parseTaskId(await postShown(cast));
    const { address: to, abi } = cast.contracts.registry;
    const data = encodeFunctionData({ abi, functionName: 'cancelTask', args: [number] });
    const calls = [{ to, value: '0x0', data }];
    const asked = { kind: 'calls', action: 'cancel-task', summary: 'Cancel the task', calls, steps: [] };
    const { path } = await ask(asked);
    const { page, wallet } = await openAs(context, 'newcomer', path);
    await page.getByText('it would succeed').waitFor();
    await page.getByRole('button', { name: 'Approve and sign', disabled: false }).waitFor();
    await steps.claim(cast, number);
    await page.getByRole('alert').getByText('What this page showed no longer holds.').waitFor();
    assert.ok(await page.getByRole('button', { name: 'Approve and sign' }).isDisabled());
    assert.ok(await page.getByRole('button', { name: 'Reject' }).isEnabled());
    assert.deepEqual(wallet.sent, []);
  });
});
