// Proves that the phases of a task agree with the windows of the catalog, for every state and clock.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTok } from '../domain/amount.ts';
import { afterOf, findPhase, listPhases, rolesOf, sentenceOf } from '../domain/phases.ts';
import { toRole } from '../domain/state.ts';
import type { Task } from '../domain/task.ts';
import { findExitOf, isOpenAt, nextActions, nextActionsOf } from './nextActions.ts';
import vectors from './nextActions.vectors.json' with { type: 'json' };

const [poster, worker, stranger] = ['aa', 'bb', 'cc'].map((pair) => `0x${pair.repeat(20)}` as const) as [
  `0x${string}`,
  `0x${string}`,
  `0x${string}`,
];

const tasks = vectors.map(({ task: { totalAmount, funded, ...rest } }) => {
  const amounts = {
    totalAmount: BigInt(totalAmount),
    funded: BigInt(funded),
    milestones: [1n],
    milestone: 0,
  };
  return { poster, worker: rest.state === 'POSTED' ? null : worker, ...rest, ...amounts } as unknown as Task;
});

test('a poster reads what silence pays', () => {
  const milestones = [parseTok('4000'), parseTok('16000')];
  const delivered = tasks.find(({ state }) => state === 'DELIVERED') as Task;
  const phase = findPhase({ ...delivered, milestones, milestone: 1 }, delivered.updatedAt);
  assert.equal(
    phase?.after,
    'After that the delivery counts as accepted, and anyone can have the worker paid 16,000 TOK.',
  );
});

test('the phases of a task follow each other without a gap, and the last one is its exit', () => {
  for (const task of tasks) {
    const phases = listPhases(task);
    const exit = findExitOf(task);
    assert.equal(phases.length === 0, exit === null, task.state);
    for (const [at, { from }] of phases.entries())
      assert.equal(from, at === 0 ? null : (phases[at - 1]?.to ?? 0) + 1);
    const last = phases.at(-1);
    if (last === undefined || exit === null) continue;
    assert.deepEqual([last.action, last.from, last.to, last.by], [exit.action, exit.from, null, ['anyone']]);
  }
});

test('in every second of a phase, those whose turn it is may take its action', () => {
  for (const task of tasks) {
    for (const { action, by, from, to } of listPhases(task)) {
      const first = from ?? task.updatedAt;
      for (const now of [first, to ?? first + 1])
        for (const actor of by) {
          // In a hearing the arbitrator only reads.
          if (action === 'submit-evidence' && actor === 'arbitrator') continue;
          const isOpen = nextActions(task).some(
            (next) => next.action === action && next.by === toRole(actor) && isOpenAt(now, next),
          );
          assert.ok(isOpen, `${task.state}: ${action} by ${actor} at ${now}`);
        }
    }
  }
});

test('the one whose turn it is hears of itself, and everybody else of its role', () => {
  for (const task of tasks)
    for (const phase of listPhases(task)) {
      const { by, sentence, isOverdue } = phase;
      const [role = ''] = by;
      assert.equal(sentenceOf(phase, ['stranger']), sentence);
      const isAlone = by.length === 1 && ['poster', 'worker', 'arbitrator'].includes(role) && !isOverdue;
      const own = sentenceOf(phase, by);
      if (isAlone && phase.action !== 'propose-arbitrator') {
        assert.match(own, /\b[Yy]ou(r)?\b/, sentence);
        assert.doesNotMatch(own, new RegExp(`[Tt]he ${role}\\b`), sentence);
      } else assert.equal(own, sentence);
      assert.equal(afterOf(phase, ['worker']), phase.after);
      assert.equal(
        afterOf(phase, ['arbitrator']),
        phase.after
          .replace(/\bthe arbitrator can\b/, 'you can')
          .replace('the arbitrator loses a part of its', 'you lose a part of your'),
      );
    }
});

test('a notice of dismissal shortens the clock of the worker until it lapses', () => {
  const day = 86_400;
  const deadline = 1_000 * day;
  const task = { state: 'ACTIVE', deadline, dismissAt: 900 * day, dispute: null } as Task;
  const clocks = [900 * day, 900 * day + 1, 901 * day, 901 * day + 1, deadline + day].map(
    (now) => findPhase(task, now)?.until,
  );
  assert.deepEqual(clocks, [900 * day, 901 * day, 901 * day, deadline + day, deadline + day]);
  assert.equal(findPhase(task, deadline + day + 1)?.isOverdue, true);
});

