// What a wallet did, in figures: as poster and worker from its tasks, and the parts of its score.

import type { ReputationBoard } from '@svc/sdk';
import { isTerminal, reputationWeights as weights } from '@svc/sdk/domain';
import type { Task } from './market.ts';

export type Share = { readonly part: number; readonly of: number };

export function countTasks(tasks: readonly Task[]) {
  const worked = tasks.filter(({ claimedAt, worker }) => claimedAt !== null || worker !== undefined);
  const ended = worked.filter(({ state }) => isTerminal(state));
  const paid = ended.filter(({ state }) => state === 'COMPLETED');
  return {
    /** Of the ended tasks that had a worker: those that were paid in full. */
    completed: { part: paid.length, of: ended.length },
    /** Of the tasks that had a worker: those with a dispute. */
    disputed: { part: worked.filter(({ dispute }) => dispute !== null).length, of: worked.length },
    /** Seconds, in the middle of all: from the last delivery to the payment, and from the claim to the delivery. */
    payTime: median(
      paid.flatMap(({ deliveredAt, updatedAt }) => (deliveredAt === null ? [] : [updatedAt - deliveredAt])),
    ),
    deliveryTime: median(
      worked.flatMap(({ claimedAt, deliveredAt }) =>
        claimedAt === null || deliveredAt === null || deliveredAt < claimedAt
          ? []
          : [deliveredAt - claimedAt],
      ),
    ),
  };
}

function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}

/** Below it a percentage says more than the figures behind it. */
const fewTasks = 5;

/** "2 of 3", and with enough tasks also "80 % (8 of 10)". */
export function showShare({ part, of }: Share): string {
  if (of === 0) return 'none yet';
  const counted = `${part} of ${of}`;
  return of < fewTasks ? counted : `${Math.round((part / of) * 100)} % (${counted})`;
}

type Record = Pick<
  ReputationBoard['agents'][number],
  'score' | 'completed' | 'won' | 'lost' | 'left' | 'dismissed'
>;

/** Why the score is what it is; parts that count nothing are left out. */
export function explainScore(record: Record) {
  const part = (count: number, weight: number, one: string, many: string) => ({
    what: count === 1 ? one : many,
    count,
    points: count * weight,
  });
  return [
    part(record.completed, weights.completed, 'task completed', 'tasks completed'),
    part(record.won, weights.disputesWon, 'dispute won', 'disputes won'),
    part(record.lost, weights.disputesLost, 'dispute lost', 'disputes lost'),
    part(record.dismissed, weights.dismissed, 'dismissal', 'dismissals'),
    part(record.left, weights.left, 'task abandoned', 'tasks abandoned'),
  ].filter(({ count }) => count > 0);
}

/** Whether so little was counted that the score says nothing about the wallet. */
export function isEarly(record: Record): boolean {
  return explainScore(record).reduce((sum, { count }) => sum + count, 0) < fewTasks;
}
