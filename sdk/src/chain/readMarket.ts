// Reads what is not about single tasks: plans, prices and the Union vault of a market.

import { pricingPolicyAbi, stakingVaultAbi, usdOracleAbi } from '@svc/contracts/abi';
import { decodeFunctionResult, encodeFunctionData } from 'viem';
import type { Market } from '#domain/market.ts';
import type { PostingPlan } from '#domain/posting.ts';
import { decodeTier } from '#domain/postingProof.ts';
import type { Deployment } from './deployment.ts';
import type { Rpc } from './rpc.ts';

export type UnionOverview = {
  readonly stakingActive: boolean;
  readonly totalStaked: bigint;
  readonly creditsIssued: bigint;
  readonly creditsRemaining: bigint;
  readonly creditIssuanceClosed: boolean;
  readonly rewardReserve: bigint;
};

/** All plans in the order they were set, those that are no longer on sale included. */
export async function readPlans(rpc: Rpc, deployment: Deployment, market: Market): Promise<PostingPlan[]> {
  const data = encodeFunctionData({ abi: pricingPolicyAbi, functionName: 'getPlans' });
  const answer = await rpc.callLatest({ to: deployment.markets[market].pricingPolicy, data });
  const [ids, table] = decodeFunctionResult({
    abi: pricingPolicyAbi,
    functionName: 'getPlans',
    data: answer,
  });
  return ids.flatMap((id, index) => {
    const plan = table[index];
    if (plan === undefined) return [];
    return [
      {
        id: decodeTier(id),
        dailyLimit: plan.dailyLimit,
        priceUsdcUnits: plan.priceUsdc,
        tokDiscountBps: plan.tokDiscountBps,
        isOnSale: plan.active,
      },
    ];
  });
}

export async function readUnion(rpc: Rpc, deployment: Deployment, market: Market): Promise<UnionOverview> {
  const data = encodeFunctionData({ abi: stakingVaultAbi, functionName: 'overview' });
  const answer = await rpc.callLatest({ to: deployment.markets[market].stakingVault, data });
  const [stakingActive, totalStaked, creditsIssued, creditsRemaining, creditIssuanceClosed, rewardReserve] =
    decodeFunctionResult({ abi: stakingVaultAbi, functionName: 'overview', data: answer });
  return { stakingActive, totalStaked, creditsIssued, creditsRemaining, creditIssuanceClosed, rewardReserve };
}

export type OraclePrice = { readonly priceE8: bigint; readonly updatedAt: number };

/** USD for one TOK; null where the oracle says that none may be used. */
export async function readPrice(rpc: Rpc, deployment: Deployment): Promise<OraclePrice | null> {
  const data = encodeFunctionData({ abi: usdOracleAbi, functionName: 'tryPrice' });
  const answer = await rpc.callLatest({ to: deployment.usdOracle, data });
  const [isGood, priceE8, updatedAt] = decodeFunctionResult({
    abi: usdOracleAbi,
    functionName: 'tryPrice',
    data: answer,
  });
  return isGood ? { priceE8, updatedAt: Number(updatedAt) } : null;
}
