// The way of a task through prepare alone, from its post to its end, and its ways out as far as they lead over words of the SDK.
// What each ending moves: amounts.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PreparedCalls } from '#sdk/actions/prepareAction.ts';
import { buildTaskDocument } from '#sdk/documents/buildDocument.ts';
import { viewDocument } from '#sdk/documents/viewDocument.ts';
import { parseTok } from '#sdk/domain/amount.ts';
import { hashCanonical } from '#sdk/domain/canonical.ts';
import { hashCriteria } from '#sdk/domain/terms.ts';
import { offer } from '../support/preparing.ts';
import { preparing } from './market.ts';
import { bring, stepsOf } from './steps.ts';

const artifact = { name: 'work.zip', mediaType: 'application/zip', bytes: 4, sha256: '5e'.repeat(32) };

test('an open task is posted, funded, claimed, worked, accepted and completed', async () => {
  const { act, prepare, prepareCalls, taskOf, addressOf } = preparing;
  const { criteriaHash } = await prepare('hash-criteria', { criteriaText: offer.criteriaText });
  assert.equal(criteriaHash, hashCriteria(offer.criteriaText));
  const amounts = ['100', '200'].map((tok) => String(parseTok(tok)));
  const [first, second] = ['The list.', 'The photographs.'];
  const milestones = [
    { amountTokWei: amounts[0], description: first },
    { amountTokWei: amounts[1], description: second },
  ];
  const post = { ...offer, milestones };
  const { title, description, criteriaText } = offer;
  const whole = await prepare('hash-criteria', { title, description, criteriaText, milestones });
  await assert.rejects(
    prepareCalls('post-task', 'newcomer', { ...post, criteriaHash }),
    /whole task document/,
  );
  const { taskId } = await act('post-task', 'newcomer', { ...post, criteriaHash: whole.criteriaHash });
  const posted = await taskOf(taskId);
  const words = { title, description, criteria: criteriaText, milestones: [first, second], tags: [] };
  assert.equal(posted.criteriaHash, buildTaskDocument(words).hash);
  assert.deepEqual(posted.milestones, [parseTok('100'), parseTok('200')]);

  await act('fund-task', 'newcomer', { taskId, amountTok: '50' });
  await act('fund-task', 'newcomer', { taskId });
  assert.equal((await taskOf(taskId)).funded, parseTok('300'));

  const { prepared } = await act('claim-task', 'visitor', { taskId });
  assert.equal((await taskOf(taskId)).settlementDigest, prepared.settlementDigest);
  await act('start-work', 'newcomer', { taskId });

  const delivery = {
    taskId,
    note: 'All of them.',
    links: ['https://work.example/1'],
    artifacts: [artifact],
  };
  const { proofHash, uri, receipt } = await prepare('prepare-receipt', delivery);
  const expected = { schema: 'svc-delivery-v1', taskId, milestone: 0 } as const;
  const view = viewDocument({ hash: String(proofHash), uri: String(uri), expected });
  assert.deepEqual(view, { document: receipt, documentState: 'verified' });
  const delivered = await act('submit-proof', 'visitor', delivery);
  assert.equal(delivered.prepared.proofHash, proofHash);
  assert.deepEqual(delivered.prepared.document, receipt);

  const [step] = (await stepsOf(taskId, 'newcomer')).filter(({ as }) => as === 'poster');
  const { updatedAt, settlementDigest } = await taskOf(taskId);
  assert.equal(step?.action, 'accept-milestone');
  const { milestone, deliveredAt } = step.arguments;
  assert.deepEqual([milestone, deliveredAt], ['0', String(updatedAt)]);
  for (const [name, stale, error] of [
    ['accept-milestone', { deliveredAt: updatedAt - 1 }, 'DeliveredAgain'],
    ['open-dispute', { deliveredAt: updatedAt - 1, evidenceText: 'Empty.' }, 'DeliveredAgain'],
    ['complete-task', { settlementDigest: `0x${'5e'.repeat(32)}` }, 'DigestMismatch'],
  ] as const) {
    const { simulation } = await prepareCalls(name, 'newcomer', { taskId, ...stale });
    assert.equal(simulation.status === 'reverted' && simulation.error, error, name);
  }
  await act('accept-milestone', 'newcomer', { taskId, milestone: 0, deliveredAt: updatedAt });
  await act('complete-task', 'newcomer', { taskId, settlementDigest });
  const { task } = await prepare('read', { taskId, address: addressOf('visitor') });
  assert.equal((task as { state: string }).state, 'COMPLETED');
});

