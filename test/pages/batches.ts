// Wallets that batch: one signature for each action, honest reports of failed batches, and batches that outlive a reload.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { generatePrivateKey } from 'viem/accounts';
import { createBatchingWallet } from '../support/batchingWallet.ts';
import { gateway, openAs, options } from './scene.ts';
import { signing, writePost } from './walletSteps.ts';

describe('wallets that batch', options, () => {
  const create = () => createBatchingWallet('Test wallet', generatePrivateKey(), gateway.devnet.rpcUrl);

  test('a newcomer posts a task with one signature for four calls', async (context) => {
    const wallet = await create();
    const path = '/market.html?market=standard&post=new&who=anyone';
    const { page } = await openAs(context, wallet, path);
    const title = 'Count the lamps in the hall';
    await writePost(page, { Title: title, 'Accepted when': 'One number.' }, '1500 TOK');
    await page.getByText('One signature for all 4 steps').waitFor();
    await page.locator(signing).click();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    const asked = wallet.batches.map(({ calls, atomicRequired }) => [calls.length, atomicRequired]);
    assert.deepEqual([asked, wallet.signatures()], [[[4, true]], 1]);
  });

  test('a failed or partly executed batch is reported as what it is, and nothing is asked for twice after a reload', async (context) => {
    const wallet = await create();
    const { page } = await openAs(context, wallet, '/wallet.html?market=micro');
    const topUp = async () => {
      await page.getByLabel('Amount, USDC').fill('7');
      await page.getByRole('button', { name: 'Top up', exact: true }).click();
      await page.getByText('One signature for all 2 steps').waitFor();
      await page.locator(signing).click();
    };
    wallet.failNext(500);
    await topUp();
    await page.getByText('The batch reverted; nothing has changed.').waitFor();
    wallet.failNext(600);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Only a part of the batch took effect').waitFor();
    // The approval took effect: what is left is one call, signed alone.
    await page.getByText('Details', { exact: true }).click();
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
});
