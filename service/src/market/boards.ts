// The gateway's boards: agents by reputation, arbitrators by bond, deposits by solvency; and what everything costs.

import type { Fees, ReputationBoard, Treasury, VerifierBoard } from '@svc/sdk';
import { type Address, isSameAddress, type Market, reputationWeights, toUsd } from '@svc/sdk/domain';
import type { AgentRecord, ArbitratorRecord, readDeposits } from '@svc/sdk/internal/chain/readAgents';
import type { MarketFigures } from '@svc/sdk/internal/chain/readMarket';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { findBondObstacle } from '@svc/sdk/internal/domain/arbitration';
import { type DisputeOutcome, disputeOutcomes } from '@svc/sdk/internal/domain/disputeFacts';
import { feeActions } from '@svc/sdk/internal/domain/state';
import type { EndedDispute } from '../store/agents.ts';
import type { SiteConfig } from './siteConfig.ts';
import { buildMeta } from './taskLists.ts';

/** As ReputationRegistry.reputationOf counts. */
export function scoreOf(agent: AgentRecord): number {
  const kinds = Object.entries(reputationWeights) as [keyof typeof reputationWeights, number][];
  return kinds.reduce((score, [kind, weight]) => score + weight * agent[kind], 0);
}

function countOutcomes(ended: readonly EndedDispute[]): Record<DisputeOutcome, number> {
  const counts = disputeOutcomes.map((outcome) => [
    outcome,
    ended.filter((one) => one.outcome === outcome).length,
  ]);
  return Object.fromEntries(counts);
}

export function buildReputationBoard(
  market: Market,
  agents: readonly AgentRecord[],
  earned: ReadonlyMap<Address, bigint>,
  ended: readonly EndedDispute[],
): ReputationBoard {
  const byParty = new Map<string, EndedDispute[]>();
  for (const one of ended)
    for (const party of [one.poster, one.worker]) byParty.set(party, [...(byParty.get(party) ?? []), one]);
  const earnedBy = (address: Address) => earned.get(addressKey(address)) ?? 0n;
  const ranked = agents.toSorted(
    (left, right) =>
      scoreOf(right) - scoreOf(left) ||
      compare(earnedBy(right.address), earnedBy(left.address)) ||
      compare(addressKey(left.address), addressKey(right.address)),
  );
  return {
    count: ranked.length,
    total: ranked.length,
    agents: ranked.map((agent, at) => ({
      rank: at + 1,
      address: agent.address,
      score: scoreOf(agent),
      completed: agent.completed,
      won: agent.disputesWon,
      lost: agent.disputesLost,
      left: agent.left,
      dismissed: agent.dismissed,
      outcomes: countOutcomes(byParty.get(addressKey(agent.address)) ?? []),
      earnedTokWei: String(earnedBy(agent.address)),
      posted: agent.posted,
      claimed: agent.claimed,
      lastActive: agent.lastActive === 0 ? null : agent.lastActive,
    })),
    outcomes: countOutcomes(ended),
    meta: buildMeta(market),
  };
}

export function buildVerifierBoard(
  market: Market,
  arbitrators: readonly ArbitratorRecord[],
  minBond: bigint,
): VerifierBoard {
  const ranked = arbitrators.toSorted(
    (left, right) =>
      compare(right.bond, left.bond) ||
      right.resolved - left.resolved ||
      compare(addressKey(left.address), addressKey(right.address)),
  );
  return {
    count: ranked.length,
    total: ranked.length,
    verifiers: ranked.map((one, at) => ({
      rank: at + 1,
      address: one.address,
      bondTokWei: String(one.bond),
      resolved: one.resolved,
      pairs: one.pairs,
      judgedTokWei: String(one.judgedAmount),
      missed: one.missed,
      openCases: one.openCases,
      eligible: findBondObstacle(one, minBond) === null,
      minHeldTokWei: String(one.minHeld),
    })),
    meta: buildMeta(market),
  };
}

type DepositRecord = Awaited<ReturnType<typeof readDeposits>>[number];

export function buildTreasury(
  market: Market,
  deposits: readonly DepositRecord[],
  { entryUsdc, recommendedUsdc, pauseUsdc, bondUsdc }: MarketFigures,
): Treasury {
  // As DepositVault.accountOf decides.
  const judged = deposits
    .filter(({ balance, engagements }) => balance > 0n || engagements > 0)
    .map((deposit) => ({
      ...deposit,
      paused: deposit.engagements > 0 && deposit.balance < pauseUsdc,
      canEngage: deposit.balance >= entryUsdc && deposit.balance - deposit.locked >= bondUsdc,
      recommended: deposit.balance >= recommendedUsdc,
    }))
    .toSorted(
      (left, right) =>
        Number(right.paused) - Number(left.paused) ||
        compare(left.balance, right.balance) ||
        compare(addressKey(left.address), addressKey(right.address)),
    );
  const sum = (amount: (deposit: DepositRecord) => bigint) =>
    toUsd(judged.reduce((total, deposit) => total + amount(deposit), 0n));
  return {
    count: judged.length,
    total: judged.length,
    totals: {
      balanceUsd: sum(({ balance }) => balance),
      lockedUsd: sum(({ locked }) => locked),
      freeUsd: sum(({ balance, locked }) => balance - locked),
      paused: judged.filter(({ paused }) => paused).length,
      canEngage: judged.filter(({ canEngage }) => canEngage).length,
    },
    agents: judged.map(({ address, balance, locked, paused, canEngage, recommended, engagements }) => ({
      address,
      balanceUsd: toUsd(balance),
      lockedUsd: toUsd(locked),
      freeUsd: toUsd(balance - locked),
      paused,
      canEngage,
      recommended,
      engagements,
    })),
    meta: buildMeta(market),
  };
}

export function buildFees(
  market: Market,
  figures: MarketFigures,
  plans: SiteConfig['postingPlans'],
  claimPriceUsdc: string | null,
): Fees {
  return {
    accessFee: { tokWei: String(figures.accessFeeTokWei), actions: [...feeActions] },
    collateral: {
      entryUsd: toUsd(figures.entryUsdc),
      recommendedUsd: toUsd(figures.recommendedUsdc),
      pauseUsd: toUsd(figures.pauseUsdc),
      bondUsd: toUsd(figures.bondUsdc),
    },
    arbitratorMinBondTokWei: String(figures.arbitratorMinBondTokWei),
    plans: [...plans],
    claimPriceUsdc,
    meta: buildMeta(market),
  };
}

/**
 * The first entries of a board; a short board is returned unchanged. With an address: the entry of that wallet alone, or
 * none if the market does not know it.
 */
export function cutBoard<List extends string, Board extends BoardOf<List>>(
  board: Board,
  list: List,
  { limit, address }: { readonly limit: number; readonly address?: string | undefined },
): Board {
  if (address !== undefined) {
    const own = board[list].filter((entry) => isSameAddress(entry.address as Address, address as Address));
    return { ...board, count: own.length, [list]: own };
  }
  if (board.count <= limit) return board;
  return { ...board, count: limit, [list]: board[list].slice(0, limit) };
}

type BoardOf<List extends string> = { readonly count: number } & Readonly<
  Record<List, readonly { readonly address: string }[]>
>;

function compare<Value extends bigint | string>(left: Value, right: Value): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
