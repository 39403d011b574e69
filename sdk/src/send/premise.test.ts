// A run notices what has changed since its plan was shown, and only that.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountOf, type Movement, move } from '../actions/movements.ts';
import type { Call } from '../chain/encodeCall.ts';
import type { Dispute, Task } from '../domain/task.ts';
import { findPlanChange, findTaskChange, hasSameEnd, type Premise } from './premise.ts';

const walletOf = (digit: string) => `0x${digit.repeat(40)}` as const;
const [poster, worker, other] = [walletOf('1'), walletOf('a'), walletOf('b')];
const now = 1_000_000;
const deadline = now + 86_400;

const posted = {
  market: 'standard',
  number: 1n,
  poster,
  worker: null,
  state: 'POSTED',
  milestones: [5n, 5n],
  milestone: 0,
  round: 0,
  reviewPeriod: 86_400,
  deadline,
  updatedAt: now - 100,
  dismissAt: null,
  noticeAnswered: false,
  totalAmount: 10n,
  funded: 10n,
  released: 0n,
  refunded: 0n,
  fees: 0n,
  dispute: null,
} as unknown as Task;
const claimed: Task = { ...posted, state: 'CLAIMED', worker, updatedAt: now };
const active: Task = { ...claimed, state: 'ACTIVE' };
const delivered: Task = { ...active, state: 'DELIVERED' };
const dispute = {
  phase: 'ANSWERING',
  phaseEndsAt: deadline,
  judge: null,
  posterPick: null,
  workerPick: null,
};
const disputed: Task = { ...delivered, state: 'DISPUTED', dispute: dispute as unknown as Dispute };

const find = (name: string, wallet: `0x${string}`, seen: Task, task: Task, at = now) =>
  findTaskChange({ name }, seen, task, { wallet, now: at });

test('a claim that somebody else won, and one of the same wallet', () => {
  assert.equal(find('claim-task', other, posted, posted), null);
  assert.equal(find('claim-task', other, posted, claimed), 'Somebody else has claimed this task.');
  assert.equal(find('cancel-task', poster, posted, claimed), 'Somebody else has claimed this task.');
  assert.equal(find('claim-task', worker, posted, claimed), 'This wallet has already claimed this task.');
  const shouted = worker.toUpperCase().replace('X', 'x') as `0x${string}`;
  assert.match(find('claim-task', shouted, posted, claimed) ?? '', /^This wallet/);
});

test('another state, round, worker, milestone, delivery or phase of the dispute', () => {
  const phase = { ...disputed, dispute: { ...disputed.dispute, phase: 'PROPOSING' } as Dispute };
  const later = { ...delivered, updatedAt: now + 9 };
  const cases: [name: string, wallet: `0x${string}`, seen: Task, task: Task, change: RegExp][] = [
    ['claim-task', other, posted, { ...posted, state: 'CANCELLED' }, /^This task has ended\.$/],
    ['start-work', poster, claimed, active, /^The task has changed\. The worker delivers/],
    ['accept-milestone', poster, delivered, posted, /^The task has changed\. Open: every wallet/],
    ['claim-task', other, posted, { ...posted, round: 1 }, /another round\.$/],
    ['start-work', poster, claimed, { ...claimed, worker: other }, /^Another wallet is the worker/],
    ['accept-milestone', poster, delivered, { ...later, milestone: 1 }, /has reached milestone 2 of 2\.$/],
    ['accept-milestone', poster, delivered, later, /^There is a newer delivery\./],
    ['answer-dispute', worker, disputed, phase, /^The dispute has moved on\. Both/],
  ];
  for (const [name, wallet, seen, task, change] of cases)
    assert.match(find(name, wallet, seen, task) ?? '', change);
  assert.equal(find('answer-dispute', worker, disputed, disputed), null);
});

test('a deadline that moved, a time that ran out, and a wallet without a part', () => {
  assert.equal(
    find('claim-task', other, posted, { ...posted, deadline: deadline + 60 }),
    'The deadline has moved. It is now 1970-01-13T13:47:40Z.',
  );
  assert.equal(find('claim-task', other, posted, posted, deadline), null);
  assert.equal(find('claim-task', other, posted, posted, deadline + 1), 'The time for this is over.');
  assert.equal(find('claim-task', poster, posted, posted), 'This wallet cannot do this now.');
});

