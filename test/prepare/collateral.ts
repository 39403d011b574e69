// Entering the market and leaving it: collateral, allowances, stakes and plans.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stringToHex } from 'viem';
import { contractAbis } from '#sdk/chain/abis.ts';
import { parseTok, parseUsdc } from '#sdk/domain/amount.ts';
import { createOperator } from '../support/fixtureContract.ts';
import { preparing } from './market.ts';

const day = 86_400;

test('a new wallet gets a list of what it needs, does it, and is ready', async () => {
  const { act, prepare, addressOf, walletOf, access } = preparing;
  const address = addressOf('newcomer');
  const before = await prepare('onboarding', { address });
  assert.equal(before.ready, false);
  const checks = before.checks as { id: string; ok: boolean; fix: string | null; prepare: unknown }[];
  const missing = checks.find(({ id }) => id === 'collateral');
  assert.equal(missing?.fix, `svc prepare top-up --market standard --amount-usdc 45 --from ${address}`);
  const args = { market: 'standard', amountUsdc: '45', from: address };
  assert.deepEqual(missing?.prepare, { action: 'top-up', arguments: args });
  const readWallet: typeof access.reads.readWallet = async (...of) => ({
    ...(await access.reads.readWallet(...of)),
    usdc: parseUsdc('30'),
  });
  const poor = await prepare('onboarding', { address }, { reads: { ...access.reads, readWallet } });
  const affordable = (poor.checks as typeof checks).find(({ id }) => id === 'collateral');
  assert.match(affordable?.fix ?? '', /--amount-usdc 25 /, 'what it can pay is enough to begin');
  await act('approve-usdc-vault', 'newcomer', { amountUsdc: '45' });
  assert.equal((await walletOf('newcomer')).allowances.usdcVault, parseUsdc('45'));
  const { prepared } = await act('top-up', 'newcomer', { amountUsdc: '45' });
  assert.equal((prepared.calls as unknown[]).length, 1, 'what is approved is not approved again');
  const { deposit, allowances } = await walletOf('newcomer');
  assert.equal(deposit.balance, parseUsdc('45'));
  assert.equal(allowances.usdcVault, 0n, 'nothing of an exact approval is left');
  assert.equal((await prepare('onboarding', { address })).ready, true);
});

test('without an amount a deposit is filled to the recommended balance', async () => {
  const { act, walletOf } = preparing;
  const { prepared } = await act('top-up', 'visitor');
  assert.equal((prepared.calls as unknown[]).length, 2);
  assert.equal((await walletOf('visitor')).deposit.balance, parseUsdc('45'));
});

test('free collateral comes back, to the wallet or to another', async () => {
  const { act, walletOf, addressOf } = preparing;
  await act('top-up', 'newcomer', { market: 'micro', amountUsdc: '30' });
  const before = (await walletOf('visitor')).usdc;
  await act('withdraw-deposit', 'newcomer', {
    market: 'micro',
    amountUsdc: '4.5',
    to: addressOf('visitor'),
  });
  assert.equal((await walletOf('visitor')).usdc - before, parseUsdc('4.5'));
  assert.equal((await walletOf('newcomer', 'micro')).deposit.balance, parseUsdc('25.5'));
});

test('a paused agent is lifted exactly to the threshold by anyone', async () => {
  const { act, walletOf, addressOf } = preparing;
  assert.equal((await walletOf('drifter')).deposit.isPaused, true);
  await act('emergency-top-up', 'visitor', { agent: addressOf('drifter') });
  const { deposit } = await walletOf('drifter');
  assert.equal(deposit.isPaused, false);
  assert.equal(deposit.balance, parseUsdc('8'));
});

test('TOK is approved in TOK or in wei, and by the exact amount', async () => {
  const { act, walletOf } = preparing;
  await act('approve-tok-router', 'visitor', { amountTok: '1000' });
  assert.equal((await walletOf('visitor')).allowances.tokRouter, parseTok('1000'));
  await act('approve-tok-router', 'visitor', { amountTokWei: '7' });
  assert.equal((await walletOf('visitor')).allowances.tokRouter, 7n);
});

test('stake goes in, earns, and comes out again', async () => {
  const { act, walletOf, advance } = preparing;
  await act('stake', 'newcomer', { market: 'micro', amountTok: '10000' });
  assert.equal((await walletOf('newcomer', 'micro')).staking.staked, parseTok('10000'));
  await advance(day);
  const { rewards } = (await walletOf('newcomer', 'micro')).staking;
  await act('claim-reward', 'newcomer', { market: 'micro' });
  const after = (await walletOf('newcomer', 'micro')).staking;
  assert.ok(rewards > 0n && after.rewards < rewards, `${rewards} ${after.rewards}`);
  await act('unstake', 'newcomer', { market: 'micro' });
  assert.equal((await walletOf('newcomer', 'micro')).staking.staked, 0n);
});

test('a plan is bought in either currency for exactly its price', async () => {
  const { act, walletOf } = preparing;
  const before = await walletOf('newcomer');
  await act('buy-plan', 'newcomer', { tier: 'basic' });
  const inTok = await walletOf('newcomer');
  assert.equal(before.tokWei - inTok.tokWei, parseTok('3600'), '20 USDC less 10 % at 0.005');
  await act('buy-plan', 'newcomer', { tier: 'premium', payWith: 'usdc' });
  const inUsdc = await walletOf('newcomer');
  assert.equal(inTok.usdc - inUsdc.usdc, parseUsdc('60'));
  assert.deepEqual([inUsdc.allowances.tokRouter, inUsdc.allowances.usdcGateway], [0n, 0n]);
});

test('a plan for one unit and one for half of all that a wallet has cost what is declared', async () => {
  const { act, access, devnet, walletOf } = preparing;
  const { pricingPolicy } = access.contracts.standard;
  const operator = createOperator(devnet.rpcUrl);
  const { tokWei, usdc } = await walletOf('archive');
  const worth = (tokWei * 5_000n) / 10n ** 18n;
  assert.ok(worth > parseUsdc('50') && usdc > parseUsdc('50'), `${worth} ${usdc}`);
  for (const [payWith, price] of [
    ['usdc', 1n],
    ['tok', 1n],
    ['usdc', usdc / 2n - 1n],
    ['tok', worth / 2n - 1n],
  ] as const) {
    const terms = [stringToHex('odd', { size: 32 }), 7, price, 0, true];
    await operator.call(pricingPolicy, contractAbis.pricingPolicy, 'setPlan', terms);
    await act('buy-plan', 'archive', { tier: 'odd', payWith });
  }
});
