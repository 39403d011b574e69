// Ten requests of an agent as their owner meets them, four of them harmful behind harmless words: the approval page makes
// each plain without opening anything.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { before, test } from 'node:test';
import { maxUint256 } from 'viem';
import { encodeApproveTokRouter } from '#sdk/actions/approvals.ts';
import { encodePostTask } from '#sdk/actions/postTask.ts';
import { type CallContracts, encodeCall, joinCalls } from '#sdk/chain/encodeCall.ts';
import { buildTaskDocument } from '#sdk/documents/buildDocument.ts';
import { parseTok, parseUsdc } from '#sdk/domain/amount.ts';
import { parseTaskId } from '#sdk/domain/taskId.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { openView } from '../support/browser.ts';
import { type Cast, createCast, enter } from '../support/cast.ts';
import { createTestWallet } from '../support/testWallet.ts';
import { steps } from './actions.ts';
import { ask, askForSignature, askForTopUp, owner } from './requests.ts';
import { postShown, type Scene } from './scene.ts';
import { connect } from './walletSteps.ts';

const day = 86_400;
const thief = accountOf('drifter').address;
const worker = accountOf('visitor').address;
/** Where pictures go, if anywhere. */
const shots = process.env.SVC_TEST_SHOTS;

export function testTenRequests(sceneOf: () => Scene): void {
  let cast: Cast;
  before(async () => {
    cast = await createCast(sceneOf().gateway.devnet.rpcUrl, 'standard');
    await enter(cast);
  });

  test('ten requests, four of them harmful, are plain without opening details', async (context) => {
    const { gateway, browser } = sceneOf();
    const contracts = (await gateway.get('/api/site-config?market=standard')).body.contracts as CallContracts;
    const { uri, hash } = buildTaskDocument({
      title: 'Birds of the pond',
      description: '',
      criteria: '',
      tags: [],
    });
    const post = async (...names: (keyof typeof steps)[]) => {
      const id = await postShown(sceneOf(), cast, { dueIn: 10 * day, uri });
      for (const name of names) await steps[name](cast, parseTaskId(id).number);
      return parseTaskId(id).number;
    };
    const [open, claimed, delivered] = [
      await post(),
      await post('claim'),
      await post('claim', 'start', 'deliver'),
    ];
    const { updatedAt } = await cast.client.readContract({
      ...cast.contracts.registry,
      functionName: 'getTask',
      args: [delivered],
    });
    const request = (summary: string, encoded: object, action = 'fund-task') =>
      ask(gateway, { kind: 'calls', action, summary, steps: [], ...encoded });
    const foreign = { calls: [{ to: thief, value: '0x0', data: '0x4e71d92d' }] };
    const posted = encodePostTask(contracts, {
      totalAmountTokWei: parseTok('1500'),
      deadline: Number((await cast.client.getBlock()).timestamp) + 5 * day,
      reviewPeriod: day,
      criteriaHash: hash,
      milestonesTokWei: [],
      uri,
      fundNowTokWei: parseTok('1500'),
    });
    const cases: readonly (readonly [asked: { path: string }, seen: readonly RegExp[], isHarmful?: true])[] =
      [
        [
          await askForTopUp(gateway),
          [/To your collateral\s+from your wallet\s+12\.5 USDC/, /All together, your wallet pays 12\.5 USDC/],
        ],
        [
          await request(
            'Post the birds',
            joinCalls(encodeApproveTokRouter(contracts, parseTok('2500')), posted),
          ),
          [
            /Allows the payment gateway \(standard\) to take 2,500 TOK/,
            /To the market’s fees\s+from your wallet\s+1,000 TOK ≈ \$/,
            /To escrow\s+from your wallet\s+1,500 TOK ≈ \$/,
            /To your locked bond\s+from your collateral\s+5 USDC/,
            /is created as POSTED/,
          ],
        ],
        [
          await request(
            'Fund',
            encodeCall(contracts, 'TaskRegistry', 'fundTask', [claimed, parseTok('1000')]),
          ),
          [
            /Birds of the pond/,
            /To escrow\s+from your wallet\s+1,000 TOK/,
            /What can I lose\?\s+Paid out when/,
          ],
        ],
        [
          await request(
            'Accept milestone 2',
            encodeCall(contracts, 'TaskRegistry', 'acceptMilestone', [delivered, 0, BigInt(updatedAt)]),
          ),
          [
            /Accept and pay milestone 1 of task/,
            /Birds of the pond/,
            new RegExp(`To the worker\\s+${worker} · from escrow\\s+1,000 TOK ≈ \\$`),
            /goes from DELIVERED to COMPLETED/,
            /It cannot be undone/,
            /The worker goes on with the next milestone; after the last one the task is over/,
          ],
        ],
        [
          await request('Withdraw the task', encodeCall(contracts, 'TaskRegistry', 'cancelTask', [open])),
          [/Your locked bond\s+free again\s+5 USDC/, /goes from POSTED to CANCELLED/],
        ],
        [
          await askForSignature(gateway),
          [
            /Nothing moves by the signature alone/,
            /To your wallet\s+from escrow · if all is accepted\s+1,500 TOK/,
          ],
        ],
        // Harmful: to the wrong wallet, an unlimited allowance, too much, a foreign contract.
        [
          await request(
            'Move collateral to the new market',
            encodeCall(contracts, 'DepositVault', 'withdraw', [parseUsdc('10'), thief]),
            'withdraw-deposit',
          ),
          [
            new RegExp(`Your collateral goes to another wallet, ${thief}`),
            /10 USDC/,
            /Can I undo this\?\s+No\. Only the other wallet could send it back/,
          ],
          true,
        ],
        [
          await request('Approve the fee', encodeCall(contracts, 'TokToken', 'approve', [thief, maxUint256])),
          [
            new RegExp(`${thief} is not part of the market\\. It could take your TOK at any time`),
            /The allowance is unlimited/,
            /unlimited/,
          ],
          true,
        ],
        [
          await request(
            'Pay the access fee',
            encodeCall(contracts, 'TokToken', 'transfer', [thief, parseTok('4000')]),
          ),
          [
            new RegExp(`A plain payment to ${thief}: no task, no escrow, no way back`),
            /4,000 TOK ≈ \$/,
            /All together, your wallet pays 4,000 TOK/,
          ],
          true,
        ],
        [
          await request('Claim the airdrop', foreign),
          [/not part of the market\. What the call does is unknown/, /cannot say what the unknown contract/],
          true,
        ],
      ];
    const wallet = createTestWallet('Test wallet', owner.privateKey, gateway.devnet.rpcUrl);
    const first = cases[0]?.[0].path ?? '';
    const { page, complaints } = await openView(context, browser, gateway.url() + first, { wallet });
    await connect(page);
    for (const [at, [{ path }, seen, isHarmful]] of cases.entries()) {
      await page.goto(gateway.url() + path);
      for (const words of seen)
        await page
          .locator('main')
          .filter({ hasText: asShown(words) })
          .waitFor();
      const text = await page.locator('main').innerText();
      for (const words of seen) assert.match(text, words);
      assert.equal((await page.locator('.notice[data-is=risk]').count()) > 0, isHarmful === true, text);
      // Nothing calms where something is marked.
      if (isHarmful === true) assert.doesNotMatch(text, /where they are|Top up again|Nothing except the gas/);
      // The page proposes to approve only what it does not warn of.
      const approve = page.getByRole('button', { name: /^Approve and sign/ });
      const isMain = (await approve.getAttribute('data-is')) === 'main';
      assert.equal(isMain, isHarmful !== true, text);
      if (shots === undefined) continue;
      mkdirSync(shots, { recursive: true });
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 844 });
        await page.screenshot({ path: `${shots}/request-${at + 1}-${width}.png`, fullPage: true });
      }
      await page.setViewportSize({ width: 1280, height: 844 });
    }
    assert.deepEqual(complaints, []);
  });

  test('a rejection carries the owner’s reason to the tool, and the rest of a sent request names what stays', async (context) => {
    const { gateway, browser } = sceneOf();
    const { requestId, path } = await askForTopUp(gateway, '7');
    const wallet = createTestWallet('Test wallet', owner.privateKey, gateway.devnet.rpcUrl);
    const { page } = await openView(context, browser, gateway.url() + path, { wallet });
    await connect(page);
    const asked = wallet.holdNext(1);
    await page.getByRole('button', { name: 'Approve and sign 2 calls' }).click();
    await asked;
    await page.reload();
    await page.getByText('Done already, and stays done if you reject the rest:').waitFor();
    await page.getByText('An allowance remains: the deposit vault (standard) to take 7 USDC').waitFor();
    await page.getByLabel('Your reason, if you reject it').fill('Too early: wait until Friday.');
    await page.getByRole('button', { name: 'Reject the rest' }).click();
    await page.getByText('partly sent, the rest was rejected').waitFor();
    const { body } = await gateway.get(`/v1/requests/${requestId}`);
    assert.equal(
      body.error,
      'The owner says: Too early: wait until Friday. 1 of 2 calls were sent before and stay done.',
    );
  });
}

/** `hasText` sees no breaks between the cells of a table. */
function asShown(words: RegExp): RegExp {
  return new RegExp(words.source.replaceAll('\\s+', '\\s*'));
}
