// Requests of an agent as their owner meets them, some of them harmful behind harmless words: the approval page makes each
// plain without opening anything.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxUint256 } from 'viem';
import { type CallContracts, encodeCall } from '#sdk/chain/encodeCall.ts';
import { parseTok, parseUsdc } from '#sdk/domain/amount.ts';
import { parseTaskId } from '#sdk/domain/taskId.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { ask, askForPost, askForSignature, askForTopUp } from './requests.ts';
import { enterCast, openAs, prepareTask, type Scene } from './scene.ts';

const thief = accountOf('drifter').address;

export function testHarmfulRequests(sceneOf: () => Scene): void {
  test('ten requests, five of them harmful, are plain without opening details', async (context) => {
    const { gateway } = sceneOf();
    const contracts = (await gateway.get('/api/site-config?market=standard')).body.contracts as CallContracts;
    const request = (summary: string, encoded: object) =>
      ask(gateway, { kind: 'calls', action: 'fund-task', summary, steps: [], ...encoded });
    const cast = await enterCast(sceneOf(), 'standard');
    const delivered = parseTaskId(await prepareTask(sceneOf(), cast, 'claim', 'start', 'deliver')).number;
    const { updatedAt } = await cast.client.readContract({
      ...cast.contracts.registry,
      functionName: 'getTask',
      args: [delivered],
    });
    const posted = parseTaskId(await prepareTask(sceneOf(), cast)).number;
    const acceptance = encodeCall(contracts, 'TaskRegistry', 'acceptMilestone', [delivered, 0, updatedAt]);
    const funding = encodeCall(contracts, 'TaskRegistry', 'fundTask', [posted, parseTok('1000')]);
    const stake = encodeCall(contracts, 'TokToken', 'approve', [thief, parseTok('10')]);
    const withdrawal = encodeCall(contracts, 'DepositVault', 'withdraw', [parseUsdc('10'), thief]);
    const allowance = encodeCall(contracts, 'TokToken', 'approve', [thief, maxUint256]);
    const transfer = encodeCall(contracts, 'TokToken', 'transfer', [thief, parseTok('4000')]);
    const foreign = { calls: [{ to: thief, value: '0x0', data: '0x4e71d92d' }] };
    const harmless: [asked: { path: string }, ...seen: string[]][] = [
      [
        await askForTopUp(gateway),
        'To your collateral\\s+from your wallet\\s+12\\.5 USDC',
        'pays 12\\.5 USDC',
      ],
      [await askForPost(gateway), 'market’s fees.*1,000 TOK ≈ \\$', 'locked bond.*5 USDC', 'created as Open'],
      [
        await askForSignature(gateway),
        'Nothing moves by the signature alone',
        'if all is accepted\\s+1,500 TOK',
      ],
      [
        await request('Accept the work', acceptance),
        'To the worker.*1,000 TOK ≈ \\$',
        'the payment is final',
        'Your wallet itself pays nothing: the amounts above are held by the contracts already',
      ],
      [await request('Fund the task', funding), 'To escrow.*1,000 TOK ≈ \\$'],
    ];
    const harmful: typeof harmless = [
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
    ];
    const { page } = await openAs(context, sceneOf(), 'newcomer', harmless[0]?.[0].path ?? '');
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
    }
  });
}
