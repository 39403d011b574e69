// Transactions of accounts apart from tasks: start balances, allowances, collateral, stakes, bonds and plans.
import {
  depositVaultAbi,
  disputeCourtAbi,
  paymentGatewayAbi,
  stakingVaultAbi,
  testUsdcAbi,
  tokTokenAbi,
} from '@svc/contracts/abi';
import type { Deployment } from '@svc/sdk/chain';
import { type Address, type Market, markets, parseTok, parseUsdc } from '@svc/sdk/domain';
import { currencies, indexOf } from '@svc/sdk/internal/domain/state';
import { maxUint96, maxUint256, stringToHex } from 'viem';
import { type AccountName, accountOf } from '../accounts.ts';
import { buildTransaction, type DevTransaction } from '../transactions.ts';
import { type AccountStep, startBalances } from './story.ts';

export function buildAccountStep(
  deployment: Deployment,
  market: Market,
  account: AccountName,
  step: AccountStep,
): DevTransaction {
  const from = accountOf(account).address;
  const contracts = deployment.markets[market];
  const deposits = { address: contracts.depositVault, abi: depositVaultAbi };
  const staking = { address: contracts.stakingVault, abi: stakingVaultAbi };
  const court = { address: contracts.disputeCourt, abi: disputeCourtAbi };
  const gateway = { address: contracts.paymentGateway, abi: paymentGatewayAbi };
  switch (step[0]) {
    case 'deposit':
      return buildTransaction(from, deposits, 'topUp', [usdc(step[1])]);
    case 'withdraw':
      return buildTransaction(from, deposits, 'withdraw', [usdc(step[1]), from]);
    case 'stake':
      return buildTransaction(from, staking, 'stake', [tok(step[1])]);
    case 'unstake':
      return buildTransaction(from, staking, 'unstake', [tok(step[1])]);
    case 'claimReward':
      return buildTransaction(from, staking, 'claimReward', []);
    case 'bond':
      return buildTransaction(from, court, 'registerArbitrator', [tok(step[1]), tok(step[2])]);
    case 'requestUnbond':
      return buildTransaction(from, court, 'requestUnbond', []);
    case 'buyPlan': {
      const tier = stringToHex(step[1], { size: 32 });
      return buildTransaction(from, gateway, 'purchasePlan', [
        tier,
        indexOf(currencies, step[2]),
        maxUint256,
        0,
        0,
      ]);
    }
  }
}

/** Gives every account its TOK and USDC. */
export function buildStartBalances(deployment: Deployment): DevTransaction[] {
  return startBalances.flatMap(([name, balance]) =>
    buildBalance(deployment, accountOf(name).address, balance),
  );
}

/** Enough to post, claim and dispute a few tasks. */
const visitorBalance = { tok: 20_000, usdc: 200 };

/** Gives a visitor's wallet TOK and USDC. */
export function buildVisitorBalances(deployment: Deployment, to: Address): DevTransaction[] {
  return buildBalance(deployment, to, visitorBalance);
}

function buildBalance(
  { tokToken, usdc: usdcToken }: Deployment,
  to: Address,
  balance: { readonly tok: number; readonly usdc: number },
): DevTransaction[] {
  const operator = accountOf('operator').address;
  return [
    buildTransaction(operator, { address: tokToken, abi: tokTokenAbi }, 'transfer', [to, tok(balance.tok)]),
    buildTransaction(operator, { address: usdcToken, abi: testUsdcAbi }, 'mint', [to, usdc(balance.usdc)]),
  ];
}

/** Allowances and collateral of everyone but `newcomer` and `visitor`, which start without a history. */
export function buildEntries(deployment: Deployment): DevTransaction[] {
  const participants = startBalances.filter(([name]) => name !== 'newcomer' && name !== 'visitor');
  return participants.flatMap(([name, { deposits }]) => [
    ...buildAllowances(deployment, name),
    ...markets.flatMap((market) => {
      const amount = deposits[market];
      return amount === undefined ? [] : [buildAccountStep(deployment, market, name, ['deposit', amount])];
    }),
  ]);
}

function buildAllowances(deployment: Deployment, name: AccountName): DevTransaction[] {
  const from = accountOf(name).address;
  const tokToken = { address: deployment.tokToken, abi: tokTokenAbi };
  const usdcToken = { address: deployment.usdc, abi: testUsdcAbi };
  return markets.flatMap((market) => {
    const { paymentGateway, depositVault } = deployment.markets[market];
    return [
      buildTransaction(from, tokToken, 'approve', [paymentGateway, maxUint96]),
      buildTransaction(from, usdcToken, 'approve', [paymentGateway, maxUint96]),
      buildTransaction(from, usdcToken, 'approve', [depositVault, maxUint96]),
    ];
  });
}

function tok(amount: number): bigint {
  return parseTok(String(amount));
}

function usdc(amount: number): bigint {
  return parseUsdc(String(amount));
}
