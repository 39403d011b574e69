// Disputes through prepare: ruled on, sponsored, without a bond. What each ending moves: amounts.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildDocument } from '#sdk/documents/buildDocument.ts';
import { parseTok } from '#sdk/domain/amount.ts';
import type { Preparing } from '../support/preparing.ts';
import { bring, stepsOf } from './steps.ts';

const day = 86_400;

const deliver = (preparing: Preparing) => bring(preparing, 'delivered', '1000');

/** A delivery that its poster disputes. */
async function dispute(preparing: Preparing): Promise<string> {
  const taskId = await deliver(preparing);
  await preparing.act('open-dispute', 'newcomer', { taskId, evidenceText: 'A bird is missing.' });
  return taskId;
}

const answer = { evidenceText: 'All birds are there.' };

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
    const fields = { taskId, name: 'A bird is missing.', description: 'A bird is missing.' };
    const { hash, uri } = buildDocument('svc-evidence-v1', { ...fields, artifacts: [] });
    assert.deepEqual([prepared.evidenceHash, prepared.uri], [hash, uri]);
    assert.match(JSON.stringify(prepared.steps), /Allow the payment gateway to take 50 TOK/);
    const arbitrator = addressOf('treasury');
    await act('propose-arbitrator', 'newcomer', { taskId, arbitrator });
    const answered = await act('answer-dispute', 'visitor', { taskId, ...answer });
    assert.match(JSON.stringify(answered.prepared.steps), /Allow the payment gateway to take 50 TOK/);
    assert.equal((await taskOf(taskId)).dispute?.phase, 'PROPOSING');
    await act('propose-arbitrator', 'visitor', { taskId, arbitrator });
    assert.equal((await taskOf(taskId)).dispute?.phase, 'ASSIGNED');
    await act('submit-evidence', 'newcomer', { taskId, evidenceText: 'The photograph, enlarged.' });
    const early = await prepareCalls('resolve-dispute', 'treasury', {
      taskId,
      workerBps: 10_000,
      reasonText: 'All birds are there.',
    });
    assert.match(JSON.stringify(early.simulation), /TooEarly/, 'the worker was not heard');
    await act('submit-evidence', 'visitor', { taskId, nothingToAdd: true });
    const before = (await walletOf('visitor')).tokWei;
    await act('resolve-dispute', 'treasury', {
      taskId,
      workerBps: 10_000,
      reasonText: 'All birds are there.',
    });
    assert.equal((await taskOf(taskId)).state, 'RESOLVED');
    assert.equal((await walletOf('visitor')).tokWei - before, parseTok('1050'), 'the milestone and its bond');
    await act('unbond-arbitrator', 'treasury');
    const back = await prepareCalls('register-arbitrator', 'treasury', { amountTok: '1' });
    assert.equal(back.steps.at(-1)?.args.minHeld, String(parseTok('7')), 'the least amount stays as it was');
    assert.match(String(back.warnings), /ends your unbonding/);
    await advance(14 * day + 1);
    await act('withdraw-bond', 'treasury');
    assert.equal((await walletOf('treasury')).arbitrator.bond, 0n);
  });

  test('a sponsor puts up the bond, and the worker who concedes loses half of it', async () => {
    const preparing = get();
    const { act, prepare, taskOf, walletOf, addressOf } = preparing;
    const taskId = await dispute(preparing);
    const sponsored = await stepsOf(preparing, taskId, 'shop');
    assert.deepEqual(
      sponsored.map(({ action, as, when }) => `${action} ${as} ${when}`),
      ['answer-dispute sponsor now', 'resolve-timed-out anyone later'],
    );
    const start = (await walletOf('shop')).tokWei;
    for (const [more, message] of [
      [answer, /only the worker speaks for its side/],
      [{ ...answer, withoutBond: true }, /withoutBond: only the worker/],
    ] as const)
      await assert.rejects(prepare('answer-dispute', { taskId, ...more, from: addressOf('shop') }), {
        code: 'ARGUMENTS_INVALID',
        message,
      });
    const { prepared } = await act('answer-dispute', 'shop', { taskId });
    assert.match(String(prepared.warnings), /you have no say/);
    assert.equal((await taskOf(taskId)).dispute?.workerPayer, addressOf('shop'));
    const conceding = (await stepsOf(preparing, taskId, 'visitor')).find(
      ({ action }) => action === 'concede',
    );
    assert.match(conceding?.risk ?? '', /half of your dispute bond, 25 TOK/);
    await act('concede', 'visitor', { taskId });
    assert.equal((await taskOf(taskId)).released, 0n);
    assert.equal(start - (await walletOf('shop')).tokWei, parseTok('25'));
  });

  test('a poster without a bond is heard by the fallback arbitrator, and pays a fee out of what it gets back', async () => {
    const preparing = get();
    const { act, addressOf, taskOf, walletOf } = preparing;
    const taskId = await deliver(preparing);
    const before = (await walletOf('newcomer')).tokWei;
    const evidenceText = 'A bird is missing.';
    const { prepared } = await act('open-dispute', 'newcomer', { taskId, evidenceText, withoutBond: true });
    assert.match(JSON.stringify(prepared.steps), /Dispute the delivery of task [0-9]+ without a bond/);
    const { dispute: found } = await taskOf(taskId);
    assert.deepEqual(
      [found?.phase, found?.judge, found?.posterPayer],
      ['ESCALATED', addressOf('fallback'), null],
    );
    for (const side of ['newcomer', 'visitor'] as const)
      await act('submit-evidence', side, { taskId, nothingToAdd: true });
    await act('resolve-dispute', 'fallback', { taskId, workerBps: 4_000, reasonText: 'Four of ten.' });
    assert.equal((await walletOf('newcomer')).tokWei - before, parseTok('570'), '60 % less 60 % of the fee');
  });

  test('a concession that was prepared before the answer does not land after it', async () => {
    const preparing = get();
    const { act, prepareCalls, reads } = { ...preparing, reads: preparing.access.reads };
    const taskId = await dispute(preparing);
    const { calls } = await prepareCalls('concede', 'newcomer', { taskId });
    await act('answer-dispute', 'visitor', { taskId, ...answer });
    const simulation = await reads.simulate(preparing.addressOf('newcomer'), calls);
    assert.match(
      JSON.stringify(simulation, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
      /WrongPhase/,
    );
    await act('concede', 'newcomer', { taskId });
  });

  test('the owner names a fallback arbitrator, and only the named wallet accepts', async () => {
    const { act, prepareCalls, addressOf, advance } = get();
    const errorOf = async (name: string, who: 'visitor' | 'shop', args = {}) => {
      const { simulation } = await prepareCalls(name, who, args);
      return simulation.status === 'reverted' && simulation.error;
    };
    const next = addressOf('shop');
    assert.equal(await errorOf('schedule-fallback', 'visitor', { next }), 'OwnableUnauthorizedAccount');
    assert.equal(await errorOf('accept-fallback', 'shop'), 'NotAuthorized', 'nobody is named');
    const { prepared } = await act('schedule-fallback', 'operator', { next });
    assert.match(String(prepared.warnings), /until the named wallet accepts/);
    assert.equal(await errorOf('accept-fallback', 'visitor'), 'NotAuthorized');
    await act('accept-fallback', 'shop');
    await act('schedule-fallback', 'operator', { next });
    assert.equal(await errorOf('accept-fallback', 'shop'), 'TooEarly', 'the last one waits for its day');
    await advance(30 * day + 1);
    await act('accept-fallback', 'shop');
  });
}
