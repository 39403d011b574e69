// The ways out of a task: leaving, dismissing, cancelling, timing out, settling together.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PreparedCalls } from '#sdk/actions/prepareAction.ts';
import { parseTok } from '#sdk/domain/amount.ts';
import type { Preparing } from '../support/preparing.ts';
import { bring, offer, stepsOf } from './steps.ts';

const day = 86_400;
const funded = { ...offer, totalAmountTok: '400', fundNowTok: '400' };

export function testEndings(get: () => Preparing): void {
  test('a task is left, its next worker dismissed, and then it is withdrawn', async () => {
    const { act, prepareCalls, taskOf, walletOf } = get();
    const before = (await walletOf('newcomer')).tokWei;
    const { taskId } = await act('post-task', 'newcomer', { ...funded, deadline: '+2d' });
    await assert.rejects(prepareCalls('extend-deadline', 'newcomer', { taskId, deadline: '+1d' }), {
      code: 'ARGUMENTS_INVALID',
      message: /must be later than the present one, 20\d\d-.*Z/,
    });
    await act('extend-deadline', 'newcomer', { taskId, deadline: '+9d' });
    await act('claim-task', 'visitor', { taskId });
    await act('leave-task', 'visitor', { taskId });
    assert.equal((await taskOf(taskId)).round, 1);
    await act('claim-task', 'visitor', { taskId });
    await act('dismiss-worker', 'newcomer', { taskId });
    assert.equal((await taskOf(taskId)).round, 2);
    await act('cancel-task', 'newcomer', { taskId });
    assert.equal((await taskOf(taskId)).state, 'CANCELLED');
    assert.equal(
      before - (await walletOf('newcomer')).tokWei,
      parseTok('2000'),
      'two fees, and nothing else',
    );
  });

  test('a notice that leaves no time for the dismissal is warned of, with the way out that costs nothing', async () => {
    const { act, prepare, addressOf, taskOf, access } = get();
    const taskId = await bring(get(), 'active', '400');
    const task = await taskOf(taskId);
    const { deadline } = task;
    const prepareAt = async (now: number, dismissAt: number | null = null) => {
      const reads = {
        ...access.reads,
        readNow: async () => now,
        readTask: async () => ({ ...task, dismissAt }),
      };
      const args = { taskId, from: addressOf('newcomer') };
      return (await prepare('dismiss-worker', args, { reads })) as PreparedCalls;
    };
    const warningsAt = async (...of: Parameters<typeof prepareAt>) =>
      (await prepareAt(...of)).warnings.join(' ');
    const vain = /can never take effect.* resolve-timed-out/;
    assert.doesNotMatch(await warningsAt(deadline - 1), vain);
    assert.match(await warningsAt(deadline), vain);
    assert.doesNotMatch(await warningsAt(deadline, deadline - 1 + day), vain, 'the notice runs');
    assert.match(await warningsAt(deadline + 1, deadline - day), vain, 'the notice has lapsed');
    const { steps } = await prepareAt(deadline - 2 * day, deadline - 4 * day);
    assert.match(JSON.stringify(steps), /giveDismissNotice/, 'after one that has lapsed comes another one');
    await act('give-dismiss-notice', 'newcomer', { taskId });
    await act('complete-task', 'newcomer', { taskId });
  });

  test('both settle: one signs, the other sends', async () => {
    const { act, prepareCalls, taskOf, walletOf, addressOf } = get();
    const taskId = await bring(get(), 'claimed', '400');
    const forms = (await stepsOf(get(), taskId, 'visitor')).filter(
      ({ action }) => action === 'mutual-settle',
    );
    const known = { taskId, from: addressOf('visitor'), workerBps: '<0 to 10000>' };
    assert.deepEqual(
      forms.map((step) => step.arguments),
      [
        { ...known, sign: true },
        {
          ...known,
          validUntil: '<validUntil of the signed one>',
          posterSignature: '<signature of the poster>',
        },
      ],
    );
    const signed = await act('mutual-settle', 'visitor', { taskId, workerBps: '2500', sign: true });
    const before = (await walletOf('visitor')).tokWei;
    const moving = { taskId, workerBps: '2500', validUntil: '+1d', workerSignature: signed.signature };
    await assert.rejects(prepareCalls('mutual-settle', 'newcomer', moving), {
      code: 'ARGUMENTS_INVALID',
      message: /validUntil: must be the moment that was signed/,
    });
    await act('mutual-settle', 'newcomer', {
      taskId,
      workerBps: '2500',
      validUntil: signed.prepared.validUntil,
      workerSignature: signed.signature,
    });
    assert.equal((await taskOf(taskId)).state, 'RESOLVED');
    assert.equal((await walletOf('visitor')).tokWei - before, parseTok('100'));
  });

  test('a worker is dismissed by a notice that costs, and after it for nothing and at once', async () => {
    const { act, taskOf, walletOf, advance } = get();
    const taskId = await bring(get(), 'active', '400', { deadline: '+9d' });
    const offered = async (name: string) => {
      const steps = await stepsOf(get(), taskId, 'newcomer');
      const { when, cost, risk } = steps.find(({ action }) => action === name) ?? assert.fail(name);
      return `${when}: ${cost}. ${risk}`;
    };
    assert.match(await offered('give-dismiss-notice'), /^now: 1000 TOK access fee .*clears the notice/);
    const first = await act('dismiss-worker', 'newcomer', { taskId });
    assert.match(String(first.prepared.warnings), /this gives a day’s notice/);
    assert.match(JSON.stringify(first.prepared.steps), /giveDismissNotice/);
    assert.match(await offered('dismiss-worker'), /^later: gas only\. .*at once/);
    await act('answer-notice', 'visitor', { taskId });
    assert.equal((await taskOf(taskId)).noticeAnswered, true);
    await advance(day + 1);
    assert.match(await offered('dismiss-worker'), /^now: gas only\. .*at once/);
    const before = (await walletOf('newcomer')).tokWei;
    const { prepared } = await act('dismiss-worker', 'newcomer', { taskId });
    assert.match(String(prepared.warnings), /at once/);
    assert.equal((await walletOf('newcomer')).tokWei, before);
    assert.equal((await taskOf(taskId)).worker, null);
    await act('cancel-task', 'newcomer', { taskId });
  });
}
