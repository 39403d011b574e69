// The standard market of a chain, and people with money and a deposit on it.
import { parseEther, parseUnits } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { depositVaultAbi } from '#contracts/generated/abi/depositVault.ts';
import { disputeCourtAbi } from '#contracts/generated/abi/disputeCourt.ts';
import { paymentGatewayAbi } from '#contracts/generated/abi/paymentGateway.ts';
import { postedPriceFeedAbi } from '#contracts/generated/abi/postedPriceFeed.ts';
import { stakingVaultAbi } from '#contracts/generated/abi/stakingVault.ts';
import { taskRegistryAbi } from '#contracts/generated/abi/taskRegistry.ts';
import { testUsdcAbi } from '#contracts/generated/abi/testUsdc.ts';
import { tokTokenAbi } from '#contracts/generated/abi/tokToken.ts';
import { type Chain, type Contract, createChain, walletOf } from './chain.ts';

export type Wallet = PrivateKeyAccount;

export type Market = {
  readonly chain: Chain;
  readonly people: typeof people;
  readonly tok: Contract;
  readonly usdc: Contract;
  readonly feed: Contract;
  readonly gateway: Contract;
  readonly deposits: Contract;
  readonly registry: Contract;
  readonly court: Contract;
  readonly staking: Contract;
};

const people = {
  operator: walletOf('operator'),
  publisher: walletOf('publisher'),
  poster: walletOf('press'),
  worker: walletOf('coder'),
  arbitrator: walletOf('umpire'),
  staker: walletOf('newcomer'),
};

/** 0.005 USD per TOK. */
export const priceE8 = 500_000n;
export const day = 86_400;

export async function createMarket(): Promise<Market> {
  const chain = await createChain(priceE8);
  const { tokToken, usdc, priceFeed, markets } = chain.deployment;
  const { paymentGateway, depositVault, taskRegistry, disputeCourt, stakingVault } = markets.standard;
  const market: Market = {
    chain,
    people,
    tok: { address: tokToken, abi: tokTokenAbi },
    usdc: { address: usdc, abi: testUsdcAbi },
    feed: { address: priceFeed, abi: postedPriceFeedAbi },
    gateway: { address: paymentGateway, abi: paymentGatewayAbi },
    deposits: { address: depositVault, abi: depositVaultAbi },
    registry: { address: taskRegistry, abi: taskRegistryAbi },
    court: { address: disputeCourt, abi: disputeCourtAbi },
    staking: { address: stakingVault, abi: stakingVaultAbi },
  };
  for (const name of ['poster', 'worker', 'arbitrator', 'staker'] as const) await equip(market, people[name]);
  return market;
}

async function equip({ chain, tok, usdc, deposits }: Market, wallet: Wallet) {
  const { operator } = people;
  const [wealth, savings, deposit] = [parseEther('10000000'), parseUnits('10000', 6), parseUnits('1000', 6)];
  await chain.send({ from: operator, to: tok, name: 'transfer', args: [wallet.address, wealth] });
  await chain.send({ from: operator, to: usdc, name: 'mint', args: [wallet.address, savings] });
  await chain.send({ from: wallet, to: usdc, name: 'approve', args: [deposits.address, deposit] });
  await chain.send({ from: wallet, to: deposits, name: 'topUp', args: [deposit] });
}
