// What to do when a call would revert, and what a time-out or a settlement moves, for each case that the contracts know.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatTok, parseTok, parseUsdc } from '../domain/amount.ts';
import { marketParameters, protocolConstants } from '../domain/parameters.ts';
import { payRuling } from '../domain/ruling.ts';
import { lockedAmount, type Task } from '../domain/task.ts';
import { actions } from './catalog.ts';
import { claimTask } from './claimTask.ts';
import { createTask } from './createTask.ts';
import { openDispute, resolveDispute } from './dispute.ts';
import { explainPurchase, explainRevert, explainShortage, type FixContext } from './explain.ts';
import { listMovements, type Movement, nameAccount } from './movements.ts';
import { postTask } from './postTask.ts';
import { mutualSettle, resolveTimedOut } from './settle.ts';

const [poster, worker, judge] = (['4', '5', '6'] as const).map(
  (digit) => `0x${digit.repeat(40)}` as const,
) as [`0x${string}`, `0x${string}`, `0x${string}`];
const task = {
  ...{ market: 'standard', number: 7n, poster, worker, state: 'ACTIVE', scope: 'open', dispute: null },
  ...{ milestones: [parseTok('400'), parseTok('600')], milestone: 0, deadline: 1_000, updatedAt: 500 },
  ...{ reviewPeriod: 100, dismissAt: null, totalAmount: parseTok('1000'), funded: parseTok('1000') },
  ...{ released: 0n, refunded: 0n, fees: 0n },
} as unknown as Task;
const deposit = {
  balance: parseUsdc('10'),
  locked: parseUsdc('4'),
} as FixContext['engaged'][number]['deposit'];
const context: FixContext = { market: 'standard', from: poster, engaged: [], task, now: 900 };

test('each revert has its next step, with the command where an action helps', () => {
  const own = { engaged: [{ address: poster, deposit }] };
  const other = { engaged: [{ address: worker, deposit }] };
  const late = { now: 10 ** 9 };
  const day = BigInt(protocolConstants.activationWindowSeconds);
  const claimed = { from: worker, task: { ...task, state: 'CLAIMED' } };
  const dispute = { phase: 'ASSIGNED', judge, rulingFrom: 701, phaseEndsAt: 800 };
  const hearing = { from: judge, task: { ...task, state: 'DISPUTED', dispute } };
  for (const [name, args, more, says, action] of [
    ['Unknown', {}, {}, null, undefined],
    ['AgentIsPaused', {}, {}, /above the pause threshold/, 'top-up'],
    ['BadTerms', {}, {}, /A task pays .* TOK .* hours to .* days of review/, undefined],
    ['BondTooLow', {}, {}, /least amount/, 'register-arbitrator'],
    ['ERC20InsufficientAllowance', {}, {}, /approve its access fee/, 'approve-tok-router'],
    [
      'BelowEntry',
      { balance: deposit.balance, required: parseUsdc('25') },
      own,
      /Add what is missing/,
      'top-up',
    ],
    ['BelowEntry', { balance: deposit.balance, required: parseUsdc('25') }, other, /to its own/, 'top-up'],
    ['BelowEntry', { balance: 1n, required: 2n }, own, /changed meanwhile/, undefined],
    ['InsufficientFree', { free: parseUsdc('6'), required: parseUsdc('7') }, own, /Add what/, 'top-up'],
    ['InsufficientFree', { free: parseUsdc('6') }, {}, /At most 6 USDC/, undefined],
    ['WrongState', {}, {}, /The task is ACTIVE\. Possible now: .*submit-proof/, undefined],
    ['WrongState', {}, { from: worker }, /The task is ACTIVE, and you are its worker\. Possible/, undefined],
    ['TooEarly', {}, {}, /^Wait until then/, undefined],
    ['TooEarly', { possibleAfter: 500n + day }, claimed, /^Until then only the poster/, undefined],
    // Of a claim that was never started.
    ['TooEarly', { possibleAfter: 500n + 2n * day }, claimed, /^Wait until then/, undefined],
    ['TooEarly', { possibleAfter: 700n }, hearing, /you may rule at once/, undefined],
    ['TooEarly', { possibleAfter: 800n }, hearing, /^Wait until then/, undefined],
    ['WrongState', {}, { task: { ...task, state: 'COMPLETED' } }, /Possible now: nothing/, undefined],
    ['WrongState', {}, { task: null }, /Read the task again/, undefined],
    ['NotPoster', {}, {}, new RegExp(`poster is ${poster}, the worker is ${worker}`), undefined],
    ['NotPoster', {}, { task: { ...task, worker: null } }, /nobody yet/, undefined],
    ['NotPoster', {}, { task: null }, /wallet that may do this/, undefined],
    ['TooLate', {}, { task: null }, /new signature/, undefined],
    ['TooLate', {}, {}, /The task is ACTIVE/, undefined],
    ['TooLate', {}, late, /Anyone may end this phase/, 'resolve-timed-out'],
    ['NoNotice', {}, { task: null }, /notice first/, undefined],
    ['NoNotice', {}, {}, /notice first/, 'give-dismiss-notice'],
    ['NotFullyFunded', {}, { task: null }, /fund the task/, undefined],
    ['NotFullyFunded', {}, {}, /fund the task/, 'fund-task'],
    ['ZeroAmount', {}, {}, /nothing is left to fund/, undefined],
    ['ZeroAmount', {}, { task: null }, /above 0/, undefined],
  ] as const) {
    const fix = explainRevert({ name, args, sentence: '' }, { ...context, ...more } as FixContext);
    if (says === null) assert.equal(fix, null);
    else assert.match(fix?.text ?? '', says, name);
    assert.equal(fix?.action, action, name);
  }
});

