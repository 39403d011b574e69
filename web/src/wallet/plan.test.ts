// A plan asks for exactly what an action takes, and says what is missing before anything is signed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodePostTask } from '@svc/sdk/chain';
import { parseTok, parseUsdc } from '@svc/sdk/domain';
import { buildPlan, type Needs } from './plan.ts';
import type { Contracts, Purse } from './readPurse.ts';

const address = (digit: string) => `0x${digit.repeat(40)}` as const;

const contracts: Contracts = {
  tokToken: address('1'),
  taskRegistry: address('2'),
  depositVault: address('3'),
  escrowVault: address('4'),
  paymentGateway: address('5'),
  stakingVault: address('6'),
  usdOracle: address('7'),
  pricingPolicy: address('8'),
  taskScopeRegistry: address('2'),
  disputeCourt: address('9'),
  reputationRegistry: address('a'),
  marketLens: address('b'),
  usdc: address('c'),
};

const rich: Purse = {
  ethWei: 10n ** 18n,
  gasPriceWei: 10n ** 9n,
  tokWei: parseTok('100000'),
  usdc: parseUsdc('1000'),
  tokAllowanceWei: 0n,
  usdcAllowance: 0n,
  deposit: { balance: 0n, locked: 0n, engagements: 0 },
  isPaused: false,
  stake: { tokWei: 0n, credits: 0n, rewardsWei: 0n },
  figures: {
    accessFeeTokWei: parseTok('1000'),
    entryUsdc: parseUsdc('25'),
    recommendedUsdc: parseUsdc('45'),
    bondUsdc: parseUsdc('5'),
  },
};

const post: Needs = {
  calls: encodePostTask(contracts, {
    totalAmountTokWei: parseTok('500'),
    deadline: 2_000_000_000,
    reviewPeriod: 86_400,
    criteriaHash: `0x${'00'.repeat(32)}`,
    milestonesTokWei: [],
    uri: '',
    fundNowTokWei: parseTok('500'),
  }),
  tokWei: parseTok('500'),
  hasFee: true,
  hasBond: true,
};

const stepsOf = (purse: Purse, needs = post) =>
  buildPlan(contracts, purse, needs).calls.steps.map(({ summary }) => summary);

test('a newcomer approves exactly fee and escrow, and deposits exactly the entry', () => {
  assert.deepEqual(stepsOf(rich), [
    'Allow the deposit vault to take 25 USDC',
    'Add 25 USDC to your collateral',
    'Allow the payment gateway to take 1500 TOK',
    'Post a task of 500 TOK, with 500 TOK into escrow at once',
  ]);
});

test('what is allowed and deposited already is not asked for again', () => {
  const deposit = { balance: parseUsdc('30'), locked: parseUsdc('25'), engagements: 5 };
  assert.equal(stepsOf({ ...rich, deposit, tokAllowanceWei: parseTok('1500') }).length, 1);
});

test('a deposit above the entry but without a free bond is topped up by what the bond lacks', () => {
  const deposit = { balance: parseUsdc('27'), locked: parseUsdc('25'), engagements: 5 };
  assert.equal(stepsOf({ ...rich, deposit })[1], 'Add 3 USDC to your collateral');
});

test('enough credits pay the fee, one wei less does not', () => {
  const withCredits = (credits: bigint) => ({ ...rich, stake: { ...rich.stake, credits } });
  assert.ok(stepsOf(withCredits(parseTok('1000'))).includes('Allow the payment gateway to take 500 TOK'));
  assert.ok(
    stepsOf(withCredits(parseTok('1000') - 1n)).includes('Allow the payment gateway to take 1500 TOK'),
  );
});

test('every gap is named: TOK, USDC and ETH', () => {
  const { problems } = buildPlan(
    contracts,
    { ...rich, tokWei: parseTok('1499'), usdc: 0n, ethWei: 0n },
    post,
  );
  assert.equal(problems.length, 3);
  assert.match(problems.join(), /1,500 TOK are needed and the wallet has 1,499.*25 USDC.*no ETH/);
  assert.deepEqual(buildPlan(contracts, rich, post).problems, []);
});
