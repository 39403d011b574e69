// Wallets that batch: one signature for each action, honest reports of failed batches, and batches that outlive a reload.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generatePrivateKey } from 'viem/accounts';
import { type BatchingWallet, createBatchingWallet } from '../support/batchingWallet.ts';
import { openView } from '../support/browser.ts';
import type { Scene } from './scene.ts';
import { act, connect } from './walletSteps.ts';

export function testBatches(sceneOf: () => Scene): void {
  const create = () =>
    createBatchingWallet('Test wallet', generatePrivateKey(), sceneOf().gateway.devnet.rpcUrl);
  const open = async (context: Parameters<typeof openView>[0], path: string, wallet: BatchingWallet) => {
    const { browser, gateway } = sceneOf();
    const view = await openView(context, browser, gateway.url() + path, { wallet });
    await connect(view.page);
    return view;
  };

  test('two newcomers post and claim a task with one signature each, for four calls', async (context) => {
    const [posting, working] = [await create(), await create()];
    const poster = await open(context, '/market.html?market=standard&post=new&who=anyone', posting);
    await poster.page.getByLabel('Title').fill('Count the lamps in the hall');
    await poster.page.getByLabel('Acceptance criteria').fill('One number.');
    await poster.page.getByLabel('Amount, TOK').fill('1500');
    await poster.page.getByText('One signature for all 4 steps').waitFor();
    await poster.page.getByRole('button', { name: 'Sign with your wallet' }).click();
    await poster.page.getByRole('heading', { level: 1, name: 'Count the lamps in the hall' }).waitFor();
    const path = new URL(poster.page.url());
    const worker = await open(context, path.pathname + path.search, working);
    await act(worker.page, 'Claim this task', (dialog) =>
      dialog.getByText('One signature for all 4 steps').waitFor(),
    );
    assert.deepEqual(
      [...posting.batches, ...working.batches].map(({ calls, atomicRequired }) => [
        calls.length,
        atomicRequired,
      ]),
      [
        [4, true],
        [4, true],
      ],
    );
    assert.deepEqual([posting.signatures(), working.signatures()], [1, 1]);
    assert.deepEqual([...poster.complaints, ...worker.complaints], []);
  });

  test('a failed or partly executed batch is reported as what it is, and nothing is asked for twice after a reload', async (context) => {
    const wallet = await create();
    const { page } = await open(context, '/treasury-dashboard.html?market=micro', wallet);
    const topUp = async () => {
      await page.getByLabel('Amount, USDC').fill('7');
      await page.getByRole('button', { name: 'Top up', exact: true }).click();
      await page.getByText('One signature for all 2 steps').waitFor();
      await page.getByRole('button', { name: 'Sign with your wallet' }).click();
    };
    wallet.failNext(500);
    await topUp();
    await page.getByText('The batch reverted; nothing has changed.').waitFor();
    wallet.failNext(600);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Only a part of the batch took effect').waitFor();
    // The approval took effect: what is left is one call, signed alone.
    await page.getByText('1 transaction;').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Done. The market shows it.').waitFor();
    assert.deepEqual([wallet.batches.length, wallet.sent.length], [2, 1]);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();

    const release = wallet.holdStatus();
    await topUp();
    await page.getByText('sent, waiting to be mined…').first().waitFor();
    await page.reload();
    await page.getByText('Your wallet was asked for 2 steps at once').waitFor();
    release();
    await page.getByText('Done: all 2 steps took effect.').waitFor();
    await page.getByText('14 USDC', { exact: true }).first().waitFor();
    assert.equal(wallet.batches.length, 3);
    await page.reload();
    await page.getByText('14 USDC', { exact: true }).first().waitFor();
    assert.equal(await page.getByText('at once').count(), 0);
  });
}
