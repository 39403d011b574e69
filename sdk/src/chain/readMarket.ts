// Reads a market as a whole: fees, collateral, bounds, plans, prices and the Union vault.
import {
  disputeCourtAbi,
  postedPriceFeedAbi,
  pricingPolicyAbi,
  stakingVaultAbi,
  taskRegistryAbi,
  usdOracleAbi,
} from '@svc/contracts/abi';
import { type Hex, stringToHex } from 'viem';
import type { Address } from '#domain/address.ts';
import type { Market } from '#domain/market.ts';
import { decodeTier, type PostingPlan } from '#domain/posting.ts';
import { contractCall, type MarketContracts } from './contracts.ts';
import type { Deployment } from './deployment.ts';
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
  const [
    accessFeeTokWei,
    entryUsdc,
    recommendedUsdc,
    pauseUsdc,
    bondUsdc,
    minTotalTokWei,
    arbitratorMinBondTokWei,
    entriesPaused,
    taskCount,
  ] = await rpc.askAll([
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
    accessFeeTokWei,
    entryUsdc,
    recommendedUsdc,
    pauseUsdc,
    bondUsdc,
    minTotalTokWei,
    arbitratorMinBondTokWei,
    entriesPaused,
    taskCount,
  };
}

/** The digest that `worker` accepts by claiming the open task now. */
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
  /** Posts a day, and for how many days. */
  readonly dailyLimit: number;
  readonly periodDays: number;
};

/** Throws CHAIN_REFUSED where there is no such plan. */
export async function readQuote(rpc: Asker, contracts: MarketContracts, tier: string): Promise<PlanQuote> {
  const policy = { address: contracts.pricingPolicy, abi: pricingPolicyAbi };
  const id = stringToHex(tier, { size: 32 });
  const [[listUsdc, , , tokAmountWei, isTokAllowed], { dailyLimit }, periodDays] = await rpc.askAll([
    contractCall(policy, 'quote', [id]),
    contractCall(policy, 'planOf', [id]),
    contractCall(policy, 'PERIOD_DAYS', []),
  ]);
  return { listUsdc, tokAmountWei, isTokAllowed, dailyLimit, periodDays };
}

/** All plans in the order they were set, including those no longer on sale. */
export async function readPlans(rpc: Asker, deployment: Deployment, market: Market): Promise<PostingPlan[]> {
  const policy = { address: deployment.markets[market].pricingPolicy, abi: pricingPolicyAbi };
  const [ids, plans] = await rpc.ask(contractCall(policy, 'getPlans', []));
  return plans.map((plan, at) => ({
    id: decodeTier(ids[at] as Hex),
    dailyLimit: plan.dailyLimit,
    priceUsdcUnits: plan.priceUsdc,
    tokDiscountBps: plan.tokDiscountBps,
    isOnSale: plan.active,
  }));
}

export type UnionOverview = {
  readonly stakingActive: boolean;
  readonly totalStaked: bigint;
  readonly creditsIssued: bigint;
  readonly creditsRemaining: bigint;
  readonly creditIssuanceClosed: boolean;
  readonly rewardReserve: bigint;
};

export async function readUnion(rpc: Asker, deployment: Deployment, market: Market): Promise<UnionOverview> {
  const vault = { address: deployment.markets[market].stakingVault, abi: stakingVaultAbi };
  const [stakingActive, totalStaked, creditsIssued, creditsRemaining, creditIssuanceClosed, rewardReserve] =
    await rpc.ask(contractCall(vault, 'overview', []));
  return { stakingActive, totalStaked, creditsIssued, creditsRemaining, creditIssuanceClosed, rewardReserve };
}

export type OraclePrice = { readonly priceE8: bigint; readonly updatedAt: number };

/** USD for one TOK; null while the oracle has no valid price. */
export async function readPrice(rpc: Asker, deployment: Deployment): Promise<OraclePrice | null> {
  const oracle = { address: deployment.usdOracle, abi: usdOracleAbi };
  const [isValid, priceE8, updatedAt] = await rpc.ask(contractCall(oracle, 'tryPrice', []));
  return isValid ? { priceE8, updatedAt: Number(updatedAt) } : null;
}

/** The newest published price, however old; null where none is within the oracle's bounds. */
export async function readLastPrice(rpc: Asker, deployment: Deployment): Promise<OraclePrice | null> {
  const feed = { address: deployment.priceFeed, abi: postedPriceFeedAbi };
  const [, answer, , updatedAt] = await rpc.ask(contractCall(feed, 'latestRoundData', []));
  const { minPriceE8, maxPriceE8 } = deployment.oracle;
  const isInBounds = answer >= minPriceE8 && answer <= maxPriceE8;
  return isInBounds ? { priceE8: answer, updatedAt: Number(updatedAt) } : null;
}
