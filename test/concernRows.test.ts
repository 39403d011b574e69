// Proves that the index has one row for each wallet at any second, and who enters it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import vectors from '#sdk/actions/nextActions.vectors.json' with { type: 'json' };
import type { Address } from '#sdk/domain/address.ts';
import { turns } from '#sdk/domain/concernNames.ts';
import { findPhase } from '#sdk/domain/phases.ts';
import { noFacts, type Task, type TaskFacts } from '#sdk/domain/task.ts';
import { concernedWallets, listConcerns, noEnd, rolesIn } from '#service/contract/concernRows.ts';

const wallet = (pair: string) => `0x${pair.repeat(20)}` as Address;
const [poster, worker, judge, other] = ['aa', 'bb', 'cc', 'dd'].map(wallet) as [
  Address,
  Address,
  Address,
  Address,
];
const base = {
  poster,
  worker,
  updatedAt: 1_000,
  deadline: 2_000_000,
  reviewPeriod: 3_600,
  dismissAt: null,
  noticeAnswered: false,
  totalAmount: 1n,
  funded: 1n,
  milestones: [1n],
  milestone: 0,
  dispute: null,
};
const build = (fields: object) => ({ ...base, ...fields }) as unknown as Task;
const disputed = (fields: object, state = 'DISPUTED') =>
  build({
    state,
    dispute: {
      phase: 'ASSIGNED',
      phaseEndsAt: 9_000,
      judge,
      posterPick: judge,
      workerPick: judge,
      posterPayer: poster,
      workerPayer: worker,
      ...fields,
    },
  });

/** Turn and roles of each wallet at that second. */
function look(task: Task, now: number, facts: Partial<TaskFacts> = {}) {
  const rows = listConcerns(task, { ...noFacts, ...facts }).filter(
    ({ starts, ends }) => starts <= now && now <= ends,
  );
  return Object.fromEntries(
    rows.map(({ wallet, part, roles }) => [wallet, [turns[part], ...rolesIn(roles)]]),
  );
}

test('every wallet has exactly one row at any second, with the turn of the phase', () => {
  for (const { task } of vectors) {
    const whole = {
      poster,
      worker: task.state === 'POSTED' ? null : worker,
      milestones: [1n],
      ...task,
    } as unknown as Task;
    for (const one of concernedWallets(whole)) {
      const rows = listConcerns(whole, noFacts).filter((row) => row.wallet === one);
      assert.equal(rows[0]?.starts, 0);
      assert.equal(rows.at(-1)?.ends, noEnd);
      // The index is read within these bounds.
      for (const { part, starts, ends, due } of rows) {
        const turn = turns[part];
        if (turn === 'mine' || turn === 'theirs') assert.ok(ends <= due, `${turn} ends with its clock`);
        if (turn === 'anyone') assert.ok(due < starts, 'anyone’s turn begins after the clock');
      }
      for (const [at, { starts }] of rows.entries())
        if (at > 0) assert.equal(starts, (rows[at - 1]?.ends ?? 0) + 1);
      for (const { starts, part } of rows) {
        const phase = findPhase(whole, starts);
        if (phase?.isOverdue) assert.equal(turns[part], 'anyone');
        if (phase === null) assert.equal(turns[part], 'nobody');
      }
    }
  }
});

test('a delivery is the turn of its poster until the review ends, then anyone’s', () => {
  const task = build({ state: 'DELIVERED' });
  assert.deepEqual(look(task, 4_600), { [poster]: ['mine', 'poster'], [worker]: ['theirs', 'worker'] });
  assert.deepEqual(look(task, 4_601), { [poster]: ['anyone', 'poster'], [worker]: ['anyone', 'worker'] });
});

test('the judge of a dispute is concerned while in office, and afterwards as finished', () => {
  assert.deepEqual(look(disputed({}), 9_000)[judge], ['mine', 'arbitrator']);
  const closed = disputed({ phase: 'CLOSED', judge: null }, 'RESOLVED');
  assert.deepEqual(look(closed, 9_000)[judge], ['nobody', 'arbitrator']);
  const escalated = look(disputed({ phase: 'ESCALATED', judge: other }), 9_000);
  assert.deepEqual(escalated[other], ['mine', 'arbitrator']);
  assert.deepEqual(escalated[judge], ['nobody', 'arbitrator']);
  // Nobody named the fallback arbitrator: its ruling does.
  const dispute = { ...noFacts.dispute, ruling: { by: other } } as TaskFacts['dispute'];
  assert.deepEqual(look(closed, 9_000, { dispute })[other], ['nobody', 'arbitrator']);
});

test('a case that the parties ended themselves is finished for the fallback arbitrator that was paid, and for nobody else', () => {
  const [fallback, sponsor] = [other, wallet('ee')];
  const dispute = { ...noFacts.dispute, bondsTo: [fallback, poster, sponsor] };
  const closed = disputed(
    { phase: 'CLOSED', judge: null, posterPick: null, workerPick: null, workerPayer: sponsor },
    'RESOLVED',
  );
  assert.deepEqual(look(closed, 9_000, { dispute }), {
    [poster]: ['nobody', 'poster'],
    [worker]: ['nobody', 'worker'],
    [sponsor]: ['nobody', 'sponsor'],
    [fallback]: ['nobody', 'arbitrator'],
  });
  // Before a judge was in office the half of a bond goes to the other party.
  const early = { ...noFacts.dispute, bondsTo: [worker, poster] };
  assert.deepEqual(look(closed, 9_000, { dispute: early })[fallback], undefined);
});

test('proposed arbitrators and payers of a bond are concerned, former workers as finished', () => {
  const proposing = disputed({ phase: 'PROPOSING', judge: null, workerPick: null, workerPayer: other });
  assert.deepEqual(look(proposing, 9_000, { workers: [wallet('ee'), worker] }), {
    [poster]: ['theirs', 'poster'],
    [worker]: ['mine', 'worker'],
    [judge]: ['theirs', 'proposedArbitrator'],
    [other]: ['theirs', 'sponsor'],
    [wallet('ee')]: ['nobody', 'worker'],
  });
});
