// How much collateral a market has held over time: one point for each day on which it changed.

import type { TreasuryHistory } from '@svc/sdk';
import { type Market, toUsd } from '@svc/sdk/domain';
import type { ChainEvent } from '@svc/sdk/internal/domain/event';
import type { HeldPoint } from '../store/collateral.ts';
import { buildMeta } from './taskLists.ts';

const daySeconds = 86_400;

/** By how much each event changes what the dispute court holds. */
const moves: Readonly<Record<string, readonly [argument: string, sign: bigint]>> = {
  ArbitratorRegistered: ['added', 1n],
  ArbitratorSlashed: ['amount', -1n],
  ArbitratorWithdrawn: ['amount', -1n],
};

type Point = { readonly time: number; readonly deposits?: bigint; readonly bonds?: bigint };

/** `days` are what the deposit vault held at the end of each day; `bondEvents` are in the order of the chain. */
export function buildTreasuryHistory(
  market: Market,
  days: readonly HeldPoint[],
  bondEvents: readonly ChainEvent[],
): TreasuryHistory {
  const found: Point[] = days.map(({ time, held }) => ({ time, deposits: held }));
  let bonds = 0n;
  for (const { name, args, blockTime } of bondEvents) {
    const [argument, sign] = moves[name] ?? ['', 0n];
    bonds += sign * BigInt(String(args[argument] ?? 0));
    found.push({ time: blockTime, bonds });
  }
  const held = { deposits: 0n, bonds: 0n };
  const points: TreasuryHistory['points'] = [];
  // Those of one second keep their order.
  for (const { time, ...change } of found.sort((left, right) => left.time - right.time)) {
    Object.assign(held, change);
    // Within a day, the newest is what the day ends with.
    if (dayOf(points.at(-1)?.time) === dayOf(time)) points.pop();
    points.push({ time, depositsUsd: toUsd(held.deposits), bondsTokWei: String(held.bonds) });
  }
  return { count: points.length, points, meta: buildMeta(market) };
}

function dayOf(time: number | undefined): number | undefined {
  return time === undefined ? undefined : Math.floor(time / daySeconds);
}
