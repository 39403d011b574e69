// The approval page: calls are decoded from their bytes, then approved and settled or rejected; other wallets cannot decide.
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { stringify, zeroHash } from 'viem';
import { type CallContracts, encodeCall, joinCalls } from '#sdk/chain/encodeCall.ts';
import { parseTok } from '#sdk/domain/amount.ts';
import { approvalTokenHeader, splitApprovalUrl } from '#sdk/domain/approvalLink.ts';
import { buildSessionTypedData } from '#sdk/domain/sessionDocument.ts';
import { parseTaskId } from '#sdk/domain/taskId.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { openView } from '../support/browser.ts';
import { joinAs, writeListing } from '../support/listings.ts';
import type { TestWallet } from '../support/testWallet.ts';
import { until } from '../support/until.ts';
import { checkBarriers } from './barriers.ts';
import { ask, askForPost, askForSignature, askForStrangeSignature, askForTopUp, owner } from './requests.ts';
import { browser, enterCast, gateway, openAs, options, prepareTask, walletOf } from './scene.ts';
import { connect } from './walletSteps.ts';

describe('wallet requests', options, () => {
  const read = async (id: string) => (await gateway.get(`/v1/requests/${id}`)).body;
  const open = (context: TestContext, path: string) => openAs(context, 'newcomer', path);

  test('an approved request is signed call by call, sent, and settled by the chain', async (context) => {
    const { requestId, path } = await askForTopUp();
    const wallet = walletOf('newcomer');
    const mined = Promise.withResolvers<void>();
    const request: TestWallet['request'] = async (method, params) => {
      if (method === 'eth_getTransactionReceipt') await mined.promise;
      return wallet.request(method, params);
    };
    const { page } = await openAs(context, { ...wallet, request }, path);
    await page.getByText('Add 12.5 USDC to your collateral').waitFor();
    await page.getByText('it would succeed').waitFor();
    await page.getByText('2 transactions; your wallet shows the exact cost').waitFor();
    const asked = wallet.holdNext();
    await page.getByRole('button', { name: 'Approve and sign 2 calls' }).click();
    const agree = await asked;
    await page.getByRole('button', { name: 'Call 1 of 2: confirm in your wallet…' }).waitFor();
    await agree();
    await page.getByRole('button', { name: 'Call 1 of 2: waiting for the chain…' }).waitFor();
    mined.resolve();
    await page.getByText('done, confirmed on the chain').waitFor();
    assert.equal((await read(requestId)).status, 'settled');
  });

  test('the secret of the link leaves the page in one header only, and not in an address or a referrer', async (context) => {
    const { path } = await askForTopUp();
    const wallet = walletOf('newcomer');
    const { page } = await openView(context, browser, gateway.url() + path, { wallet });
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
    await page.getByRole('button', { name: 'Approve and sign 2 calls', disabled: false }).waitFor();
    const heard = Promise.withResolvers<void>();
    await page.route('**/result', async (route) => {
      await heard.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByRole('button', { name: 'Rejecting…' }).waitFor();
    await page.getByRole('button', { name: 'Approve and sign 2 calls', disabled: true }).waitFor();
    heard.resolve();
    await page.getByText('rejected, nothing was sent').waitFor();
    assert.deepEqual([reports, leaked], [1, []]);
  });

  test('without the secret of the link the wallet signs in before it can decide', async (context) => {
    const { requestId, path } = await askForTopUp();
    const { page } = await open(context, splitApprovalUrl(path).approvalUrl);
    await page.getByText('opened without the secret of the approval link').waitFor();
    assert.equal(await page.getByRole('button', { name: /Approve|Reject/ }).count(), 0);
    await page.getByRole('button', { name: 'Sign in at this gateway' }).click();
    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('rejected, nothing was sent').waitFor();
    assert.equal((await read(requestId)).status, 'rejected');
  });

  test('a transaction that somebody invented leaves its owner the choice to reject', async (context) => {
    const { requestId, path } = await askForTopUp();
    const { token } = splitApprovalUrl(path);
    const transactionHashes = [`0x${'ce'.repeat(32)}`, `0x${'cf'.repeat(32)}`];
    const headers = { [approvalTokenHeader]: token ?? '' };
    await gateway.post(
      `/v1/requests/${requestId}/result`,
      { status: 'submitted', transactionHashes },
      headers,
    );
    const { page } = await open(context, path);
    await page.getByText('sent, waiting for confirmation').waitFor();
    await page.getByText('If your wallet sent none, reject the request').waitFor();
    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('the chain does not show the reported transaction').waitFor();
    assert.equal((await read(requestId)).status, 'rejected');
  });

  test('requests whose links were opened wait in a queue, each in words, and one follows the other; the tool gets the reason of a rejection', async (context) => {
    const asked = [await askForTopUp('3'), await askForPost(), await askForSignature()];
    const { page } = await open(context, asked[0]?.path ?? '');
    for (const { path } of asked) {
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
    // All of its texts, no bytes where the page knows what they are, and the words of the tool are no heading.
    await page.getByText('≈ $').first().waitFor();
    const text = await page.locator('main').innerText();
    assert.match(text, /Ten names, left to right\.\nLatin names count as well\./);
    assert.match(text, /(early.*){20}/s);
    assert.doesNotMatch(text, /0x[0-9a-f]{20}/i);
    assert.equal(await page.getByRole('heading', { name: 'Approved by svc' }).count(), 0);
    await page.getByLabel('Your reason, if you reject it').fill('Too early: wait until Friday.');
    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('rejected, nothing was sent').waitFor();
    const { error } = await read(asked[1]?.requestId ?? '');
    assert.match(error, /^The owner says: Too early: wait until Friday\./);
    await page.getByRole('link', { name: 'Sign: task terms' }).click();
    await page.getByRole('button', { name: 'Approve and sign' }).click();
    await page.getByText('done, the gateway has your signature').waitFor();
    assert.equal(await queue.count(), 1);
  });

  test('after a tab is closed between two calls, only the second is sent from the next tab', async (context) => {
    const { requestId, path } = await askForTopUp();
    const { page: first, wallet } = await open(context, path);
    const asked = wallet.holdNext(1);
    await first.getByRole('button', { name: 'Approve and sign 2 calls' }).click();
    await asked;
    await first.close();
    assert.equal((await read(requestId)).transactionHashes.length, 1);

    // Another browser without local state: the gateway knows what was sent.
    const { page, complaints } = await openView(context, browser, gateway.url() + path, { wallet });
    await page.getByText('partly sent, waiting for you to continue').waitFor();
    await page.getByText('Done already, and stays done if you reject the rest:').waitFor();
    await page.getByText('An allowance remains: the deposit vault (standard) to take 12.5 USDC').waitFor();
    wallet.declineNext();
    await page.getByRole('button', { name: 'Continue with call 2 of 2' }).click();
    await page.getByText('You declined in the wallet').waitFor();
    await page.getByRole('button', { name: 'Continue with call 2 of 2' }).click();
    await page.getByText('done, confirmed on the chain').waitFor();
    assert.equal(wallet.sent.length, 2);
    assert.notEqual(wallet.sent[0], wallet.sent[1]);
    assert.deepEqual(complaints, []);

    const next = await askForTopUp('13');
    await page.goto(gateway.url() + next.path);
    wallet.declineNext(1);
    await page.getByRole('button', { name: 'Approve and sign 2 calls' }).click();
    await page.getByText('You declined in the wallet').waitFor();
    await page.getByRole('button', { name: 'Reject the rest' }).click();
    await page.getByText('partly sent, the rest was rejected').waitFor();
    assert.match((await read(next.requestId)).error ?? '', /1 of 2 calls were sent before and stay done/);
  });

  test('a call that the wallet sends after its tab was closed is found on the chain and not sent again', async (context) => {
    const { requestId, path } = await askForTopUp();
    const { page: first, wallet } = await open(context, path);
    const asked = wallet.holdNext();
    await first.getByRole('button', { name: 'Approve and sign 2 calls' }).click();
    const agree = await asked;
    const { page } = await openView(context, browser, gateway.url() + path, { wallet, beside: first });
    await page.getByRole('button', { name: 'Approve and sign 2 calls' }).click();
    await page.getByText('Another tab is sending this request').waitFor();
    await first.close();
    await agree();
    // A closed tab releases its lock a moment later.
    await until(async () => !(await page.evaluate<boolean>(isLocked)));
    await page.getByRole('button', { name: 'Approve and sign 2 calls' }).click();
    await page.getByText('done, confirmed on the chain').waitFor();
    assert.deepEqual([wallet.sent.length, (await read(requestId)).status], [2, 'settled']);
  });

  test('figures that change while the page is open are told, and none is signed that was not shown', async (context) => {
    const cast = await enterCast('standard');
    const contracts = (await gateway.get('/api/site-config?market=standard')).body.contracts as CallContracts;
    const askToCancel = async () => {
      const number = parseTaskId(await prepareTask(cast)).number;
      const joined = joinCalls(
        encodeCall(contracts, 'TokToken', 'approve', [contracts.paymentGateway, parseTok('100000')]),
        encodeCall(contracts, 'TaskRegistry', 'cancelTask', [number]),
      );
      const fund = () => cast.poster.write(cast.contracts.registry, 'fundTask', [number, parseTok('400')]);
      return {
        fund,
        ...(await ask({ kind: 'calls', action: 'cancel-task', summary: 'Stop', ...joined })),
      };
    };
    const first = await askToCancel();
    const { page, wallet } = await open(context, first.path);
    const approve = page.getByRole('button', { name: 'Approve and sign 2 calls' });
    await page.getByText('it would succeed').waitFor();
    await first.fund();
    const told = page.getByRole('alert').filter({ hasText: 'not those that this page showed first' });
    await told.getByText('There is a new line. To your wallet: 400 TOK.').waitFor();
    assert.ok(await approve.isDisabled());
    await told.getByRole('button', { name: 'I have read the new figures' }).click();
    await approve.click();
    await page.getByText('done, confirmed on the chain').waitFor();

    const second = await askToCancel();
    await page.goto(gateway.url() + second.path);
    await page.getByText('it would succeed').waitFor();
    const before = wallet.sent.length;
    const asked = wallet.holdNext();
    await approve.click();
    const agree = await asked;
    await second.fund();
    await agree();
    await page.getByText('To your wallet: 400 TOK. It was not signed: read the figures again.').waitFor();
    assert.equal(wallet.sent.length - before, 1, 'the allowance only');
    await page.getByRole('button', { name: 'Continue with call 2 of 2' }).click();
    await page.getByText('done, confirmed on the chain').waitFor();
  });

  test('another wallet can neither approve nor reject', async (context) => {
    const { page } = await openAs(context, 'visitor', (await askForTopUp()).path);
    await page.getByText('Another wallet is connected.').waitFor();
    await checkBarriers(page);
    assert.equal(await page.getByRole('button', { name: /Approve|Reject/ }).count(), 0);
    // Nor can anyone decide on the page what a key signs.
    const { path } = await askForTopUp('12.5', 'wallet');
    const own = await open(context, path);
    await own.page.getByText('there is nothing to approve here').waitFor();
    assert.equal(await own.page.getByRole('button', { name: /Approve|Reject|Sign in/ }).count(), 0);
  });

  test('a wallet on another chain can be switched wherever it is needed', async (context) => {
    const { path } = await askForTopUp();
    const wallet = walletOf('newcomer');
    const { page } = await openView(context, browser, gateway.url() + path, { wallet });
    wallet.stray();
    wallet.failing.add('wallet_switchEthereumChain');
    await connect(page);
    const notices = page.getByText('Your wallet is on another chain. Switch it to Base to continue.');
    await notices.waitFor();
    assert.ok(await page.getByRole('button', { name: 'Approve and sign 2 calls' }).isDisabled());
    assert.ok(await page.getByRole('button', { name: 'Reject' }).isEnabled());
    await page.getByRole('button', { name: 'Switch to Base' }).click();
    const notSwitched = 'The wallet did not switch. Choose Base in the wallet itself.';
    await page.getByRole('dialog', { name: 'Your wallet' }).getByText(notSwitched).waitFor();
    wallet.failing.clear();
    await page.goto(`${gateway.url()}/wallet.html`);
    await notices.waitFor();
    await page.getByRole('button', { name: 'Switch the wallet to Base' }).click();
    await page.getByText('You staked').waitFor();
    assert.equal(await notices.count(), 0);

    // What a session alone cannot read says so as well, instead of loading for ever.
    await page.goto(`${gateway.url()}/messages.html`);
    await page.getByRole('button', { name: 'Sign in at this gateway' }).click();
    await page.getByRole('heading', { name: 'Conversations' }).waitFor();
    wallet.stray();
    const poster = await joinAs(gateway, 'press');
    const listing = await poster.matching.list(writeListing(gateway));
    await poster.close();
    for (const view of ['messages.html', 'my.html', `market.html?listing=${listing.id}`]) {
      await page.goto(`${gateway.url()}/${view}`);
      await notices.waitFor();
    }
  });

  test('terms are shown field by field, signed once, and the gateway keeps the signature', async (context) => {
    const { requestId, path } = await askForSignature();
    const { page } = await open(context, path);
    await page.getByText('The signature is valid only for this market’s task registry.').waitFor();
    // Nothing can be approved before the page shows what it moves.
    const approve = page.getByRole('button', { name: 'Approve and sign' });
    const showIt = Promise.withResolvers<void>();
    await page.route(`${gateway.url()}/api/site-config*`, async (route) => {
      await showIt.promise;
      await route.continue();
    });
    await page.reload();
    await page.getByText('Reading what this moves…').waitFor();
    assert.equal(await approve.isDisabled(), true);
    showIt.resolve();
    await approve.click();
    await page.getByText('done, the gateway has your signature').waitFor();
    const { status, signature } = await read(requestId);
    assert.deepEqual([status, signature.length], ['settled', 132]);
  });

  test('a sign-in says what it lets a program do, and is no danger', async (context) => {
    const validUntil = gateway.devnet.clock.now() + 3_600;
    const document = { wallet: owner.address, gateway: gateway.url(), nonce: zeroHash, validUntil };
    const typedData = JSON.parse(stringify(buildSessionTypedData(8_453, document)));
    const request = { kind: 'signature', action: 'open-session', summary: 'Sign in', typedData };
    const { requestId, path } = await ask(request);
    const { page } = await open(context, path);
    await page.getByText('No money moves. Until it runs out, the program that asks can read').waitFor();
    await page.getByRole('heading', { name: 'Sign: Session' }).waitFor();
    assert.equal(await page.getByText('Reject it unless').count(), 0);
    await page.getByRole('button', { name: 'Approve and sign' }).click();
    await page.getByText('done, the gateway has your signature').waitFor();
    assert.equal((await read(requestId)).status, 'settled');
  });

  test('a signature for another contract gets a warning, and can be declined in the wallet', async (context) => {
    const { requestId, path } = await askForSignature(accountOf('drifter').address);
    const text = `${'and on '.repeat(60)} everything I have is yours`;
    const { page, wallet } = await open(context, (await askForStrangeSignature(text)).path);
    await page.getByText(text).waitFor();
    await page.goto(gateway.url() + path);
    await page.getByText('This is not for a task registry of this service').waitFor();
    wallet.declineNext();
    await page.getByRole('button', { name: 'Approve and sign' }).click();
    await page.getByText('You declined in the wallet. Nothing was signed or sent.').waitFor();
    assert.equal((await read(requestId)).status, 'pending');
  });
});

/** Whether a tab holds the lock of a request; the event stream has another lock. */
const isLocked = "navigator.locks.query().then(({ held }) => held.some(({ name }) => name !== 'svc-events'))";
