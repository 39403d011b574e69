// Reads a market as a whole: fees, collateral, bounds, plans, prices and the Union vault.
import type { Hex } from 'viem';
import type { Market } from '../domain/market.ts';
import { decodeTier, encodeTier, type PostingPlan } from '../domain/posting.ts';
import type { TaskTerms } from '../domain/terms.ts';
import { type MarketContracts, marketCall } from './contracts.ts';
import type { Deployment } from './deployment.ts';
import { type Asker, askNamed } from './rpc.ts';
import { safeBlock } from './rpcRequests.ts';

export function readFigures(rpc: Asker, contracts: MarketContracts) {
  return askNamed(rpc, {
    accessFeeTokWei: marketCall(contracts, 'pricingPolicy', 'accessFee', []),
    entryUsdc: marketCall(contracts, 'pricingPolicy', 'entryUsdc', []),
    recommendedUsdc: marketCall(contracts, 'pricingPolicy', 'recommendedUsdc', []),
    pauseUsdc: marketCall(contracts, 'pricingPolicy', 'pauseUsdc', []),
    bondUsdc: marketCall(contracts, 'pricingPolicy', 'bondUsdc', []),
    minTotalTokWei: marketCall(contracts, 'taskRegistry', 'minTotal', []),
    arbitratorMinBondTokWei: marketCall(contracts, 'disputeCourt', 'minBond', []),
    entriesPaused: marketCall(contracts, 'taskRegistry', 'entriesPaused', []),
    taskCount: marketCall(contracts, 'taskRegistry', 'taskCount', []),
  });
}

export type MarketFigures = Readonly<Awaited<ReturnType<typeof readFigures>>>;

/** What names signed terms at their registry. */
export type SignedTerms = Pick<TaskTerms, 'poster' | 'worker' | 'salt'> & {
  readonly digest: Hex;
  /** Unix seconds. */
  readonly acceptBy: number;
};

/**
 * What became of signed terms, by a block that the chain does not take back. `used`: the parties have made a task with their
 * salt; `void`: nobody can use them any more; null while they can be used.
 */
export async function readTermsEnd(
  rpc: Asker,
  contracts: MarketContracts,
  { poster, worker, salt, digest, acceptBy }: SignedTerms,
): Promise<'used' | 'void' | null> {
  const { hash, time } = await rpc.ask(safeBlock());
  const [isUsed, isOutage, ...isRevoked] = await rpc.askAll([
    marketCall(contracts, 'taskRegistry', 'saltUsed', [poster, worker, salt], hash),
    // As long as it lasts, and an hour longer, the registry takes terms whose time is over.
    marketCall(contracts, 'usdOracle', 'isOutage', [], hash),
    marketCall(contracts, 'taskRegistry', 'isRevoked', [poster, digest], hash),
    marketCall(contracts, 'taskRegistry', 'isRevoked', [worker, digest], hash),
  ]);
  if (isUsed) return 'used';
  return (time > acceptBy && !isOutage) || isRevoked.includes(true) ? 'void' : null;
}

/** Throws CHAIN_REFUSED where there is no such plan. */
export async function readQuote(rpc: Asker, contracts: MarketContracts, tier: string) {
  const id = encodeTier(tier);
  const [[listUsdc, , , tokAmountWei, isTokAllowed], { dailyLimit }, periodDays] = await rpc.askAll([
    marketCall(contracts, 'pricingPolicy', 'quote', [id]),
    marketCall(contracts, 'pricingPolicy', 'planOf', [id]),
    marketCall(contracts, 'pricingPolicy', 'PERIOD_DAYS', []),
  ]);
  /** `tokAmountWei` is 0 where TOK is not allowed; `dailyLimit` are posts a day, for `periodDays`. */
  return { listUsdc, tokAmountWei, isTokAllowed, dailyLimit, periodDays };
}

export type PlanQuote = Readonly<Awaited<ReturnType<typeof readQuote>>>;

/** All plans in the order they were set, including those no longer on sale. */
export async function readPlans(rpc: Asker, deployment: Deployment, market: Market): Promise<PostingPlan[]> {
  const [ids, plans] = await rpc.ask(marketCall(deployment.markets[market], 'pricingPolicy', 'getPlans', []));
  return plans.map((plan, at) => ({
    id: decodeTier(ids[at] as Hex),
    dailyLimit: plan.dailyLimit,
    priceUsdcUnits: plan.priceUsdc,
    tokDiscountBps: plan.tokDiscountBps,
    isOnSale: plan.active,
  }));
}

export async function readUnion(rpc: Asker, deployment: Deployment, market: Market) {
  const [stakingActive, totalStaked, creditsIssued, creditsRemaining, creditIssuanceClosed, rewardReserve] =
    await rpc.ask(marketCall(deployment.markets[market], 'stakingVault', 'overview', []));
  return { stakingActive, totalStaked, creditsIssued, creditsRemaining, creditIssuanceClosed, rewardReserve };
}

export type UnionOverview = Readonly<Awaited<ReturnType<typeof readUnion>>>;

export type OraclePrice = { readonly priceE8: bigint; readonly updatedAt: number };

/** USD for one TOK, at the newest block or at another; null where the oracle has no valid price. */
export async function readPrice(
  rpc: Asker,
  deployment: Deployment,
  blockHash?: Hex,
): Promise<OraclePrice | null> {
  const request = marketCall(deployment, 'usdOracle', 'tryPrice', [], blockHash);
  const [isValid, priceE8, updatedAt] = await rpc.ask(request);
  return isValid ? { priceE8, updatedAt: Number(updatedAt) } : null;
}

/** The newest published price, however old; null where none is within the oracle's bounds. */
export async function readLastPrice(rpc: Asker, deployment: Deployment): Promise<OraclePrice | null> {
  const [, answer, , updatedAt] = await rpc.ask(marketCall(deployment, 'priceFeed', 'latestRoundData', []));
  const { minPriceE8, maxPriceE8 } = deployment.oracle;
  const isInBounds = answer >= minPriceE8 && answer <= maxPriceE8;
  return isInBounds ? { priceE8: answer, updatedAt: Number(updatedAt) } : null;
}