test('the start is left to the worker as well after the first day', () => {
  const task = { state: 'CLAIMED', updatedAt: 1_000, totalAmount: 1n, funded: 1n, dispute: null } as Task;
  assert.deepEqual(findPhase(task, 1_000 + 86_400)?.by, ['poster']);
  assert.deepEqual(findPhase(task, 1_000 + 86_401)?.by, ['poster', 'worker']);
});

test('a private claim that nobody starts ends, and an open one is listed again', () => {
  const claimed = { state: 'CLAIMED', updatedAt: 1_000, totalAmount: 1n, funded: 1n, dispute: null };
  const afterOfScope = (scope: string) => findPhase({ ...claimed, scope } as Task, 1_000)?.after ?? '';
  assert.match(afterOfScope('open'), /anyone can list it again/);
  assert.match(afterOfScope('private'), /anyone can end it: escrow goes back to the poster/);
});

test('a notice and a failed proposal have words of their own for those whose turn it is', () => {
  const noticed = { state: 'ACTIVE', deadline: 10 ** 6, dismissAt: 500, dispute: null } as Task;
  const todos = [500, 501, 100_000].map((now) => findPhase(noticed, now)?.todo);
  assert.deepEqual(todos, ['deliver, or answer the notice', 'deliver before you are dismissed', 'deliver']);
  assert.match(findPhase(noticed, 501)?.own ?? '', /; an answer saves your bond\.$/);
  const answered = { ...noticed, noticeAnswered: true };
  assert.equal(findPhase(answered, 500)?.todo, 'deliver before the notice ends');
  assert.match(findPhase(answered, 501)?.own ?? '', /A delivery prevents it\.$/);
  const todoOfPicks = (posterPick: string | null, workerPick: string | null) => {
    const dispute = { phase: 'PROPOSING', phaseEndsAt: 10, posterPick, workerPick };
    return findPhase({ state: 'DISPUTED', dispute } as unknown as Task, 1)?.todo;
  };
  assert.equal(todoOfPicks('0x1', null), 'propose an arbitrator');
  assert.equal(todoOfPicks('0x1', '0x2'), 'agree on an arbitrator');
  assert.equal(todoOfPicks('0x1', '0x1'), 'propose another arbitrator');
});

test('where the fallback arbitrator is a party, nobody waits for a ruling', () => {
  const task = tasks.find(({ dispute }) => dispute?.phase === 'ESCALATED' && dispute.judge === null) as Task;
  const [phase] = listPhases(task);
  assert.deepEqual([phase?.by, phase?.action], [['poster', 'worker'], 'mutual-settle']);
  assert.match(phase?.after ?? '', /goes to the side that is not the fallback arbitrator\.$/);
});

test('a side that has named an arbitrator waits for the other one', () => {
  const phaseOf = (posterPick: string | null, workerPick: string | null) => {
    const dispute = { phase: 'PROPOSING', phaseEndsAt: 10, posterPick, workerPick };
    return findPhase({ state: 'DISPUTED', dispute } as unknown as Task, 1);
  };
  const turnOf = (...picks: Parameters<typeof phaseOf>) => phaseOf(...picks)?.by;
  assert.deepEqual(turnOf(null, null), ['poster', 'worker']);
  assert.deepEqual(turnOf('0x1', null), ['worker']);
  assert.deepEqual(turnOf(null, '0x1'), ['poster']);
  assert.deepEqual(turnOf('0x1', '0x2'), ['poster', 'worker']);
  assert.match(phaseOf('0x1', '0x2')?.sentence ?? '', /^The parties have proposed different arbitrators\./);
  assert.match(phaseOf('0x1', '0x1')?.sentence ?? '', /cannot take the case/);
  assert.match(phaseOf('0x1', null)?.sentence ?? '', /^Both parties propose an arbitrator\./);
});

test('anyone but the poster may claim; only those who are no party may pay for the worker', () => {
  const posted = tasks.find(({ state }) => state === 'POSTED') as Task;
  const namesOf = (task: Task, wallet: `0x${string}`) =>
    nextActionsOf(task, wallet).map(({ action }) => action);
  assert.ok(namesOf(posted, stranger).includes('claim-task'));
  assert.ok(!namesOf(posted, poster).includes('claim-task'));
  const disputed = tasks.find(({ dispute }) => dispute?.phase === 'ANSWERING') as Task;
  assert.ok(namesOf(disputed, stranger).includes('answer-dispute'));
  assert.ok(!namesOf(disputed, poster).includes('answer-dispute'));
  assert.deepEqual(rolesOf(disputed, worker), ['worker', 'anyone']);
  const judged = { ...disputed, dispute: { ...disputed.dispute, judge: stranger } } as Task;
  assert.ok(rolesOf(judged, stranger).includes('arbitrator'));
});
