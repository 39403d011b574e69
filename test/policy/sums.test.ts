// What each action costs is counted exactly once: fees, escrow, bonds, USDC; in one request, in two, and at the same time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeApprove } from '#sdk/actions/approvals.ts';
import { type EncodedCalls, encodeCall, joinCalls } from '#sdk/chain/encodeCall.ts';
import { protocolConstants } from '#sdk/domain/parameters.ts';
import { scopes } from '#sdk/domain/state.ts';
import type { TaskTerms } from '#sdk/domain/terms.ts';
import { readSpendings } from '#service/policy/guard.ts';
import { sumUp } from '#service/policy/judge.ts';
import {
  access,
  agreeTo,
  bond,
  callsOf,
  fee,
  from,
  fund,
  other,
  payment,
  standard,
  start,
  terms,
  tok,
  usdc,
} from './guarding.ts';

const digest = `0x${'d1'.repeat(32)}` as const;
const none = `0x${'0'.repeat(64)}` as const;
const disputed = (tok(500) * BigInt(protocolConstants.disputeBps)) / 10_000n;
const largest = 2n ** 96n - 1n;

// biome-ignore lint/suspicious/noExplicitAny: each function has its own arguments
const call = (contract: any, name: any, args: any) => encodeCall(standard, contract, name, args as never);
const post = (fundNow: bigint) =>
  call('TaskRegistry', 'postTask', [
    {
      ...{ totalAmount: largest, deadline: 9n, reviewPeriod: 9, criteriaHash: none },
      ...{ milestones: [], uri: '', fundNow },
    },
  ]);
const create = (changed: Partial<TaskTerms>, fundNow: bigint) =>
  call('TaskRegistry', 'createTask', [
    { ...terms, ...changed, scope: scopes.indexOf('private') },
    [],
    '0x',
    '0x',
    '',
    fundNow,
  ]);

const sumOf = async (calls: EncodedCalls) => {
  const { tok: inTok, usdc: inUsdc } = sumUp(await readSpendings(callsOf(calls), access));
  return [inTok, inUsdc];
};

test('each action counts its fee, amount and bond once, for small and very large amounts', async () => {
  for (const amount of [0n, 1n, tok(7), largest]) {
    const cases: readonly (readonly [string, EncodedCalls, bigint, bigint])[] = [
      ['post', post(amount), fee + amount, bond],
      ['create as poster', create({}, amount), fee + amount, bond],
      ['fund', fund(amount), amount, 0n],
      ['register an arbitrator', call('DisputeCourt', 'registerArbitrator', [amount, 0n]), amount, 0n],
      ['stake', call('StakingVault', 'stake', [amount]), amount, 0n],
      ['top up', call('DepositVault', 'topUp', [amount]), 0n, amount],
      ['top up another', call('DepositVault', 'emergencyTopUp', [other, amount]), 0n, amount],
      ['withdraw to another', call('DepositVault', 'withdraw', [amount, other]), 0n, amount],
      ['withdraw', call('DepositVault', 'withdraw', [amount, from]), 0n, 0n],
    ];
    for (const [name, calls, inTok, inUsdc] of cases) {
      assert.deepEqual(await sumOf(calls), [inTok, inUsdc], `${name} ${amount}`);
      // With the allowance that it uses in the same request.
      if (inTok > 0n) {
        const approved = joinCalls(encodeApprove(standard, 'TokToken', 'paymentGateway', inTok), calls);
        assert.deepEqual(await sumOf(approved), [inTok, inUsdc], `${name} ${amount}, with its allowance`);
      }
    }
  }
  const fixed: readonly (readonly [string, EncodedCalls, bigint, bigint])[] = [
    ['claim', call('TaskRegistry', 'claimTask', [1n, digest]), fee, bond],
    ['give notice', call('TaskRegistry', 'giveDismissNotice', [1n, digest]), fee, 0n],
    ['open a dispute', call('TaskRegistry', 'openDispute', [1n, 9n, true, none, '']), disputed, 0n],
    ['open one without a bond', call('TaskRegistry', 'openDispute', [1n, 9n, false, none, '']), 0n, 0n],
    ['answer it', call('DisputeCourt', 'answerDispute', [1n, true, none, '']), disputed, 0n],
    ['answer without a bond', call('DisputeCourt', 'answerDispute', [1n, false, none, '']), 0n, 0n],
    ['start', call('TaskRegistry', 'startWork', [1n, digest]), 0n, 0n],
    ['accept', call('TaskRegistry', 'acceptMilestone', [1n, 0, 9n]), 0n, 0n],
  ];
  for (const [name, calls, inTok, inUsdc] of fixed)
    assert.deepEqual(await sumOf(calls), [inTok, inUsdc], name);
  for (const [calls, total] of [
    [post(0n), largest],
    [create({}, 0n), tok(900)],
  ] as const)
    assert.equal((await readSpendings(callsOf(calls), access))[0]?.taskTok, total, 'for maxTaskTok');
  const paid = sumUp(await readSpendings(payment(largest), access));
  assert.deepEqual([paid.tok, paid.usdc], [0n, largest], 'x402');
  assert.equal((await readSpendings(payment(1n), access))[0]?.counterparty, other);
  for (const [worker, inTok] of [
    [other, tok(900) + fee],
    [from, fee],
  ] as const) {
    const parties = { poster: worker === from ? other : from, worker };
    const agreed = sumUp(await readSpendings(agreeTo(parties), access));
    assert.deepEqual([agreed.tok, agreed.usdc], [inTok, bond], 'terms');
  }
});

