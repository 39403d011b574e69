// Two wallets take a task from the post to the payment, each on its own page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeFunctionData, getAbiItem, type Hex, toFunctionSelector } from 'viem';
import { generatePrivateKey } from 'viem/accounts';
import { taskRegistryAbi } from '#contracts/generated/abi/taskRegistry.ts';
import { readDocument } from '#sdk/documents/viewDocument.ts';
import { parseTok } from '#sdk/domain/amount.ts';
import { hashDocument, readInlineUri } from '#sdk/domain/document.ts';
import { parseTaskId } from '#sdk/domain/taskId.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { createBatchingWallet } from '../support/batchingWallet.ts';
import { openView } from '../support/browser.ts';
import { createCast, enter } from '../support/cast.ts';
import { chooseAccount, createTestWallet } from '../support/testWallet.ts';
import { until } from '../support/until.ts';
import { steps } from './actions.ts';
import { postShown, type Scene } from './scene.ts';
import { act, connect } from './walletSteps.ts';

const isPost = (data: Hex) =>
  data.startsWith(toFunctionSelector(getAbiItem({ abi: taskRegistryAbi, name: 'postTask' })));

export function testPostToPayment(sceneOf: () => Scene): void {
  const walletOf = (name: 'newcomer' | 'visitor') =>
    createTestWallet('Test wallet', accountOf(name).privateKey, sceneOf().gateway.devnet.rpcUrl);

  test('post, claim, fund, start, deliver and accept, each seen by the other without a reload', async (context) => {
    const { browser, gateway } = sceneOf();
    const postUrl = `${gateway.url()}/market.html?market=standard&post=new&who=anyone`;
    const wallet = walletOf('newcomer');
    const poster = await openView(context, browser, 'about:blank', { wallet });
    const page = poster.page;
    await page.clock.install();
    await page.goto(postUrl);
    await connect(page);
    await page.getByLabel('Title').fill('Name ten birds in a photograph');
    await page.getByLabel('Acceptance criteria').fill('Ten names, left to right.');
    await page.getByLabel('Amount, TOK').fill('1500');
    await page.getByLabel('Escrow').selectOption('later');
    await page.getByText('Access fee').waitFor();
    await page.getByText('1,000 TOK').first().waitFor();
    await page.getByText('Collateral you still need').waitFor();
    await page.getByText('Technical details').waitFor();
    // The post is sent, but its receipt cannot be read. A minute later the plan has another deadline.
    const asked = wallet.holdNext(3);
    await page.getByRole('button', { name: 'Sign with your wallet' }).click();
    const agree = await asked;
    wallet.failing.add('eth_getTransactionReceipt');
    await agree();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    wallet.failing.clear();
    // Another account has sent nothing.
    await chooseAccount(page, wallet, accountOf('visitor').address);
    await page.getByRole('button', { name: 'Sign with your wallet' }).waitFor();
    await chooseAccount(page, wallet, wallet.address);
    const deadline = page.locator('dt', { hasText: 'Deadline' }).locator('+ dd');
    const before = await deadline.innerText();
    await page.clock.fastForward(61_000);
    await until(async () => (await deadline.innerText()) !== before);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Name ten birds in a photograph' }).waitFor();
    assert.equal(wallet.sent.filter(isPost).length, 1, 'it was posted and paid once');
    const id = new URL(page.url()).searchParams.get('task') ?? '';

    const taskUrl = `${gateway.url()}/market.html?task=${id}`;
    const workerWallet = walletOf('visitor');
    const worker = await openView(context, browser, taskUrl, { wallet: workerWallet });
    await connect(worker.page);
    await act(worker.page, 'Claim this task');
    await act(page, 'Fund escrow');
    await act(page, 'Start the work');
    await act(worker.page, 'Deliver', async (dialog) => {
      await dialog.getByText('an empty delivery proves nothing').waitFor();
      assert.ok(await dialog.getByRole('button', { name: 'Sign with your wallet' }).isDisabled());
      await dialog.getByText('an empty delivery proves nothing').waitFor();
      await dialog.getByLabel('Note to the poster').fill('Ten birds, left to right.');
      await dialog.getByLabel('Links').fill('birds.txt');
      await dialog.getByText('“birds.txt” is not a link.').waitFor();
      await dialog.getByLabel('Links').fill('https://work.example/birds.txt');
      await dialog.getByText('Public for ever: your words').waitFor();
    });
    const delivery = decodeFunctionData({ abi: taskRegistryAbi, data: workerWallet.sent.at(-1) ?? '0x' });
    const [, , proofHash, uri] = delivery.args as readonly [bigint, number, Hex, string];
    const { bytes } = readInlineUri(uri) ?? assert.fail('the words are not inline');
    assert.equal(proofHash, hashDocument(bytes));
    assert.deepEqual(readDocument(bytes, 'svc-delivery-v1'), {
      schema: 'svc-delivery-v1',
      taskId: id,
      milestone: 0,
      note: 'Ten birds, left to right.',
      links: ['https://work.example/birds.txt'],
      artifacts: [],
    });
    await act(page, 'Accept the milestone', async (dialog) => {
      await dialog.getByRole('row', { name: /^To the worker ?0x.* 1,500 TOK( ≈ .*)?$/ }).waitFor();
    });
    await worker.page.getByText('Done: everything was paid to the worker.').waitFor();
    await worker.page.getByText('1,500 TOK ≈ $7.50 paid to the worker').waitFor();

    const { body } = await gateway.get(`/api/market/task?id=${id}`);
    assert.equal(body.task.state, 'COMPLETED');
    assert.equal(body.task.releasedTokWei, '1500000000000000000000');
    assert.deepEqual([...poster.complaints, ...worker.complaints], []);
  });

  test('two parties settle: one sends a signed split as a message, the other agrees to its figures', async (context) => {
    const { browser, gateway } = sceneOf();
    const cast = await createCast(gateway.devnet.rpcUrl, 'standard');
    await enter(cast);
    const id = await postShown(sceneOf(), cast);
    await steps.claim(cast, parseTaskId(id).number);
    const url = `${gateway.url()}/market.html?task=${id}`;
    const poster = await openView(context, browser, url, { wallet: walletOf('newcomer') });
    await connect(poster.page);
    await poster.page.getByRole('button', { name: 'Settle together' }).click();
    await poster.page.getByRole('button', { name: 'Sign in at this gateway' }).click();
    await poster.page.getByLabel('Share of the worker, %').fill('250');
    await poster.page.getByRole('button', { name: 'Sign this offer and send it' }).click();
    await poster.page.getByText('A share is a number from 0 to 100').waitFor();
    await poster.page.getByLabel('Share of the worker, %').fill('25');
    await poster.page.getByText('to the worker, ').first().waitFor();
    await poster.page.getByRole('button', { name: 'Sign this offer and send it' }).click();
    await poster.page.getByText('Sent. The other party finds it in its messages').waitFor();
    assert.doesNotMatch(await poster.page.getByRole('dialog').innerText(), /%7B|%22|0x[0-9a-f]{20}|\{"/);
    const messages = `${gateway.url()}/messages.html`;
    const worker = await openView(context, browser, messages, { wallet: walletOf('visitor') });
    await connect(worker.page);
    await worker.page.getByRole('button', { name: 'Sign in at this gateway' }).click();
    await worker.page.getByRole('link', { name: `About task ${id}` }).click();
    await worker.page.getByText('They have signed:').waitFor();
    await worker.page.getByRole('button', { name: 'Agree and end the task' }).click();
    const dialog = worker.page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Sign with your wallet' }).click();
    await dialog.getByText('Done. The market shows it.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await worker.page.goto(url);
    await worker.page.getByText('Settled by both parties: 25 % to the worker').waitFor();
    const { body } = await gateway.get(`/api/market/task?id=${id}`);
    assert.equal(body.task.state, 'RESOLVED');
  });

  test('after declining the second of two calls a retry continues there; after leaving no second signature is requested', async (context) => {
    const { browser, gateway } = sceneOf();
    const wallet = walletOf('visitor');
    const url = `${gateway.url()}/treasury-dashboard.html?market=micro`;
    const { page } = await openView(context, browser, url, { wallet });
    await connect(page);
    await page.getByLabel('Amount, USDC').fill('7');
    await page.getByRole('button', { name: 'Top up', exact: true }).click();
    wallet.declineNext(1);
    await page.getByRole('button', { name: 'Sign with your wallet' }).click();
    await page.getByText('You declined in the wallet. What you signed before stays sent.').waitFor();
    assert.equal(wallet.sent.length, 1);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Done. The market shows it.').waitFor();
    assert.equal(wallet.sent.length, 2);
    assert.notEqual(wallet.sent[0], wallet.sent[1]);
    assert.equal(
      await page.locator('.steps a[href^="/tx.html"]').count(),
      2,
      'each step shows its transaction',
    );
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();

    // Closing the dialog between two calls cancels the second.
    await page.getByRole('button', { name: 'Top up', exact: true }).click();
    const asked = wallet.holdNext();
    await page.getByRole('button', { name: 'Sign with your wallet' }).click();
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
    const { browser, gateway } = sceneOf();
    const poor = `0x${'ab'.repeat(32)}` as const;
    const wallet = createTestWallet('Test wallet', poor, gateway.devnet.rpcUrl);
    const url = `${gateway.url()}/market.html?task=v2:standard:52`;
    const { page } = await openView(context, browser, url, { wallet });
    await connect(page);
    await page.getByRole('button', { name: 'Claim this task' }).click();
    await page.getByText('1,000 TOK ≈ $5.00 are needed and the wallet has 0').waitFor();
    await page.getByText('25 USDC are needed and the wallet has 0').waitFor();
    assert.ok(await page.getByRole('button', { name: 'Sign with your wallet' }).isDisabled());
  });

  test('a wallet becomes an arbitrator and stops being one on the treasury page', async (context) => {
    const { browser, gateway } = sceneOf();
    const wallet = await createBatchingWallet('Test wallet', generatePrivateKey(), gateway.devnet.rpcUrl);
    const url = `${gateway.url()}/treasury-dashboard.html?market=standard`;
    const { page, complaints } = await openView(context, browser, url, { wallet });
    await connect(page);
    await page.getByLabel('Smallest case you take, TOK').fill('500');
    await page.getByText('≈ $2.50').waitFor();
    await act(page, 'Become an arbitrator', (dialog) =>
      dialog.getByText('Each case that you do not decide in time costs').waitFor(),
    );
    await page.getByText('you take cases', { exact: true }).waitFor();
    const { body } = await gateway.get(`/v1/leaderboard/verifiers?address=${wallet.address}`);
    assert.deepEqual(
      body.verifiers.map(({ minHeldTokWei }: { minHeldTokWei: string }) => minHeldTokWei),
      [parseTok('500').toString()],
    );
    await act(page, 'Stop being an arbitrator');
    await page.getByText('you take no new cases; the bond is free from').waitFor();
    assert.deepEqual(complaints, []);
  });

  test('collateral is topped up and withdrawn, and TOK is staked, on the treasury page', async (context) => {
    const { browser, gateway } = sceneOf();
    const url = `${gateway.url()}/treasury-dashboard.html?market=micro`;
    const { page } = await openView(context, browser, url, { wallet: walletOf('visitor') });
    await connect(page);
    const own = page.locator('section', { has: page.getByRole('heading', { name: 'Your collateral' }) });
    const deposited = own.locator('dt', { hasText: 'Deposited' }).locator('+ dd');
    const before = Number.parseFloat(await deposited.innerText());
    await page.getByLabel('Amount, USDC').fill('60');
    await act(page, 'Top up');
    await page
      .getByText(`${before + 60} USDC`, { exact: true })
      .first()
      .waitFor();
    await page.getByLabel('Amount, USDC').fill('20');
    await act(page, 'Withdraw');
    await page
      .getByText(`${before + 40} USDC`, { exact: true })
      .first()
      .waitFor();
    await page.getByLabel('Amount, TOK').fill('10000');
    await act(page, 'Stake TOK');
    await page.getByLabel('Amount, TOK').fill('5');
    await page.getByRole('button', { name: 'Unstake TOK' }).click();
    await page.getByText('it would fail').waitFor();
  });
}
