// Reads what a market asks of everybody: fees, collateral, bounds, and whether it is open.

import { disputeCourtAbi, pricingPolicyAbi, taskRegistryAbi } from '@svc/contracts/abi';
import { type Hex, stringToHex } from 'viem';
import type { Address } from '#domain/address.ts';
import { contractCall } from './contractCall.ts';
import type { MarketContracts } from './contracts.ts';
import type { Asker } from './rpc.ts';

export type MarketFigures = {
  readonly accessFeeTokWei: bigint;
  readonly entryUsdc: bigint;
  readonly recommendedUsdc: bigint;
  readonly pauseUsdc: bigint;
  readonly bondUsdc: bigint;
  readonly minTotalTokWei: bigint;
  readonly arbitratorMinBondTokWei: bigint;
  readonly entriesPaused: boolean;
  readonly taskCount: bigint;
};

export async function readFigures(rpc: Asker, contracts: MarketContracts): Promise<MarketFigures> {
  const policy = { address: contracts.pricingPolicy, abi: pricingPolicyAbi };
  const registry = { address: contracts.taskRegistry, abi: taskRegistryAbi };
  const court = { address: contracts.disputeCourt, abi: disputeCourtAbi };
  const [fee, entry, recommended, pause, bond, minTotal, minBond, entriesPaused, taskCount] =
    await rpc.askAll([
      contractCall(policy, 'accessFee', []),
      contractCall(policy, 'entryUsdc', []),
      contractCall(policy, 'recommendedUsdc', []),
      contractCall(policy, 'pauseUsdc', []),
      contractCall(policy, 'bondUsdc', []),
      contractCall(registry, 'minTotal', []),
      contractCall(court, 'minBond', []),
      contractCall(registry, 'entriesPaused', []),
      contractCall(registry, 'taskCount', []),
    ]);
  return {
    accessFeeTokWei: fee,
    entryUsdc: entry,
    recommendedUsdc: recommended,
    pauseUsdc: pause,
    bondUsdc: bond,
    minTotalTokWei: minTotal,
    arbitratorMinBondTokWei: minBond,
    entriesPaused,
    taskCount,
  };
}

/** What `worker` accepts by claiming the open task now. */
export function readOpenDigest(
  rpc: Asker,
  contracts: MarketContracts,
  number: bigint,
  worker: Address,
): Promise<Hex> {
  const registry = { address: contracts.taskRegistry, abi: taskRegistryAbi };
  return rpc.ask(contractCall(registry, 'openDigest', [number, worker]));
}

export type PlanQuote = {
  readonly listUsdc: bigint;
  /** 0 where TOK is not allowed. */
  readonly tokAmountWei: bigint;
  readonly isTokAllowed: boolean;
};

/** Throws what the contract reverts with where there is no such plan. */
export async function readQuote(rpc: Asker, contracts: MarketContracts, tier: string): Promise<PlanQuote> {
  const policy = { address: contracts.pricingPolicy, abi: pricingPolicyAbi };
  const id = stringToHex(tier, { size: 32 });
  const [listUsdc, , , tokAmountWei, isTokAllowed] = await rpc.ask(contractCall(policy, 'quote', [id]));
  return { listUsdc, tokAmountWei, isTokAllowed };
}
