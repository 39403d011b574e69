// A dialog notices what has changed since its reader opened it, and only that.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Dispute, Task } from '@svc/sdk/domain';
import { findCostChange, findTaskChange } from './premise.ts';

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
    'The deadline has moved. It is now 1970-01-13 13:47 UTC.',
  );
  assert.equal(find('claim-task', other, posted, posted, deadline), null);
  assert.equal(find('claim-task', other, posted, posted, deadline + 1), 'The time for this is over.');
  assert.equal(find('claim-task', poster, posted, posted), 'This wallet cannot do this now.');
});

test('what does not matter to the reader is no change', () => {
  assert.equal(find('claim-task', other, { ...posted, funded: 0n }, posted), null);
  assert.equal(find('submit-proof', worker, active, { ...active, dismissAt: now + 86_400 }), null);
});

test('costs: two lines of one name are no change of each other', () => {
  const shown = ['1,000 TOK', '50 TOK'].map((amount) => ({ what: 'To the poster', amount })) as never[];
  assert.equal(findCostChange(shown, shown), null);
  assert.equal(findCostChange(shown, shown.toReversed()), null);
  assert.match(findCostChange(shown.slice(0, 1), shown) ?? '', /a new cost/);
});

test('costs: a new one and another amount are a change, one that was paid is not', () => {
  const fee = { what: 'Access fee', amount: '1,000 TOK' };
  const collateral = { what: 'Collateral you still need', amount: '25 USDC' };
  assert.equal(findCostChange([fee, collateral], [fee, collateral]), null);
  assert.equal(findCostChange([fee, collateral], [fee]), null);
  assert.equal(
    findCostChange([fee], [{ ...fee, amount: '1,200 TOK' }]),
    'The costs have changed. Access fee: now 1,200 TOK instead of 1,000 TOK.',
  );
  assert.equal(
    findCostChange([fee], [fee, collateral]),
    'There is a new cost. Collateral you still need: 25 USDC.',
  );
});

test('calls that stay the same: a payment that is gone, or goes to another wallet, is a change', () => {
  const paid = { what: 'To the worker', amount: '300 TOK', note: `${worker} · from escrow` };
  const bond = { what: 'Your locked bond', amount: '5 USDC', note: 'free again' };
  const find = (...now: (typeof paid)[]) => findCostChange([paid, bond], now, 'fixed');
  assert.equal(find(paid, bond), null);
  assert.match(find(paid) ?? '', /Your locked bond: no longer 5 USDC\.$/);
  assert.match(find({ ...paid, amount: '200 TOK' }, bond) ?? '', /now 200 TOK instead of 300 TOK\.$/);
  assert.match(
    find({ ...paid, note: `${other} · from escrow` }, bond) ?? '',
    new RegExp(`have changed\\. To the worker: 300 TOK, ${other} · from escrow\\.`),
  );
});

test('a reward that has grown is no reason to stop, and one that has shrunk is', () => {
  const reward = { what: 'To your wallet', amount: '3 TOK', tokWei: 3n, isGain: true };
  assert.equal(findCostChange([reward], [{ ...reward, amount: '4 TOK', tokWei: 4n }]), null);
  assert.match(findCostChange([reward], [{ ...reward, amount: '2 TOK', tokWei: 2n }]) ?? '', /now 2 TOK/);
  const fee = { ...reward, isGain: false };
  assert.match(findCostChange([fee], [{ ...fee, amount: '4 TOK', tokWei: 4n }]) ?? '', /now 4 TOK/);
});
