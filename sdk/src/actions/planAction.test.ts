// A plan asks for exactly what an action takes, and lists what the wallet lacks before anything is signed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MarketContracts } from '../chain/contracts.ts';
import type { WalletState } from '../chain/readAgents.ts';
import { parseTok, parseUsdc } from '../domain/amount.ts';
import { marketParameters } from '../domain/parameters.ts';
import { planAction } from './planAction.ts';
import { postTask } from './postTask.ts';
import { parseArguments } from './prepareAction.ts';
import type { ActionReads } from './reads.ts';

const address = (digit: string) => `0x${digit.repeat(40)}` as const;

const contracts = {
  tokToken: address('1'),
  taskRegistry: address('2'),
  depositVault: address('3'),
  paymentGateway: address('5'),
  usdc: address('c'),
} as MarketContracts;

const rich = {
  etherWei: 10n ** 18n,
  tokWei: parseTok('100000'),
  usdc: parseUsdc('1000'),
  allowances: { tokRouter: 0n, usdcVault: 0n, usdcGateway: 0n },
  deposit: { balance: 0n, locked: 0n, engagements: 0, isPaused: false, canEngage: false },
  staking: { staked: 0n, credits: 0n, rewards: 0n, stakedAt: 0 },
} as WalletState;

async function planPost(wallet: WalletState) {
  const reads = {
    readNow: async () => 1_900_000_000,
    readWallet: async () => wallet,
    readFigures: async () => marketParameters.standard,
    readTokPrice: async () => null,
  } as unknown as ActionReads;
  const args = {
    from: address('a'),
    title: 'Birds',
    criteria: 'All of them.',
    totalAmountTok: '500',
    deadline: '+7d',
    fundNowTok: '500',
  };
  const context = { chainId: 1, market: 'standard', contracts, reads, readQuota: async () => null } as const;
  const plan = await planAction(
    postTask,
    parseArguments(postTask, args),
    { ...context, from: address('a') },
    { coversCollateral: true },
  );
  return 'calls' in plan ? plan : assert.fail('it plans calls');
}

const stepsOf = async (wallet: WalletState) => (await planPost(wallet)).steps.map(({ summary }) => summary);
const withDeposit = (balance: string, locked: string): WalletState => ({
  ...rich,
  deposit: { ...rich.deposit, balance: parseUsdc(balance), locked: parseUsdc(locked), engagements: 5 },
});

test('a newcomer approves exactly fee and escrow, and deposits exactly the entry', async () => {
  assert.deepEqual(await stepsOf(rich), [
    'Allow the deposit vault to take 25 USDC',
    'Add 25 USDC to your collateral',
    'Allow the payment gateway to take 1500 TOK',
    'Post a task of 500 TOK, with 500 TOK into escrow at once',
  ]);
});

test('what is approved and deposited already is not asked for again', async () => {
  const allowances = { ...rich.allowances, tokRouter: parseTok('1500') };
  assert.equal((await stepsOf({ ...withDeposit('30', '25'), allowances })).length, 1);
});

test('a deposit above the entry but without a free bond is topped up by what the bond lacks', async () => {
  assert.equal((await stepsOf(withDeposit('27', '25')))[1], 'Add 3 USDC to your collateral');
});

test('enough credits pay the fee, one wei less does not', async () => {
  const withCredits = (credits: bigint) => ({ ...rich, staking: { ...rich.staking, credits } });
  const enough = await stepsOf(withCredits(parseTok('1000')));
  assert.ok(enough.includes('Allow the payment gateway to take 500 TOK'));
  const tooFew = await stepsOf(withCredits(parseTok('1000') - 1n));
  assert.ok(tooFew.includes('Allow the payment gateway to take 1500 TOK'));
});

test('every gap is listed: TOK, USDC and ETH', async () => {
  const { gaps } = await planPost({ ...rich, tokWei: parseTok('1499'), usdc: 0n, etherWei: 0n });
  assert.deepEqual(gaps, [
    { token: 'TOK', needed: parseTok('1500'), has: parseTok('1499') },
    { token: 'USDC', needed: parseUsdc('25'), has: 0n },
    { token: 'ETH', needed: 1n, has: 0n },
  ]);
  assert.deepEqual((await planPost(rich)).gaps, []);
});
