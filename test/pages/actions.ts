// The other actions of a wallet on tasks and on its funds, each explained before it is signed. What every action does on the
// chain: test/prepare; when each is offered: nextActions.test.ts.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { generatePrivateKey } from 'viem/accounts';
import { parseTok } from '#sdk/domain/amount.ts';
import { parseTaskId, type TaskId } from '#sdk/domain/taskId.ts';
import { createBatchingWallet } from '../support/batchingWallet.ts';
import { createParty } from '../support/cast.ts';
import { advance, enterCast, gateway, openAs, options, prepareTask } from './scene.ts';
import { readTask as read } from './taskSteps.ts';
import { act, signing } from './walletSteps.ts';

const day = 86_400;
const pathOf = (id: TaskId) => `/market.html?task=${id}`;

describe('every other action', options, () => {
  const readTask = async (id: TaskId) => (await gateway.get(`/api/market/task?id=${id}`)).body.task;

  test('a poster cancels and gives more time; a worker leaves', async (context) => {
    const cast = await enterCast('standard');
    const [cancelled, active] = [await prepareTask(cast), await prepareTask(cast, 'claim', 'start')];
    const { page } = await openAs(context, 'newcomer', pathOf(cancelled));
    await act(page, 'Cancel the task', async (dialog) => {
      await dialog.getByText('The fee you paid for posting is not returned.').waitFor();
      await dialog.getByRole('row', { name: /^Your locked bond.* 5 USDC$/ }).waitFor();
    });
    assert.equal((await readTask(cancelled)).state, 'CANCELLED');
    const { deadline } = await readTask(active);
    await page.goto(gateway.url() + pathOf(active));
    // What pays for work that nobody has seen stands apart, and says so by its colour.
    const paysAll = page.getByRole('button', { name: 'Pay everything and complete' });
    await page.getByRole('button', { name: 'Give more time' }).waitFor();
    assert.equal(await paysAll.isVisible(), false);
    await page.getByText('More', { exact: true }).click();
    await paysAll.and(page.locator('[data-is=risk]')).waitFor();
    await page.getByText('More', { exact: true }).click();
    await act(page, 'Give more time', async (dialog) => {
      const textOf = (moment: number) => new Date(moment * 1_000).toISOString().slice(0, 16);
      await dialog.getByLabel('New deadline').fill(textOf(deadline - day));
      const present = `${textOf(deadline).replace('T', ' ')} UTC`;
      await dialog.getByText(`Must be later than the present one, ${present}`).waitFor();
      const later = textOf(deadline + 5 * day);
      await dialog.getByLabel('New deadline').fill(later);
      await dialog.getByText(/That is 20\d\d-.* UTC\./).waitFor();
      await dialog.getByText('a deadline only moves to a later time').waitFor();
    });
    assert.ok((await readTask(active)).deadline > deadline + 4 * day);
    const { contracts, poster } = cast;
    const { number } = parseTaskId(active);
    await poster.write(contracts.registry, 'giveDismissNotice', [
      number,
      (await read(cast, number)).settlementDigest,
    ]);
    const worker = await openAs(context, 'visitor', pathOf(active));
    await worker.page.getByText('an answer saves your bond').waitFor();
    await act(worker.page, 'Leave the task', (dialog) => dialog.getByText('Access fee').waitFor());
    assert.equal((await readTask(active)).state, 'POSTED');
  });

  test('collateral is topped up and withdrawn, TOK is staked, and a wallet becomes an arbitrator and stops, on the wallet page', async (context) => {
    const wallet = await createBatchingWallet('Test wallet', generatePrivateKey(), gateway.devnet.rpcUrl);
    const { page } = await openAs(context, wallet, '/wallet.html?market=standard');
    await page.getByLabel('Amount, USDC').fill('60');
    await act(page, 'Top up');
    await page.getByText('60 USDC', { exact: true }).first().waitFor();
    await page.getByLabel('Amount, USDC').fill('20');
    await act(page, 'Withdraw');
    await page.getByText('40 USDC', { exact: true }).first().waitFor();
    // More than there is: the page says where TOK comes from.
    await page.getByLabel('Amount, TOK').fill('900000000');
    await page.getByRole('button', { name: 'Stake TOK', exact: true }).click();
    await page.getByText('Get TOK first.').waitFor();
    await page.getByRole('dialog').getByText(wallet.address, { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByLabel('Amount, TOK').fill('10000');
    await act(page, 'Stake TOK');
    await page.getByLabel('Amount, TOK').fill('5');
    await page.getByRole('button', { name: 'Unstake TOK' }).click();
    await page.getByText('it would fail').waitFor();
    await page.keyboard.press('Escape');
    await page.getByLabel('Smallest case you take, TOK').fill('500');
    await page.getByText('≈ $2.50').waitFor();
    await act(page, 'Become an arbitrator', (dialog) =>
      dialog.getByText('Each case that you do not decide in time costs').first().waitFor(),
    );
    const { body } = await gateway.get(`/v1/leaderboard/verifiers?address=${wallet.address}`);
    assert.equal(body.verifiers[0].minHeldTokWei, parseTok('500').toString());
    await act(page, 'Stop being an arbitrator');
    await page.getByText('you take no new cases; the bond is free from').waitFor();
  });

  test('a dispute is answered, both sides give evidence, and the arbitrator rules with reasons that all can read', async (context) => {
    const cast = await enterCast('standard');
    const id = await prepareTask(cast, 'claim', 'start', 'deliver', 'dispute', 'answer');
    const worker = await openAs(context, 'visitor', pathOf(id));
    const words = worker.page.getByLabel('Your evidence');
    const note = worker.page.getByText('Public for ever: your words');
    await act(worker.page, 'Add evidence', async () => {
      await words.fill('The tenth bird sits on the roof.');
      await note.waitFor();
    });
    // Nobody is there yet to whom it could be said.
    assert.equal(await worker.page.getByRole('button', { name: 'I have nothing to add' }).count(), 0);
    const { client, contracts } = cast;
    const { address: referee, write } = createParty(client, gateway.devnet.rpcUrl, 'referee');
    await write(contracts.court, 'registerArbitrator', [parseTok('25000'), 0n]);
    await act(worker.page, 'Propose an arbitrator', async (page) => {
      await page.getByRole('textbox', { name: 'Arbitrator' }).fill('0x12');
      await page.getByText('An address must be 0x and 40 hexadecimal digits.').waitFor();
      assert.ok(await page.locator(signing).isDisabled());
      await page.getByRole('button', { name: referee.slice(-4) }).click();
      assert.equal(await page.getByRole('textbox', { name: 'Arbitrator' }).inputValue(), referee);
    });
    const poster = await openAs(context, 'newcomer', pathOf(id));
    await act(poster.page, 'Propose an arbitrator', async (page) => {
      await page.getByRole('button', { name: 'named by the worker' }).click();
      assert.equal(await page.getByRole('textbox', { name: 'Arbitrator' }).inputValue(), referee);
    });

    const arbitrator = await openAs(context, 'referee', pathOf(id));
    for (const side of ['poster', 'worker'])
      await arbitrator.page.getByRole('link', { name: `Ask the ${side}` }).waitFor();
    assert.equal(await arbitrator.page.getByText('Poster named').count(), 0, 'both named the arbitrator');
    await arbitrator.page.getByText('The tenth bird sits on the roof.').first().waitFor();
    assert.equal(await arbitrator.page.getByText('Words as signed').count(), 1);
    await advance(day + 1);
    await arbitrator.page.reload();
    await act(arbitrator.page, 'Rule on the dispute', async (page) => {
      await page.getByLabel('Share of the worker, %').fill('101');
      await page.getByText('A share is a number from 0 to 100').waitFor();
      await page.getByLabel('Share of the worker, %').fill('75');
      await page.getByText('Give your reasons').waitFor();
      await page.getByLabel('Your reasons').fill('Nine of ten were right.');
    });
    await worker.page.getByText('75 % to the worker').first().waitFor();
    await worker.page.getByText('Nine of ten were right.').first().waitFor();
    // What it came to for each side: 75 % of 1,000 TOK, and of two bonds of 50 TOK one has paid the arbitrator.
    const end = (page: Page) => page.getByRole('region', { name: 'Dispute' }).getByRole('status');
    await worker.page.getByText('You won 750 TOK').first().waitFor();
    assert.match(
      await end(worker.page).innerText(),
      /You won 750 TOK.* of the 1,000 TOK.*lost 250 TOK.*12\.5 TOK .*of your bond/s,
    );
    await poster.page.getByText('You lost 750 TOK').first().waitFor();
    assert.match(
      await end(poster.page).innerText(),
      /You lost 750 TOK.* of the 1,000 TOK.*37\.5 TOK .*of your bond/s,
    );
    assert.equal((await readTask(id)).releasedTokWei, parseTok('750').toString());
    await poster.page.goto(`${gateway.url()}/my.html`);
    await poster.page.getByText('not counting 250 TOK that came back').waitFor();
  });
});