test('what does not matter to the reader is no change', () => {
  assert.equal(find('claim-task', other, { ...posted, funded: 0n }, posted), null);
  assert.equal(find('submit-proof', worker, active, { ...active, dismissAt: now + 86_400 }), null);
});

const callOf = (data: string): Call => ({ to: other, value: '0x0', data: data as Call['data'] });
const [approve, claim, later] = [
  callOf('0x095ea7b3'),
  callOf('0x1234567801'),
  callOf('0x1234567802'),
] as const;
const planOf = (calls: readonly Call[], ...movements: Movement[]): Premise => ({
  action: { name: 'claim-task' },
  calls,
  typedData: null,
  explained: [{ movements, allowance: null, dangers: [] }],
  task: null,
  now,
});
const wallet = accountOf('wallet', worker);
const fee = (amount: bigint, to: 'fees' | 'treasury' = 'fees') => move('TOK', amount, wallet, { place: to });
const gain = (amount: bigint) => move('TOK', amount, { place: 'escrow' }, wallet);
const paid = (amount: bigint, to: `0x${string}` = poster) =>
  move('TOK', amount, { place: 'escrow' }, accountOf('wallet', to));
const change = (shown: Premise, current: Premise, left = shown.calls) =>
  findPlanChange(shown, current, left, worker);

test('what is left: a mined allowance is no change, another call or one step more is', () => {
  const shown = planOf([approve, claim]);
  assert.equal(change(shown, planOf([approve, later])), null, 'times move with the clock');
  assert.equal(change(shown, planOf([claim]), [claim]), null);
  assert.match(change(shown, planOf([approve, claim]), [claim]) ?? '', /more steps/);
  assert.match(change(shown, planOf([approve])) ?? '', /another call/);
});

test('costs: a new one and a higher one are a change; one that was paid, or is lower, is not', () => {
  const shown = planOf([claim], fee(10n), fee(3n));
  assert.equal(change(shown, shown), null);
  assert.equal(change(shown, planOf([claim], fee(3n), fee(10n))), null, 'in another order');
  assert.equal(change(shown, planOf([claim], fee(9n))), null);
  assert.match(change(shown, planOf([claim], fee(11n))) ?? '', /^The costs have changed\. /);
  assert.match(change(shown, planOf([claim], fee(10n), fee(3n), fee(1n))) ?? '', /^There is a new cost\. /);
  assert.match(change(shown, planOf([claim], fee(3n, 'treasury'))) ?? '', /^There is a new cost\. /);
});

test('gains: more is no reason to stop, less is; what others get stays as it was shown', () => {
  const shown = planOf([claim], gain(5n), paid(300n));
  assert.equal(change(shown, planOf([claim], gain(6n), paid(300n))), null);
  assert.match(change(shown, planOf([claim], gain(4n), paid(300n))) ?? '', /have changed/);
  for (const amount of [299n, 301n])
    assert.match(change(shown, planOf([claim], gain(5n), paid(amount))) ?? '', /have changed/);
  assert.match(change(shown, planOf([claim], gain(5n), paid(300n, other))) ?? '', /new cost/);
});

test('an allowance for somebody else, a higher one, and a new danger are changes', () => {
  const allow = (spender: `0x${string}`, amount: bigint, ...dangers: string[]): Premise => ({
    ...planOf([approve]),
    explained: [
      {
        movements: [],
        allowance: { token: 'TOK', spender, spenderName: null, amount, isUnlimited: false },
        dangers,
      },
    ],
  });
  const shown = allow(poster, 5n);
  assert.equal(change(shown, allow(poster, 5n)), null);
  assert.match(change(shown, allow(poster, 6n)) ?? '', /have changed/);
  assert.match(change(shown, allow(other, 5n)) ?? '', /new cost/);
  assert.equal(change(shown, allow(poster, 5n, 'It is unlimited.')), 'It is unlimited.');
});

test('a task that changed stops it; what spoke against it from the start does not', () => {
  const on = (task: Task): Premise => ({ ...planOf([claim]), task });
  assert.equal(change(on(posted), on(claimed)), 'This wallet has already claimed this task.');
  const stranger = { ...planOf([claim]), action: { name: 'start-work' }, task: posted };
  assert.equal(change(stranger, stranger), null);
});

test('two lists of calls have one end, whatever allowances come before it', () => {
  assert.equal(hasSameEnd([approve, claim], [claim]), true);
  assert.equal(hasSameEnd([claim], [later]), false);
  assert.equal(hasSameEnd([], []), false);
});