test('a shortage names the token that is missing, and a purchase what the pool or the wallet lacks', () => {
  const pay = (token: Movement['token'], amount: bigint, owner = poster) =>
    ({ token, amount, from: { place: 'wallet', owner } }) as Movement;
  const lacks = (moves: Movement[], name = 'ERC20InsufficientBalance') =>
    explainShortage({ name, args: { sender: poster, balance: 0n, needed: 5n }, sentence: '' }, moves, poster)
      ?.reason;
  assert.match(lacks([pay('TOK', 1n), pay('USDC', 5n)]) ?? '', /0\.000005 USDC are needed/);
  assert.match(lacks([pay('TOK', 1n)]) ?? '', /TOK are needed/);
  const fee = { spender: judge, allowance: 0n, needed: parseTok('1000') };
  const mayTake = (...payers: (typeof poster)[]) =>
    explainShortage(
      { name: 'ERC20InsufficientAllowance', args: fee, sentence: '' },
      payers.map((payer) => pay('TOK', parseTok('1000'), payer)),
      poster,
    );
  const [ofBoth, ofOne] = [mayTake(poster, worker), mayTake(poster)];
  assert.match(
    ofBoth?.reason ?? '',
    /^The payment gateway may take 0 TOK of the other party, but 1,?000 TOK are needed/,
  );
  assert.equal(ofBoth?.fix.action, 'approve-tok-router');
  assert.match(ofOne?.reason ?? '', new RegExp(`may take 0 TOK of ${poster}, but`));
  assert.equal(ofOne?.fix.action, undefined);
  const ofUsdc = (words: string) => {
    const args = { message: `ERC20: transfer amount exceeds ${words}` };
    return explainShortage({ name: 'Error', args, sentence: '' }, [pay('USDC', 25_000_000n)], poster);
  };
  assert.equal(ofUsdc('balance')?.reason, `${poster} has less than the 25 USDC that this takes.`);
  assert.equal(ofUsdc('allowance')?.reason, `Less than 25 USDC may be taken from ${poster}.`);
  assert.equal(ofUsdc('patience'), null);
  assert.deepEqual([lacks([pay('credits', 5n)]), lacks([pay('TOK', 5n)], 'Error')], [undefined, undefined]);
  for (const [name, message, usdc, says] of [
    ['Error', 'STF', 1n, /up to 0\.000005 USDC are needed/],
    ['Error', 'STF', 9n, /more than the bound/],
    ['Error', 'Too much requested', 9n, /more than the bound/],
    ['', undefined, 9n, /too little TOK to sell/],
    ['Error', 'other', 9n, /^$/],
  ] as const) {
    const found = explainPurchase({ name, args: { message }, sentence: '' }, 5n, { address: poster, usdc });
    assert.match(found?.reason ?? '', says);
  }
});

