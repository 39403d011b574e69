// The other actions of a wallet on tasks and on its funds, each explained before it is signed.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { keccak256, stringToHex } from 'viem';
import { stakingVaultAbi } from '#contracts/generated/abi/stakingVault.ts';
import { parseTok } from '#sdk/domain/amount.ts';
import { parseTaskId, type TaskId } from '#sdk/domain/taskId.ts';
import { type AccountName, accountOf } from '#service/devnet/accounts.ts';
import { openView } from '../support/browser.ts';
import { type Cast, createCast, enter } from '../support/cast.ts';
import { createTestWallet } from '../support/testWallet.ts';
import { postShown, type Scene } from './scene.ts';
import { act, advance, connect } from './walletSteps.ts';

const day = 86_400;
const stakeWei = parseTok('20000');

/** Calls that bring a task to the state in which the tested action begins. */
export const steps = {
  claim: async ({ client, contracts, worker }: Cast, id: bigint) => {
    const digest = await client.readContract({
      ...contracts.registry,
      functionName: 'openDigest',
      args: [id, worker.address],
    });
    await worker.write(contracts.registry, 'claimTask', [id, digest]);
  },
  start: async ({ client, contracts, poster }: Cast, id: bigint) => {
    await poster.write(contracts.registry, 'fundTask', [id, parseTok('1000')]);
    const task = await client.readContract({ ...contracts.registry, functionName: 'getTask', args: [id] });
    await poster.write(contracts.registry, 'startWork', [id, task.settlementDigest]);
  },
  deliver: ({ contracts, worker }: Cast, id: bigint) =>
    worker.write(contracts.registry, 'submitProof', [id, 0, keccak256('0x01'), 'https://work.example/']),
  dispute: async ({ client, contracts, poster }: Cast, id: bigint) => {
    const task = await client.readContract({ ...contracts.registry, functionName: 'getTask', args: [id] });
    const evidence = keccak256(stringToHex('silence'));
    await poster.write(contracts.registry, 'openDispute', [id, task.updatedAt, true, evidence, '']);
  },
  answer: async ({ contracts, worker }: Cast, id: bigint) => {
    await worker.write(contracts.tok, 'approve', [contracts.gateway.address, parseTok('100000')]);
    await worker.write(contracts.court, 'answerDispute', [id, true, keccak256(stringToHex('silence')), '']);
  },
} as const;

