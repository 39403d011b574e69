// Reads the accounts of a market: agents with their reputation, arbitrators, deposits, and everything about one wallet.
import {
  depositVaultAbi,
  disputeCourtAbi,
  reputationRegistryAbi,
  stakingVaultAbi,
  tokTokenAbi,
} from '@svc/contracts/abi';
import type { Address } from '#domain/address.ts';
import { contractCall, type MarketContracts } from './contracts.ts';
import type { Asker } from './rpc.ts';
import { balanceOf } from './rpcRequests.ts';

export type ReputationCounts = {
  readonly posted: number;
  readonly claimed: number;
  readonly completed: number;
  readonly disputesWon: number;
  readonly disputesLost: number;
  readonly left: number;
  readonly dismissed: number;
};

/** `lastActive` is Unix seconds, 0 where nothing was counted yet. */
export type AgentRecord = ReputationCounts & { readonly address: Address; readonly lastActive: number };

export type Reputation = ReputationCounts & {
  readonly score: number;
  /** Unix seconds of the last entry; null where there is none. */
  readonly lastActive: number | null;
};

export type ArbitratorRecord = {
  readonly address: Address;
  readonly bond: bigint;
  readonly minHeld: bigint;
  readonly unbondAt: bigint;
  readonly openCases: number;
  readonly resolved: number;
  readonly missed: number;
};

export type DepositRecord = {
  readonly address: Address;
  readonly balance: bigint;
  readonly locked: bigint;
  readonly engagements: number;
};

/** Records per call: well below the gas limit of nodes for one call. */
const pageSize = 200;

export function readAgents(rpc: Asker, contracts: MarketContracts): Promise<AgentRecord[]> {
  const registry = { address: contracts.reputationRegistry, abi: reputationRegistryAbi };
  return readPages((from) => rpc.ask(contractCall(registry, 'agents', [from, BigInt(pageSize)])));
}

export function readArbitrators(rpc: Asker, contracts: MarketContracts): Promise<ArbitratorRecord[]> {
  const court = { address: contracts.disputeCourt, abi: disputeCourtAbi };
  return readPages((from) => rpc.ask(contractCall(court, 'arbitrators', [from, BigInt(pageSize)])));
}

export async function readDeposits(
  rpc: Asker,
  contracts: MarketContracts,
  agents: readonly Address[],
): Promise<DepositRecord[]> {
  const vault = { address: contracts.depositVault, abi: depositVaultAbi };
  const deposits: DepositRecord[] = [];
  for (let from = 0; from < agents.length; from += pageSize) {
    const part = agents.slice(from, from + pageSize);
    const accounts = await rpc.ask(contractCall(vault, 'accountsOf', [part]));
    deposits.push(...accounts.map((account, at) => ({ address: part[at] as Address, ...account })));
  }
  return deposits;
}

async function readPages<Entry>(
  read: (from: bigint) => Promise<readonly [readonly Address[], readonly Entry[], bigint]>,
): Promise<(Entry & { address: Address })[]> {
  const found: (Entry & { address: Address })[] = [];
  for (;;) {
    const [accounts, records, total] = await read(BigInt(found.length));
    found.push(...records.map((record, at) => ({ address: accounts[at] as Address, ...record })));
    if (accounts.length === 0 || found.length >= total) return found;
  }
}

export async function readReputation(rpc: Asker, registry: Address, agent: Address): Promise<Reputation> {
  const contract = { address: registry, abi: reputationRegistryAbi };
  const [{ lastActive, ...counts }, score] = await rpc.ask(contractCall(contract, 'reputationOf', [agent]));
  return { score: Number(score), ...counts, lastActive: lastActive === 0 ? null : lastActive };
}

/** Amounts in the smallest unit of their token. */
export type WalletState = {
  readonly etherWei: bigint;
  readonly tokWei: bigint;
  readonly usdc: bigint;
  readonly allowances: {
    /** TOK to the payment gateway. */
    readonly tokRouter: bigint;
    readonly usdcVault: bigint;
    readonly usdcGateway: bigint;
  };
  readonly deposit: {
    readonly balance: bigint;
    readonly locked: bigint;
    readonly engagements: number;
    readonly isPaused: boolean;
    /** Whether the wallet can take one more task. */
    readonly canEngage: boolean;
  };
  readonly staking: {
    readonly staked: bigint;
    readonly credits: bigint;
    readonly rewards: bigint;
    readonly stakedAt: number;
  };
  readonly arbitrator: {
    readonly bond: bigint;
    /** When the bond can be withdrawn; 0 without a request. */
    readonly unbondAt: number;
    /** The smallest disputed amount that this arbitrator accepts. */
    readonly minHeld: bigint;
    readonly openCases: number;
    readonly isEligible: boolean;
  };
};

export async function readWallet(
  rpc: Asker,
  contracts: MarketContracts,
  wallet: Address,
): Promise<WalletState> {
  const tok = { address: contracts.tokToken, abi: tokTokenAbi };
  const usdc = { address: contracts.usdc, abi: tokTokenAbi };
  const [etherWei, tokWei, usdcUnits, tokRouter, usdcVault, usdcGateway, account, staker, record] =
    await rpc.askAll([
      balanceOf(wallet),
      contractCall(tok, 'balanceOf', [wallet]),
      contractCall(usdc, 'balanceOf', [wallet]),
      contractCall(tok, 'allowance', [wallet, contracts.paymentGateway]),
      contractCall(usdc, 'allowance', [wallet, contracts.depositVault]),
      contractCall(usdc, 'allowance', [wallet, contracts.paymentGateway]),
      contractCall({ address: contracts.depositVault, abi: depositVaultAbi }, 'accountOf', [wallet]),
      contractCall({ address: contracts.stakingVault, abi: stakingVaultAbi }, 'stakerOf', [wallet]),
      contractCall({ address: contracts.disputeCourt, abi: disputeCourtAbi }, 'arbitratorOf', [wallet]),
    ]);
  const [{ balance, locked, engagements }, isPaused, canEngage] = account;
  const { staked, credits, rewards, stakedAt } = staker;
  const [{ bond, minHeld, unbondAt, openCases }, isEligible] = record;
  return {
    etherWei,
    tokWei,
    usdc: usdcUnits,
    allowances: { tokRouter, usdcVault, usdcGateway },
    deposit: { balance, locked, engagements, isPaused, canEngage },
    staking: { staked, credits, rewards, stakedAt },
    arbitrator: { bond, unbondAt: Number(unbondAt), minHeld, openCases, isEligible },
  };
}
