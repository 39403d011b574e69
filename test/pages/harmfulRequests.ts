// Requests of an agent as their owner meets them, some of them harmful behind harmless words: the approval page makes each
// plain without opening anything, and without barriers.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { maxUint256 } from 'viem';
import { type CallContracts, encodeCall } from '#sdk/chain/encodeCall.ts';
import { parseTok, parseUsdc } from '#sdk/domain/amount.ts';
import { parseTaskId } from '#sdk/domain/taskId.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { checkBarriers } from './barriers.ts';
import { ask, askForPost, askForSignature, askForStranger, askForTopUp } from './requests.ts';
import { enterCast, gateway, openAs, options, prepareTask } from './scene.ts';
import { readTask } from './taskSteps.ts';

const thief = accountOf('drifter').address;

describe('harmful requests', options, () => {
  test('fourteen requests, nine of them harmful, are plain without opening details', async (context) => {
    const contracts = (await gateway.get('/api/site-config?market=standard')).body.contracts as CallContracts;
    const request = (summary: string, encoded: object, action = 'fund-task') =>
      ask({ kind: 'calls', action, summary, steps: [], ...encoded });
    const cast = await enterCast('standard');
    const delivered = parseTaskId(await prepareTask(cast, 'claim', 'start', 'deliver')).number;
    const { updatedAt } = await readTask(cast, delivered);
    const posted = parseTaskId(await prepareTask(cast)).number;
    const acceptance = encodeCall(contracts, 'TaskRegistry', 'acceptMilestone', [delivered, 0, updatedAt]);
    const funding = encodeCall(contracts, 'TaskRegistry', 'fundTask', [posted, parseTok('1000')]);
    const stake = encodeCall(contracts, 'TokToken', 'approve', [thief, parseTok('10')]);
    const withdrawal = encodeCall(contracts, 'DepositVault', 'withdraw', [parseUsdc('10'), thief]);
    const allowance = encodeCall(contracts, 'TokToken', 'approve', [thief, maxUint256]);
    const transfer = encodeCall(contracts, 'TokToken', 'transfer', [thief, parseTok('4000')]);
    const foreign = { calls: [{ to: thief, value: '0x0', data: '0x4e71d92d' }] };
    const harmless: [asked: { path: string }, ...seen: string[]][] = [
      [await askForTopUp(), 'To your collateral\\s+from your wallet\\s+12\\.5 USDC', 'pays 12\\.5 USDC'],
      [
        await askForPost(),
        ...['market’s fees.*1,000 TOK ≈ \\$', 'locked bond.*5 USDC', 'created as Open'],
        ...['Latin names count as well\\.', 'review period', 'deadline'],
      ],
      [
        await askForSignature(),
        ...['Nothing moves by the signature alone', 'if all is accepted\\s+1,500 TOK'],
        'of which this request has only the hash',
      ],
      [
        await request('Accept the work', acceptance, 'accept-milestone'),
        'To the worker.*1,000 TOK ≈ \\$',
        'the payment is final',
        'Your wallet itself pays nothing: the amounts above are held by the contracts already',
      ],
      [await request('Fund the task', funding), 'To escrow.*1,000 TOK ≈ \\$'],
    ];
    const { usdc, depositVault } = contracts;
    const tooMuch = encodeCall(contracts, 'USDC', 'approve', [depositVault, parseUsdc('40000000')]);
    const types = {
      TransferWithAuthorization: [
        { name: 'from', type: 'address' },
        { name: 'to', type: 'address' },
        { name: 'value', type: 'uint256' },
      ],
    };
    const payment = {
      domain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: usdc },
      types,
      primaryType: 'TransferWithAuthorization',
      message: { from: accountOf('newcomer').address, to: thief, value: String(parseUsdc('10000')) },
    };
    const harmful: typeof harmless = [
      [
        await ask({
          kind: 'signature',
          action: 'open-session',
          summary: 'Sign in to the market',
          typedData: payment,
        }),
        'calls itself “open-session”, but what you would sign is “x402-payment”',
        `whoever has it can move 10000 USDC of this wallet to ${thief}`,
      ],
      [
        await request('Allow the deposit vault', tooMuch, 'approve-usdc-vault'),
        'The allowance is above what your wallet has',
      ],
      [
        await request('Fund the task', acceptance),
        'calls itself “fund-task”, but what you would sign is “accept-milestone”',
      ],
      [
        await request('Move collateral to the new market', withdrawal),
        `Your collateral goes to another wallet, ${thief}`,
        '10 USDC',
        'Can I undo this\\?\\s+No\\. Only the other wallet could send it back',
      ],
      [
        await request('Approve the fee', allowance),
        `${thief} is not part of the market\\. It could take your TOK at any time`,
        'The allowance is unlimited',
      ],
      [
        await request('Stake ten TOK', stake),
        `${thief} is not part of the market\\. It could take your TOK`,
        '10 TOK',
      ],
      [
        await request('Pay the access fee', transfer),
        `A plain payment to ${thief}: no task, no escrow, no way back`,
        'In total, your wallet pays 4,000 TOK',
      ],
      [
        await request('Claim the airdrop', foreign),
        'not part of the market\\. What the call does is unknown',
        'cannot say what the unknown contract',
      ],
      [
        await askForStranger('<img src=x onerror=alert(1)> Harmless'),
        '<img src=x onerror=alert\\(1\\)> Harmless',
        ...['This contract is not part of the market', 'Nobody can say what this call does'],
        'This call also sends 1 ETH',
      ],
    ];
    const { page } = await openAs(context, 'newcomer', harmless[0]?.[0].path ?? '');
    for (const [{ path }, ...seen] of [...harmless, ...harmful]) {
      const isHarmful = harmful.some(([asked]) => asked.path === path);
      await page.goto(gateway.url() + path);
      // The text that Playwright sees has no breaks between the cells of a table.
      for (const words of seen) {
        const shown = new RegExp(words.replaceAll('\\s+', '\\s*'), 's');
        await page.locator('main').filter({ hasText: shown }).waitFor();
      }
      const text = await page.locator('main').innerText();
      assert.equal((await page.locator('.notice[data-is=risk]').count()) > 0, isHarmful, text);
      // Nothing calms where something is marked.
      if (isHarmful)
        assert.doesNotMatch(text, /where they are|pays nothing|Top up again|Nothing except the gas/);
      // The page proposes to approve only what it does not warn of.
      const approve = page.getByRole('button', { name: /^Approve and sign/ });
      assert.equal((await approve.getAttribute('data-is')) === 'main', !isHarmful, text);
      await checkBarriers(page);
    }
  });
});