test('whatever ends a task takes all out of escrow and the dispute bonds, and unlocks or moves each bond', () => {
  const figures = { ...marketParameters.standard, entriesPaused: false, taskCount: 0n };
  const bond = parseTok('40');
  const disputed = (
    phase: string,
    posterPayer: string | null,
    workerPayer: string | null,
    by: string | null,
  ) =>
    ({ state: 'DISPUTED', dispute: { phase, bond, posterPayer, workerPayer, judge: by } }) as Partial<Task>;
  const cases = [
    [resolveTimedOut, { state: 'POSTED', worker: null }, 'CANCELLED', 1n],
    [resolveTimedOut, { state: 'CLAIMED', funded: 5n }, 'CANCELLED', 2n],
    [resolveTimedOut, {}, 'CANCELLED', 2n],
    [resolveTimedOut, { state: 'DELIVERED', milestone: 1, released: parseTok('400') }, 'COMPLETED', 2n],
    [resolveTimedOut, disputed('ANSWERING', poster, null, null), 'RESOLVED', 2n],
    [resolveTimedOut, disputed('ESCALATED', poster, worker, judge), 'RESOLVED', 2n],
    [resolveTimedOut, disputed('ESCALATED', null, worker, judge), 'RESOLVED', 2n],
    [resolveTimedOut, disputed('ESCALATED', poster, null, judge), 'RESOLVED', 2n],
    [mutualSettle, {}, 'RESOLVED', 2n],
    [mutualSettle, disputed('ASSIGNED', poster, worker, judge), 'RESOLVED', 2n],
    [mutualSettle, disputed('ASSIGNED', null, worker, judge), 'RESOLVED', 2n],
  ] as const;
  for (const isLate of [false, true])
    for (const [action, more, state, bonds] of cases) {
      const now = { ...task, ...(more as Partial<Task>) };
      const facts = { task: now, figures, sender: poster, workerBps: 2_500, isLate };
      const moves = listMovements(action, facts);
      const taken = (place: string) =>
        moves.reduce((sum, { from, amount }) => (from.place === place ? sum + (amount ?? 0n) : sum), 0n);
      const { posterPayer = null, workerPayer = null } = now.dispute ?? {};
      const paid = [posterPayer, workerPayer].filter((payer) => payer !== null).length;
      const held = [lockedAmount(now), bond * BigInt(paid), figures.bondUsdc * bonds];
      assert.deepEqual(['escrow', 'disputeBonds', 'bond'].map(taken), held, now.state);
      assert.equal(
        moves.some(({ from }) => from.place === 'arbitratorBond'),
        isLate && action === mutualSettle && now.dispute !== null,
      );
      assert.equal(action.becomes?.(facts), state);
    }
  const again = { figures, task: { ...task, state: 'CLAIMED' } as Task };
  assert.equal(resolveTimedOut.becomes?.(again), 'POSTED');
  assert.equal(resolveTimedOut.becomes?.({ figures }), null);
  // What depends on a task that is not known is not guessed.
  for (const action of actions)
    if ('windows' in action && 'moves' in action)
      assert.deepEqual(action.moves?.({ figures }), [], action.name);
  const named = [poster, worker, judge].map((owner) => {
    const roles = { poster, worker, dispute: { judge } } as unknown as Task;
    return nameAccount({ place: 'bond', owner }, { me: poster, task: roles }).name;
  });
  assert.deepEqual(named, [
    'your locked bond',
    'the locked bond of the worker',
    'the locked bond of the arbitrator',
  ]);
});

test('what happens next is said for each form of an action', () => {
  assert.match(openDispute.next, /^With a bond the worker answers .*\. Without one the fallback arbitrator/);
  assert.match(claimTask.undo, /unfunded claim .* without a mark/);
  assert.match(claimTask.next, /you may start it for one more day/);
  for (const action of [createTask, postTask]) assert.match(action.next, /a funded one the worker may start/);
  assert.match(postTask.next, /escrow comes back/);
  // Who signs a split has not ended the task yet.
  assert.match(mutualSettle.next, /signature of the other.* Until then the task goes on\.$/);
});

test('a ruling pays what pages say: the fee comes out of the share of the side without a bond', () => {
  const figures = { ...marketParameters.standard, entriesPaused: false, taskCount: 0n };
  const amount = parseTok('1000');
  const rule = (posterPayer: string | null, workerPayer: string | null, isLate = false) => {
    const dispute = { phase: 'ESCALATED', amount, bond: parseTok('50'), judge, posterPayer, workerPayer };
    const ruled = { ...task, state: 'DISPUTED', dispute, milestones: [amount] } as unknown as Task;
    const facts = { task: ruled, figures, sender: judge, workerBps: 6_000, isLate };
    const moves = listMovements(resolveDispute, facts).filter(({ from }) => from.place === 'escrow');
    const shares = payRuling(ruled.dispute as NonNullable<Task['dispute']>, 6_000, isLate);
    assert.deepEqual(
      moves.map((moved) => moved.amount),
      Object.values(shares).filter((share) => share > 0n),
    );
    return Object.values(shares).map((share) => Number(formatTok(share)));
  };
  assert.deepEqual(rule(poster, worker), [600, 400, 0]);
  assert.deepEqual(rule(poster, null), [570, 400, 30]);
  assert.deepEqual(rule(null, null), [600, 380, 20]);
  assert.deepEqual(rule(null, null, true), [600, 400, 0]);
});
