// The way of a task from its post to its end, through prepare alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTaskDocument } from '#sdk/documents/buildDocument.ts';
import { viewDocument } from '#sdk/documents/viewDocument.ts';
import { parseTok } from '#sdk/domain/amount.ts';
import { hashCanonical } from '#sdk/domain/canonical.ts';
import { hashCriteria } from '#sdk/domain/terms.ts';
import type { Preparing } from '../support/preparing.ts';
import { bring, offer, stepsOf } from './steps.ts';

const artifact = { name: 'work.zip', mediaType: 'application/zip', bytes: 4, sha256: '5e'.repeat(32) };

export function testLifecycle(get: () => Preparing): void {
  test('an open task is posted, funded, claimed, worked, accepted and completed', async () => {
    const { act, prepare, prepareCalls, taskOf, walletOf, addressOf } = get();
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
    assert.equal(posted.state, 'POSTED');
    const words = { title, description, criteria: criteriaText, milestones: [first, second], tags: [] };
    assert.equal(posted.criteriaHash, buildTaskDocument(words).hash);
    assert.deepEqual(posted.milestones, [parseTok('100'), parseTok('200')]);

    await act('fund-task', 'newcomer', { taskId, amountTok: '50' });
    await act('fund-task', 'newcomer', { taskId });
    assert.equal((await taskOf(taskId)).funded, parseTok('300'));
    assert.equal((await walletOf('newcomer')).allowances.tokRouter, 0n);

    const { prepared } = await act('claim-task', 'visitor', { taskId });
    const claimed = await taskOf(taskId);
    assert.equal(claimed.worker, addressOf('visitor'));
    assert.equal(claimed.settlementDigest, prepared.settlementDigest);

    await act('start-work', 'newcomer', { taskId });
    assert.equal((await taskOf(taskId)).state, 'ACTIVE');

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
    assert.equal((await taskOf(taskId)).state, 'DELIVERED');

    const before = (await walletOf('visitor')).tokWei;
    const [step] = (await stepsOf(get(), taskId, 'newcomer')).filter(({ as }) => as === 'poster');
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
    assert.equal((await walletOf('visitor')).tokWei - before, parseTok('100'));
    assert.equal((await taskOf(taskId)).milestone, 1);

    await act('complete-task', 'newcomer', { taskId, settlementDigest });
    assert.equal((await taskOf(taskId)).state, 'COMPLETED');
    assert.equal((await walletOf('visitor')).tokWei - before, parseTok('300'));

    const { task } = await prepare('read', { taskId, address: addressOf('visitor') });
    assert.equal((task as { state: string }).state, 'COMPLETED');
  });

  test('a delivery that proves nothing, or points elsewhere, never becomes calls for a wallet', async () => {
    const { act, prepareCalls } = get();
    const taskId = await bring(get(), 'active', '100');
    const note = 'Done.';
    const proofHash = hashCriteria(note);
    for (const [bad, code, message] of [
      [{}, 'ARGUMENTS_INVALID', /note: give it, links or artifacts/],
      [{ note, proofHash }, 'ARGUMENTS_INVALID', /proofHash: give it, or note/],
      [{ note, uri: 'https://work.example/1' }, 'ARGUMENTS_INVALID', /uri: must be \/v1\/files\//],
      [{ note, uri: `/v1/files/${'5e'.repeat(32)}` }, 'ARGUMENTS_INVALID', /uri: must be \/v1\/files\//],
      [{ note: 'x'.repeat(5_000) }, 'DOCUMENT_TOO_LARGE', /has 5\d{3} bytes; 4096 are allowed/],
    ] as const)
      await assert.rejects(prepareCalls('submit-proof', 'visitor', { taskId, ...bad }), { code, message });
    await act('submit-proof', 'visitor', { taskId, proofHash, uri: 'https://work.example/1.zip' });
    assert.equal((await get().taskOf(taskId)).state, 'DELIVERED');
  });

  test('two parties agree on terms, both sign, and either creates the task', async () => {
    const { act, prepare, taskOf, addressOf } = get();
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
      assert.equal(task.state, 'CLAIMED');
      assert.equal(task.scope, scope);
      assert.equal(task.settlementDigest, built.settlementDigest);
      assert.equal(task.criteriaHash, hashCanonical(built.document));
      await act('leave-task', 'visitor', { taskId });
    }
  });

  test('terms that no contract would take are refused before anybody signs them', async () => {
    const { prepare, addressOf, access } = get();
    const now = await access.reads.readNow();
    const good = {
      ...offer,
      poster: addressOf('newcomer'),
      worker: addressOf('visitor'),
      totalAmountTok: '250',
    };
    for (const [bad, says] of [
      [{ deadline: now - 1 }, /deadline: must be later than now, which is 20\d\d-.*Z on/],
      [{ deadline: '+366d' }, /deadline: must be within 365 days/],
      [{ reviewPeriod: 1 }, /reviewPeriod: must be 12h to 30d/],
      [{ market: 'micro', reviewPeriod: '8d' }, /reviewPeriod: must be 4h to 7d/],
      [{ totalAmountTok: '99.9' }, /totalAmountTok: must be 100 TOK or more/],
      [{ milestones: ['241', '9'] }, /milestones: must each be 10 TOK or more/],
      [{ acceptBy: now - 1 }, /acceptBy: must be later than now/],
    ] as const)
      await assert.rejects(prepare('build-task-terms', { ...good, ...bad }), {
        code: 'ARGUMENTS_INVALID',
        message: says,
      });
  });

  test('terms that were tampered with, or signed by another, never become calls for a wallet', async () => {
    const { act, prepare, prepareCalls, addressOf } = get();
    const built = await prepare('build-task-terms', {
      ...offer,
      poster: addressOf('newcomer'),
      worker: addressOf('visitor'),
      totalAmountTok: '250',
    });
    const { signature } = await act('create-task', 'newcomer', { terms: built, sign: true });
    const raised = { ...(built.terms as object), totalAmountTokWei: '251' };
    await assert.rejects(
      prepareCalls('create-task', 'visitor', {
        terms: { ...built, terms: raised },
        posterSignature: signature,
      }),
      { code: 'ARGUMENTS_INVALID', message: /settlementDigest/ },
    );
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
}
