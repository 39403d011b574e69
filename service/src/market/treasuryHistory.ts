// How much collateral a market has held over time, told by the events that moved it: one point a day.

import type { Market } from '@svc/sdk/domain';
import { toUsd } from '@svc/sdk/domain';
import type { ChainEvent } from '@svc/sdk/internal/domain/event';
import type { TreasuryHistory } from '@svc/sdk/schemas';
import { buildMeta } from './taskLists.ts';

const daySeconds = 86_400;

/** By how much each event changes what the deposit vault and the dispute court hold. A slashed deposit stays in its vault. */
const moves: Readonly<Record<string, readonly ['deposits' | 'bonds', argument: string, sign: bigint]>> = {
  Deposited: ['deposits', 'amount', 1n],
  Withdrawn: ['deposits', 'amount', -1n],
  ArbitratorRegistered: ['bonds', 'added', 1n],
  ArbitratorSlashed: ['bonds', 'amount', -1n],
  ArbitratorWithdrawn: ['bonds', 'amount', -1n],
};

/** `events` in the order of the chain, from its beginning. */
export function buildTreasuryHistory(market: Market, events: readonly ChainEvent[]): TreasuryHistory {
  const held = { deposits: 0n, bonds: 0n };
  const points: TreasuryHistory['points'] = [];
  for (const { name, args, blockTime } of events) {
    const move = moves[name];
    if (move === undefined) continue;
    const [side, argument, sign] = move;
    held[side] += sign * BigInt(String(args[argument]));
    // Within a day, the newest is what the day ends with.
    if (dayOf(points.at(-1)?.time) === dayOf(blockTime)) points.pop();
    points.push({ time: blockTime, depositsUsd: toUsd(held.deposits), bondsTokWei: String(held.bonds) });
  }
  return { count: points.length, points, meta: buildMeta(market) };
}

function dayOf(time: number | undefined): number | undefined {
  return time === undefined ? undefined : Math.floor(time / daySeconds);
}
