// Reads everybody a market remembers: agents with their reputation, arbitrators with their bonds, deposits.

import { depositVaultAbi, disputeCourtAbi, reputationRegistryAbi } from '@svc/contracts/abi';
import type { Address } from '#domain/address.ts';
import type { AgentRecord } from '#domain/reputation.ts';
import { contractCall } from './contractCall.ts';
import type { MarketContracts } from './contracts.ts';
import type { Rpc } from './rpc.ts';

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

/** As many as one call answers well below the gas that nodes give it. */
const pageSize = 200;

export function readAgents(rpc: Rpc, contracts: MarketContracts): Promise<AgentRecord[]> {
  const registry = { address: contracts.reputationRegistry, abi: reputationRegistryAbi };
  return readPages((from) => rpc.ask(contractCall(registry, 'agents', [from, BigInt(pageSize)])));
}

export function readArbitrators(rpc: Rpc, contracts: MarketContracts): Promise<ArbitratorRecord[]> {
  const court = { address: contracts.disputeCourt, abi: disputeCourtAbi };
  return readPages((from) => rpc.ask(contractCall(court, 'arbitrators', [from, BigInt(pageSize)])));
}

export async function readDeposits(
  rpc: Rpc,
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