test('two parties agree on terms, both sign, and either creates the task', async () => {
  const { act, prepare, taskOf, addressOf } = preparing;
  for (const [scope, creator] of [
    ['open', 'newcomer'],
    ['private', 'visitor'],
  ] as const) {
    const built = await prepare('build-task-terms', {
      ...offer,
      scope,
      poster: addressOf('newcomer'),
      worker: addressOf('visitor'),
      totalAmountTok: '250',
    });
    const byPoster = await act('create-task', 'newcomer', { terms: built, sign: true });
    const byWorker = await act('create-task', 'visitor', { terms: built.terms, sign: true });
    const other = creator === 'newcomer' ? 'visitor' : 'newcomer';
    await act('approve-tok-router', other, { amountTok: '1000' });
    const { taskId } = await act('create-task', creator, {
      terms: built,
      posterSignature: byPoster.signature,
      workerSignature: byWorker.signature,
      ...(creator === 'newcomer' && { fundNowTok: '250' }),
    });
    const task = await taskOf(taskId);
    assert.equal(task.scope, scope);
    assert.equal(task.settlementDigest, built.settlementDigest);
    assert.equal(task.criteriaHash, hashCanonical(built.document));
    await act('leave-task', 'visitor', { taskId });
  }
});

test('terms that another signed, or whose signature was taken back, would be refused by the contract', async () => {
  const { act, prepare, prepareCalls, addressOf } = preparing;
  const built = await prepare('build-task-terms', {
    ...offer,
    poster: addressOf('newcomer'),
    worker: addressOf('visitor'),
    totalAmountTok: '250',
  });
  const { signature } = await act('create-task', 'newcomer', { terms: built, sign: true });
  await act('approve-tok-router', 'newcomer', { amountTok: '1000' });
  const forged = await prepareCalls('create-task', 'newcomer', {
    terms: built,
    workerSignature: signature,
  });
  assert.equal(forged.simulation.status, 'reverted');
  assert.match(JSON.stringify(forged.simulation), /BadSignature/);
  await act('revoke-terms', 'newcomer', { settlementDigest: built.settlementDigest });
  const late = await prepareCalls('create-task', 'visitor', { terms: built, posterSignature: signature });
  assert.match(JSON.stringify(late.simulation), /TermsAreRevoked/, 'the poster took its word back');
});

const day = 86_400;

test('a notice that leaves no time for the dismissal is warned of, with the way out that costs nothing', async () => {
  const { act, prepare, addressOf, taskOf, access } = preparing;
  const taskId = await bring('active', '400');
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

test('the next steps name both ways to settle: to sign, and to send what the other party has signed', async () => {
  const { act, prepare, addressOf } = preparing;
  const taskId = await bring('claimed', '400');
  const forms = (await stepsOf(taskId, 'visitor')).filter(({ action }) => action === 'mutual-settle');
  const known = { taskId, from: addressOf('visitor'), workerBps: '<0 to 10000>' };
  assert.deepEqual(
    forms.map((step) => step.arguments),
    [
      { ...known, sign: true },
      {
        ...known,
        validUntil: '<validUntil of the signed one>',
        posterSignature: '<signature of the poster, from its MutualCancel>',
      },
    ],
  );
  const sign = (from: string) => prepare('mutual-settle', { taskId, workerBps: '5000', sign: true, from });
  await assert.rejects(sign(addressOf('lab')), /only its poster and its worker can settle/);
  await act('leave-task', 'visitor', { taskId });
  await act('cancel-task', 'newcomer', { taskId });
  await assert.rejects(sign(addressOf('newcomer')), /this task has ended/);
});

test('a worker gets more time, and is dismissed by a notice that costs, and after it for nothing and at once', async () => {
  const { act, prepareCalls, taskOf, advance } = preparing;
  const taskId = await bring('active', '400', { deadline: '+2d' });
  await assert.rejects(prepareCalls('extend-deadline', 'newcomer', { taskId, deadline: '+1d' }), {
    code: 'ARGUMENTS_INVALID',
    message: /must be later than the present one, 20\d\d-.*Z/,
  });
  const { deadline } = await taskOf(taskId);
  await act('extend-deadline', 'newcomer', { taskId, deadline: deadline + 7 * day });
  assert.equal((await taskOf(taskId)).deadline, deadline + 7 * day);
  const offered = async (name: string) => {
    const steps = await stepsOf(taskId, 'newcomer');
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
  const { prepared } = await act('dismiss-worker', 'newcomer', { taskId });
  assert.match(String(prepared.warnings), /at once/);
  assert.equal((await taskOf(taskId)).worker, null);
  await act('cancel-task', 'newcomer', { taskId });
});
