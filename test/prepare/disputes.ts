// Disputes through prepare: with an arbitrator that both name, and with nobody who decides.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTok } from '#sdk/domain/amount.ts';
import { hashCriteria } from '#sdk/domain/terms.ts';
import type { AccountName } from '#service/devnet/accounts.ts';
import type { Preparing } from '../support/preparing.ts';
import { offer } from './lifecycle.ts';
import { stepsOf } from './steps.ts';

const day = 86_400;

async function deliver({ act }: Preparing): Promise<string> {
  const { taskId } = await act('post-task', 'newcomer', {
    ...offer,
    totalAmountTok: '1000',
    fundNowTok: '1000',
  });
  await act('claim-task', 'visitor', { taskId });
  await act('start-work', 'newcomer', { taskId });
  await act('submit-proof', 'visitor', { taskId, proofHash: hashCriteria('work') });
  return taskId;
}

/** The next steps offered to a wallet as the arbitrator of a task. */
async function rulingSteps(preparing: Preparing, taskId: string, who: AccountName): Promise<string[]> {
  const steps = await stepsOf(preparing, taskId, who);
  return steps.filter(({ as }) => as === 'arbitrator').map(({ action }) => action);
}

export function testDisputes(get: () => Preparing): void {
  test('an arbitrator bonds, both name it, it rules, and its bond comes free', async () => {
    const preparing = get();
    const { act, prepareCalls, taskOf, walletOf, addressOf, advance } = preparing;
    await act('register-arbitrator', 'treasury', { amountTok: '10000', minHeldTok: '7' });
    assert.equal((await walletOf('treasury')).arbitrator.isEligible, true);
    const taskId = await deliver(preparing);
    const { prepared } = await act('open-dispute', 'newcomer', {
      taskId,
      evidenceText: 'A bird is missing.',
    });
    assert.equal(prepared.evidenceHash, hashCriteria('A bird is missing.'));
    assert.match(JSON.stringify(prepared.steps), /Allow the payment gateway to take 50 TOK/);
    const arbitrator = addressOf('treasury');
    await act('propose-arbitrator', 'newcomer', { taskId, arbitrator });
    await act('propose-arbitrator', 'visitor', { taskId, arbitrator });
    assert.equal((await taskOf(taskId)).dispute?.phase, 'ASSIGNED');
    const before = (await walletOf('visitor')).tokWei;
    await act('resolve-dispute', 'treasury', {
      taskId,
      workerBps: 10_000,
      reasonText: 'All birds are there.',
    });
    assert.equal((await taskOf(taskId)).state, 'RESOLVED');
    assert.equal((await walletOf('visitor')).tokWei - before, parseTok('1000'));
    await act('unbond-arbitrator', 'treasury');
    const back = await prepareCalls('register-arbitrator', 'treasury', { amountTok: '1' });
    assert.equal(back.steps.at(-1)?.args.minHeld, String(parseTok('7')), 'the least amount stays as it was');
    assert.match(String(back.warnings), /ends your unbonding/);
    await advance(14 * day + 1);
    await act('withdraw-bond', 'treasury');
    assert.equal((await walletOf('treasury')).arbitrator.bond, 0n);
  });

  test('a dispute that nobody decides is escalated and then halved', async () => {
    const preparing = get();
    const { act, taskOf, addressOf, advance } = preparing;
    const taskId = await deliver(preparing);
    await act('open-dispute', 'visitor', { taskId, evidenceHash: hashCriteria('evidence') });
    const arbitrator = addressOf('referee');
    await act('propose-arbitrator', 'newcomer', { taskId, arbitrator });
    await act('propose-arbitrator', 'visitor', { taskId, arbitrator });
    assert.deepEqual(await rulingSteps(preparing, taskId, 'referee'), ['resolve-dispute']);
    assert.deepEqual(await rulingSteps(preparing, taskId, 'fallback'), []);
    await advance(5 * day + 1);
    await act('escalate', 'shop', { taskId });
    assert.equal((await taskOf(taskId)).dispute?.phase, 'ESCALATED');
    assert.deepEqual(await rulingSteps(preparing, taskId, 'referee'), [], 'who missed it may rule no more');
    assert.deepEqual(await rulingSteps(preparing, taskId, 'fallback'), ['resolve-dispute']);
    await advance(7 * day + 1);
    await act('resolve-timed-out', 'shop', { taskId });
    assert.equal((await taskOf(taskId)).state, 'RESOLVED');
    assert.equal((await taskOf(taskId)).released, parseTok('500'));
  });
}
