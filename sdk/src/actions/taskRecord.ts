// The task record of the API, built from a task and parsed back: the specification's fields first, then ours
// (docs/decisions.md#task-record).
import type { z } from 'zod';
import { readTaskWords, type TaskWords } from '#documents/viewDocument.ts';
import type { Address } from '#domain/address.ts';
import { type Hash, isFullyFunded, lockedAmount, type Task, type TaskFacts } from '#domain/task.ts';
import { formatTaskId, parseTaskId } from '#domain/taskId.ts';
import type { taskSchema } from '#schemas/task.ts';
import { nextActions } from './nextActions.ts';

export type MilestoneState = 'pending' | 'current' | 'delivered' | 'paid';

export function buildTaskRecord(task: Task, facts: TaskFacts) {
  const words = facts.uri === null ? null : readTaskWords(facts.uri, task.criteriaHash);
  return {
    ...buildHead(task),
    ...(task.worker === null ? {} : { worker: task.worker }),
    ...(task.settlementDigest === null ? {} : { settlementDigest: task.settlementDigest }),
    poster: task.poster,
    scope: task.scope,
    uri: facts.uri,
    criteriaHash: task.criteriaHash,
    lockedTokWei: String(lockedAmount(task)),
    refundedTokWei: String(task.refunded),
    feesTokWei: String(task.fees),
    createdAt: task.createdAt,
    updatedAt: task.updatedAt,
    deadline: task.deadline,
    reviewPeriod: task.reviewPeriod,
    claimedAt: task.state === 'CLAIMED' ? task.updatedAt : facts.claimedAt,
    deliveredAt: task.state === 'DELIVERED' ? task.updatedAt : facts.deliveredAt,
    milestones: task.milestones.map((amount, index) => ({
      amountTokWei: String(amount),
      state: milestoneState(task, facts, index),
      ...(words?.milestones.length === task.milestones.length && { description: words.milestones[index] }),
    })),
    round: task.round,
    fullyFunded: isFullyFunded(task),
    dispute: task.dispute === null ? null : { ...task.dispute, workerBps: facts.workerBps },
    nextActions: nextActions(task),
    ...buildTexts(words),
  };
}

/** The open list's record: the specification's seven fields and five of ours, at the end. */
export function buildOpenRecord(task: Task, facts: TaskFacts) {
  return {
    ...buildHead(task),
    deadline: task.deadline,
    createdAt: task.createdAt,
    uri: facts.uri,
    fullyFunded: isFullyFunded(task),
    scope: task.scope,
  };
}

function buildHead(task: Task) {
  return {
    id: formatTaskId(task),
    market: task.market,
    registryAddress: task.registryAddress,
    state: task.state,
    totalAmountTokWei: String(task.totalAmount),
    fundedTokWei: String(task.funded),
    releasedTokWei: String(task.released),
  };
}

function milestoneState(task: Task, facts: TaskFacts, index: number): MilestoneState {
  if (task.state === 'COMPLETED' || index < task.milestone) return 'paid';
  if (index > task.milestone || task.state === 'CANCELLED') return 'pending';
  if (task.state === 'DELIVERED' || task.state === 'DISPUTED') return 'delivered';
  // A settlement may come before the delivery; only the events show which.
  if (task.state === 'RESOLVED') return facts.deliveredAt === null ? 'pending' : 'delivered';
  return 'current';
}

/** Texts that travel inline are shown; whether they are those the parties agreed on is checked, not assumed. */
function buildTexts(words: TaskWords | null) {
  if (words === null) return { bound: 'none' } as const;
  const { milestones: _, bound, ...texts } = words;
  return { ...texts, criteriaMatches: bound !== 'none', bound };
}

export type TaskRecord = z.output<typeof taskSchema>;

/** The task that a record describes, so that pages and tools can ask the catalog about it. */
export function parseTaskRecord(record: TaskRecord): Task {
  const { market, number } = parseTaskId(record.id);
  const { dispute, milestones, nextActions: next } = record;
  const current = milestones.findIndex(({ state }) => state !== 'paid');
  // The record has no notice: a dismissal that opens at some moment is one that notice was given of.
  const dismissal = next.find(({ action, from }) => action === 'dismiss-worker' && from !== null);
  return {
    market,
    number,
    registryAddress: record.registryAddress as Address,
    poster: record.poster as Address,
    worker: (record.worker as Address | undefined) ?? null,
    state: record.state,
    scope: record.scope,
    milestones: milestones.map(({ amountTokWei }) => BigInt(amountTokWei)),
    milestone: current === -1 ? milestones.length - 1 : current,
    round: record.round,
    reviewPeriod: record.reviewPeriod,
    deadline: record.deadline,
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
    dismissAt: dismissal?.from == null ? null : dismissal.from - 1,
    totalAmount: BigInt(record.totalAmountTokWei),
    funded: BigInt(record.fundedTokWei),
    released: BigInt(record.releasedTokWei),
    refunded: BigInt(record.refundedTokWei),
    fees: BigInt(record.feesTokWei),
    criteriaHash: record.criteriaHash as Hash,
    settlementDigest: (record.settlementDigest as Hash | undefined) ?? null,
    dispute:
      dispute === null
        ? null
        : {
            phase: dispute.phase,
            opener: dispute.opener as Address,
            arbitrator: dispute.arbitrator as Address | null,
            phaseEndsAt: dispute.phaseEndsAt,
          },
  };
}