export function testActions(sceneOf: () => Scene): void {
  let cast: Cast;
  before(async () => {
    cast = await createCast(sceneOf().gateway.devnet.rpcUrl, 'standard');
    await enter(cast);
  });

  async function prepare(...names: (keyof typeof steps)[]): Promise<TaskId> {
    const id = await postShown(sceneOf(), cast, { dueIn: 10 * day });
    for (const name of names) await steps[name](cast, parseTaskId(id).number);
    return id;
  }
  const pathOf = (id: TaskId) => `/market.html?task=${id}`;
  async function open(
    context: Parameters<typeof openView>[0],
    who: AccountName,
    path: string,
  ): Promise<{ readonly page: Page; readonly visit: (path: string) => Promise<unknown> }> {
    const { browser, gateway } = sceneOf();
    const wallet = createTestWallet('Test wallet', accountOf(who).privateKey, gateway.devnet.rpcUrl);
    const { page, complaints } = await openView(context, browser, gateway.url() + path, { wallet });
    context.after(() => assert.deepEqual(complaints, []));
    await connect(page);
    return { page, visit: (next) => page.goto(gateway.url() + next) };
  }
  const readTask = async (id: TaskId) => (await sceneOf().gateway.get(`/api/market/task?id=${id}`)).body.task;

  test('a poster cancels, dismisses, and completes early; a worker leaves', async (context) => {
    const [cancelled, left, completed] = [
      await prepare(),
      await prepare('claim'),
      await prepare('claim', 'start'),
    ];
    const poster = await open(context, 'newcomer', pathOf(cancelled));
    await act(poster.page, 'Cancel the task', async (page) => {
      await page.getByText('The fee you paid for posting is not returned.').waitFor();
      await page.getByRole('row', { name: /^Your locked bond.* 5 USDC$/ }).waitFor();
    });
    assert.equal((await readTask(cancelled)).state, 'CANCELLED');

    const worker = await open(context, 'visitor', pathOf(left));
    await act(worker.page, 'Leave the task', async (page) => {
      await page.getByText('Access fee').waitFor();
      await page.getByText('1,000 TOK').first().waitFor();
    });
    assert.equal((await readTask(left)).state, 'POSTED');

    await steps.claim(cast, parseTaskId(left).number);
    await poster.visit(pathOf(left));
    await act(poster.page, 'Dismiss the worker', (page) => page.getByText('Access fee').waitFor());
    assert.deepEqual([(await readTask(left)).state, (await readTask(left)).worker], ['POSTED', undefined]);

    await poster.visit(pathOf(completed));
    await act(poster.page, 'Pay everything and complete', async (page) => {
      await page
        .getByText('Pays everything in escrow to the worker, also what is not delivered yet.')
        .waitFor();
      await page.getByRole('row', { name: /^To the worker ?0x.* 1,000 TOK( ≈ .*)?$/ }).waitFor();
    });
    assert.equal((await readTask(completed)).state, 'COMPLETED');
  });

  test('a dispute is answered, both sides give evidence, and the arbitrator rules with reasons that all can read', async (context) => {
    const id = await prepare('claim', 'start', 'deliver');
    const poster = await open(context, 'newcomer', pathOf(id));
    await act(poster.page, 'Open a dispute', async (page) => {
      await page.getByText('Say what is wrong: the worker and the arbitrator will read it.').waitFor();
      await page.getByLabel('What is wrong').fill('A bird is missing.');
      await page.getByRole('row', { name: /^Dispute bond.* 50 TOK/ }).waitFor();
    });
    const worker = await open(context, 'visitor', pathOf(id));
    await act(worker.page, 'Answer the dispute', async (page) => {
      await page.getByText('Answer what the poster says: the arbitrator will read it.').waitFor();
      await page.getByLabel('Your answer').fill('All ten birds are there.');
      await page.getByRole('row', { name: /^Dispute bond.* 50 TOK/ }).waitFor();
    });
    await act(worker.page, 'Add evidence', (page) =>
      page.getByLabel('Your evidence').fill('The tenth bird sits on the roof.'),
    );
    const referee = accountOf('referee').address;
    await act(poster.page, 'Propose an arbitrator', async (page) => {
      await page.getByRole('textbox', { name: 'Arbitrator' }).fill('0x12');
      await page.getByText('An address must be 0x and 40 hexadecimal digits.').waitFor();
      assert.ok(await page.getByRole('button', { name: 'Sign with your wallet' }).isDisabled());
      await page.getByRole('button', { name: referee.slice(-4) }).click();
      assert.equal(await page.getByRole('textbox', { name: 'Arbitrator' }).inputValue(), referee);
    });
    await cast.worker.write(cast.contracts.court, 'proposeArbitrator', [parseTaskId(id).number, referee]);

    const arbitrator = await open(context, 'referee', pathOf(id));
    for (const words of [
      'A bird is missing.',
      'All ten birds are there.',
      'The tenth bird sits on the roof.',
    ])
      await arbitrator.page.getByText(words).first().waitFor();
    assert.equal(await arbitrator.page.getByText('these are exactly the words').count(), 3);
    await advance(sceneOf().gateway, day + 1);
    await arbitrator.page.reload();
    await act(arbitrator.page, 'Rule on the dispute', async (page) => {
      await page.getByLabel('Share of the worker, %').fill('101');
      await page.getByText('A share is a number from 0 to 100').waitFor();
      await page.getByLabel('Share of the worker, %').fill('75');
      await page.getByText('Give your reasons').waitFor();
      await page.getByLabel('Your reasons').fill('Nine of ten were right.');
    });
    for (const { page } of [poster, worker]) {
      await page.getByText('75 % to the worker').first().waitFor();
      await page.getByText('Nine of ten were right.').first().waitFor();
    }
    assert.equal((await readTask(id)).releasedTokWei, parseTok('750').toString());
  });

  test('a dispute that nobody answers ends for the poster, and a worker can concede', async (context) => {
    const [unanswered, conceded] = [
      await prepare('claim', 'start', 'deliver', 'dispute'),
      await prepare('claim', 'start', 'deliver', 'dispute'),
    ];
    const { page, visit } = await open(context, 'visitor', pathOf(conceded));
    await act(page, 'Concede', async (dialog) => {
      await dialog.getByRole('row', { name: /^To the poster.* 1,000 TOK/ }).waitFor();
    });
    await advance(sceneOf().gateway, 3 * day + 1);
    await visit(pathOf(unanswered));
    await act(page, 'End the phase that ran out');
    for (const [id, outcome] of [
      [conceded, 'concededByWorker'],
      [unanswered, 'default'],
    ] as const) {
      const { state, releasedTokWei, dispute } = await readTask(id);
      assert.deepEqual([state, releasedTokWei, dispute.outcome], ['RESOLVED', '0', outcome]);
    }
    await page.getByText('Decided without an answer: the milestone went to the poster.').waitFor();
  });

  test('after the time limits anyone escalates and ends a dispute; a stake is withdrawn after a day and its reward claimed', async (context) => {
    const id = await prepare('claim', 'start', 'deliver', 'dispute', 'answer');
    const vault = { address: cast.deployment.markets.standard.stakingVault, abi: stakingVaultAbi };
    await cast.worker.write(cast.contracts.tok, 'approve', [cast.contracts.gateway.address, 2n * stakeWei]);
    await cast.worker.write(vault, 'stake', [stakeWei]);
    await advance(sceneOf().gateway, 3 * day + 1);
    const { page, visit } = await open(context, 'visitor', pathOf(id));
    await act(page, 'Escalate');
    assert.equal((await readTask(id)).dispute.phase, 'ESCALATED');
    await advance(sceneOf().gateway, 7 * day + 1);
    await page.reload();
    await act(page, 'End the phase that ran out');
    const { state, releasedTokWei } = await readTask(id);
    assert.deepEqual([state, releasedTokWei], ['RESOLVED', parseTok('500').toString()]);

    await visit('/treasury-dashboard.html?market=standard');
    await act(page, 'Claim rewards', async (dialog) => {
      await dialog.getByText('Nothing except the gas.').waitFor();
      await dialog.getByRole('row', { name: /^To your wallet.* TOK( ≈ .*)?$/ }).waitFor();
    });
    await page.getByLabel('Amount, TOK').fill('20000');
    await act(page, 'Unstake TOK');
    const [staked, rewards] = ['Your stake', 'Your rewards'].map((name) =>
      page.locator('dt', { hasText: name }).locator('+ dd'),
    );
    await staked?.filter({ hasText: /^0 TOK/ }).waitFor();
    // What was earned between the two calls is left.
    assert.match((await rewards?.innerText()) ?? '', /^0(\.\d+)? TOK( ≈ .*)?$/);
  });

  test('a poster gives more time, announces a dismissal and dismisses; an arbitrator takes the bond out', async (context) => {
    const id = await prepare('claim', 'start');
    const { deadline } = await readTask(id);
    const poster = await open(context, 'newcomer', pathOf(id));
    await act(poster.page, 'Give more time', async (page) => {
      const later = new Date((deadline + 5 * day) * 1_000).toISOString();
      await page.getByLabel('New deadline').fill(later.slice(0, 16));
      await page.getByText('a deadline only moves to a later time').waitFor();
    });
    assert.ok((await readTask(id)).deadline > deadline + 4 * day);
    await act(poster.page, 'Announce a dismissal', (page) => page.getByText('Access fee').waitFor());
    assert.equal(await poster.page.getByRole('button', { name: 'Dismiss the worker' }).count(), 0);

    const arbitrator = await open(context, 'visitor', '/treasury-dashboard.html?market=standard');
    await act(arbitrator.page, 'Become an arbitrator');
    await act(arbitrator.page, 'Stop being an arbitrator');
    await arbitrator.page.getByText('you take no new cases; the bond is free from').waitFor();

    await advance(sceneOf().gateway, day + 60);
    await poster.page.reload();
    await act(poster.page, 'Dismiss the worker', (page) =>
      page.getByText('the notice has paid for it').waitFor(),
    );
    assert.deepEqual([(await readTask(id)).state, (await readTask(id)).worker], ['POSTED', undefined]);

    await advance(sceneOf().gateway, 14 * day);
    await arbitrator.page.reload();
    await act(arbitrator.page, 'Take the bond out', async (dialog) => {
      await dialog.getByRole('row', { name: /^To your wallet.* TOK( ≈ .*)?$/ }).waitFor();
    });
    assert.equal(await arbitrator.page.getByRole('button', { name: 'Take the bond out' }).count(), 0);
  });
}
