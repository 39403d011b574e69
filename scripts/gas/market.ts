// A fresh chain in this process with the standard market and funded wallets on it. Each transaction uses the same gas
// in every run.
import {
  type Abi,
  type Address,
  createPublicClient,
  createWalletClient,
  custom,
  type Hex,
  parseEther,
  parseUnits,
} from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { privateKeyToAccount } from 'viem/accounts';
import { depositVaultAbi } from '#contracts/generated/abi/depositVault.ts';
import { disputeCourtAbi } from '#contracts/generated/abi/disputeCourt.ts';
import { paymentGatewayAbi } from '#contracts/generated/abi/paymentGateway.ts';
import { postedPriceFeedAbi } from '#contracts/generated/abi/postedPriceFeed.ts';
import { stakingVaultAbi } from '#contracts/generated/abi/stakingVault.ts';
import { taskRegistryAbi } from '#contracts/generated/abi/taskRegistry.ts';
import { testUsdcAbi } from '#contracts/generated/abi/testUsdc.ts';
import { tokTokenAbi } from '#contracts/generated/abi/tokToken.ts';
import type { Deployment } from '#sdk/chain/deployment.ts';
import { tokSupplyWei } from '#sdk/domain/parameters.ts';
import { deployMarkets } from '#service/deploy/deployMarkets.ts';
import { type AccountName, accountOf, accounts } from '#service/devnet/accounts.ts';
import { placeCanonicalContracts, usdcAddress } from '#service/devnet/canonical.ts';
import { createEvm } from '#service/devnet/evm.ts';

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
  fallback: walletOf('fallback'),
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

export type Contract = { readonly address: Address; readonly abi: Abi };

export type Transaction = {
  readonly from: PrivateKeyAccount;
  readonly to: Contract;
  readonly name: string;
  readonly args: readonly unknown[];
};

export type Chain = {
  readonly deployment: Deployment;
  /** Answers the gas of the whole transaction. */
  send(transaction: Transaction): Promise<number>;
  read<Result>(from: Contract, name: string, args: readonly unknown[]): Promise<Result>;
  now(): number;
  skip(seconds: number): void;
  /** Runs something and then takes the chain back to where it was. */
  aside<Result>(run: () => Promise<Result>): Promise<Result>;
};

const chainId = 8_453;
const genesisTime = 1_780_000_000;
const hour = 3_600;
// More than any transaction here needs; a fixed limit spares an estimate, which would run each of them twice.
const gasLimit = 8_000_000n;

/** A key of the embedded chain that its EVM knows, too. */
export function walletOf(name: AccountName): PrivateKeyAccount {
  return privateKeyToAccount(accountOf(name).privateKey);
}

/** @param priceE8 USD per TOK with 8 decimals */
export async function createChain(priceE8: bigint): Promise<Chain> {
  const evm = await createEvm({ chainId, genesisTime, accounts });
  const transport = custom(evm);
  const reader = createPublicClient({ transport, cacheTime: 0 });
  const writer = createWalletClient({ transport });
  await placeCanonicalContracts(evm);
  const operator = walletOf('operator');
  const deployment = await deployMarkets({
    rpc: {
      publicClient: reader,
      walletClient: createWalletClient({ transport, account: operator }),
    },
    usdc: usdcAddress,
    roles: {
      owner: operator.address,
      treasury: walletOf('treasury').address,
      fallbackArbitrator: walletOf('fallback').address,
      publisher: walletOf('publisher').address,
    },
    tokHolder: operator.address,
    tokSupply: tokSupplyWei,
    priceE8,
    activateStaking: true,
  });
  // The deployment ran on the wall clock. From here on each block has its own second, so that timestamps in calldata,
  // and with them gas, are those of every other run.
  let clock = genesisTime + hour;

  return {
    deployment,
    async send({ from, to, name, args }) {
      clock += 1;
      await evm.request({ method: 'evm_setNextBlockTimestamp', params: [clock] });
      const hash: Hex = await writer.writeContract({
        ...to,
        account: from.address,
        chain: null,
        functionName: name,
        args,
        gas: gasLimit,
      });
      const { status, gasUsed } = await reader.getTransactionReceipt({ hash });
      if (status !== 'success') throw new Error(`${name} reverted.`);
      return Number(gasUsed);
    },
    read: (from, functionName, args) =>
      reader.readContract({ ...from, functionName, args }) as Promise<never>,
    now: () => clock,
    skip(seconds) {
      clock += seconds;
    },
    async aside(run) {
      const before = clock;
      const snapshot = await evm.request({ method: 'evm_snapshot' });
      const result = await run();
      await evm.request({ method: 'evm_revert', params: [snapshot] });
      clock = before;
      return result;
    },
  };
}
