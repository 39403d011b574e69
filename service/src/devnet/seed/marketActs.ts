// Turns what the story says of people apart from tasks into transactions.

import {
  depositVaultAbi,
  disputeCourtAbi,
  paymentGatewayAbi,
  stakingVaultAbi,
  testUsdcAbi,
  tokTokenAbi,
} from '@svc/contracts/abi';
import type { Deployment } from '@svc/sdk/chain';
import { currencies, indexOf, type Market, markets, parseUsdc } from '@svc/sdk/domain';
import { maxUint96, maxUint256, stringToHex } from 'viem';
import { type AccountName, accountOf } from '../accounts.ts';
import { type Purse, purses } from '../story/people.ts';
import type { MarketDeed } from '../story/script.ts';
import { tok } from './scene.ts';
import { type Act, buildAct } from './stage.ts';

export function buildMarketAct(
  deployment: Deployment,
  market: Market,
  who: AccountName,
  deed: MarketDeed,
): Act {
  const by = accountOf(who).address;
  const contracts = deployment.markets[market];
  const deposits = { address: contracts.depositVault, abi: depositVaultAbi };
  const staking = { address: contracts.stakingVault, abi: stakingVaultAbi };
  const court = { address: contracts.disputeCourt, abi: disputeCourtAbi };
  const gateway = { address: contracts.paymentGateway, abi: paymentGatewayAbi };
  switch (deed[0]) {
    case 'deposit':
      return buildAct(by, deposits, 'topUp', [usdc(deed[1])]);
    case 'withdraw':
      return buildAct(by, deposits, 'withdraw', [usdc(deed[1]), by]);
    case 'stake':
      return buildAct(by, staking, 'stake', [tok(deed[1])]);
    case 'unstake':
      return buildAct(by, staking, 'unstake', [tok(deed[1])]);
    case 'claimReward':
      return buildAct(by, staking, 'claimReward', []);
    case 'bond':
      return buildAct(by, court, 'registerArbitrator', [tok(deed[1]), tok(deed[2])]);
    case 'requestUnbond':
      return buildAct(by, court, 'requestUnbond', []);
    case 'buyPlan': {
      const tier = stringToHex(deed[1], { size: 32 });
      return buildAct(by, gateway, 'purchasePlan', [tier, indexOf(currencies, deed[2]), maxUint256]);
    }
  }
}

/** TOK and USDC for everybody. */
export function buildPurses({ tokToken, usdc: usdcToken }: Deployment): Act[] {
  const operator = accountOf('operator').address;
  return ownersOf(purses).flatMap(([name, purse]) => {
    const to = accountOf(name).address;
    return [
      buildAct(operator, { address: tokToken, abi: tokTokenAbi }, 'transfer', [to, tok(purse.tok)]),
      buildAct(operator, { address: usdcToken, abi: testUsdcAbi }, 'mint', [to, usdc(purse.usdc)]),
    ];
  });
}

/** The allowances and the collateral of those who take part; the two without a history set their own. */
export function buildEntries(deployment: Deployment): Act[] {
  const parties = ownersOf(purses).filter(([name]) => name !== 'newcomer' && name !== 'visitor');
  return parties.flatMap(([name, purse]) => [
    ...buildAllowances(deployment, name),
    ...markets.flatMap((market) => {
      const amount = purse.deposits[market];
      return amount === undefined ? [] : [buildMarketAct(deployment, market, name, ['deposit', amount])];
    }),
  ]);
}

function ownersOf(table: typeof purses): [AccountName, Purse][] {
  return Object.entries(table) as [AccountName, Purse][];
}

function buildAllowances(deployment: Deployment, name: AccountName): Act[] {
  const by = accountOf(name).address;
  const tokToken = { address: deployment.tokToken, abi: tokTokenAbi };
  const usdcToken = { address: deployment.usdc, abi: testUsdcAbi };
  return markets.flatMap((market) => {
    const { paymentGateway, depositVault } = deployment.markets[market];
    return [
      buildAct(by, tokToken, 'approve', [paymentGateway, maxUint96]),
      buildAct(by, usdcToken, 'approve', [paymentGateway, maxUint96]),
      buildAct(by, usdcToken, 'approve', [depositVault, maxUint96]),
    ];
  });
}

function usdc(amount: number): bigint {
  return parseUsdc(String(amount));
}