const open = {
  actions: {
    'approve-tok-router': {},
    'approve-usdc-vault': {},
    'claim-task': {},
    'fund-task': {},
    'top-up': {},
  },
  perAction: { tok: tok(10_000), usdc: usdc(1_000) },
  perCounterparty: { tok: tok(10_000), usdc: usdc(1_000) },
};
const spentBy = ({ ledger }: ReturnType<typeof start>) => {
  const { tok: inTok, usdc: inUsdc } = sumUp(ledger.loadSpent(from).flatMap(({ spendings }) => spendings));
  return [inTok, inUsdc];
};
const claim = call('TaskRegistry', 'claimTask', [1n, digest]);
const approve = encodeApprove(standard, 'TokToken', 'paymentGateway', fee);

test('an allowance and the fee that later takes it count once, not more than once', async () => {
  const wallet = start({ ...open, perDay: { tok: fee, usdc: usdc(50) } });
  assert.equal(await wallet.isSigned(callsOf(approve)), true);
  assert.deepEqual(spentBy(wallet), [fee, 0n]);
  assert.equal(await wallet.isSigned(callsOf(claim)), true, 'takes what was counted');
  assert.deepEqual(spentBy(wallet), [fee, bond]);
  assert.equal(await wallet.isSigned(callsOf(fund(1n))), false, 'the allowance is used up');
  const other = start({ ...open, perDay: { tok: fee, usdc: usdc(50) } });
  assert.equal(await other.isSigned(callsOf(claim)), true);
  assert.equal(await other.isSigned(callsOf(approve)), false, 'may be taken besides what was spent before');
  const collateral = start({ ...open, perDay: { tok: 0n, usdc: usdc(45) } });
  assert.equal(
    await collateral.isSigned(callsOf(encodeApprove(standard, 'USDC', 'depositVault', usdc(45)))),
    true,
  );
  assert.equal(await collateral.isSigned(callsOf(call('DepositVault', 'topUp', [usdc(45)]))), true);
  assert.equal(await collateral.isSigned(callsOf(call('DepositVault', 'topUp', [1n]))), false);
  assert.deepEqual(spentBy(collateral), [0n, usdc(45)]);
});

test('a payment by signature takes no allowance: it counts beside the one of the pool', async () => {
  const actions = { 'approve-usdc-vault': {}, 'x402-payment': {} };
  const wallet = start({ ...open, actions, perDay: { tok: 0n, usdc: usdc(50) } });
  assert.equal(await wallet.isSigned(callsOf(encodeApprove(standard, 'USDC', 'swapRouter', usdc(49)))), true);
  assert.equal(await wallet.isSigned(payment(usdc(2))), false);
  assert.equal(await wallet.isSigned(payment(usdc(1))), true);
  assert.deepEqual(spentBy(wallet), [0n, usdc(50)]);
});

test('repeating an allowance hides no spending, also at the same time', async () => {
  const day = { tok: 3n * fee, usdc: usdc(50) };
  const wallet = start({ ...open, perDay: day });
  const requests = Array.from({ length: 4 }, () => [approve, fund(fee)]).flat();
  const signed = await Promise.all(requests.map((calls) => wallet.isSigned(callsOf(calls))));
  const spent = requests.filter((calls, at) => signed[at] && calls !== approve).length;
  assert.ok(BigInt(spent) * fee <= day.tok, `${spent} payments`);
  const [inTok = 0n] = spentBy(wallet);
  assert.ok(inTok >= BigInt(spent) * fee && inTok <= day.tok, String(inTok));
});
