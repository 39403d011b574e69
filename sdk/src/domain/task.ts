// What the chain, and what only its logs, say of one task.
import type { Address } from './address.ts';
import type { Market } from './market.ts';
import type { DisputePhase, Scope, TaskState } from './state.ts';

export type Hash = `0x${string}`;

/** A task as the contracts answer at one block. Amounts are TOK wei, times Unix seconds. */
export type Task = {
  readonly market: Market;
  readonly number: bigint;
  readonly registryAddress: Address;
  readonly poster: Address;
  readonly worker: Address | null;
  readonly state: TaskState;
  readonly scope: Scope;
  readonly milestones: readonly bigint[];
  /** Index of the current milestone. */
  readonly milestone: number;
  /** How often the task was listed again after a worker went. */
  readonly round: number;
  readonly reviewPeriod: number;
  readonly deadline: number;
  readonly createdAt: number;
  /** The last change of state: the claim in CLAIMED, the delivery in DELIVERED. */
  readonly updatedAt: number;
  /** When a dismissal notice ends, if one was given. */
  readonly dismissAt: number | null;
  readonly totalAmount: bigint;
  readonly funded: bigint;
  readonly released: bigint;
  readonly refunded: bigint;
  readonly fees: bigint;
  readonly criteriaHash: Hash;
  readonly settlementDigest: Hash | null;
  readonly dispute: Dispute | null;
};

export type Dispute = {
  readonly phase: Exclude<DisputePhase, 'NONE'>;
  readonly opener: Address;
  /** Who may rule: the one that both named, and the fallback once it is escalated. */
  readonly arbitrator: Address | null;
  readonly phaseEndsAt: number;
};

/** What no contract remembers: it is read from the task's events and unknown until they have been read. */
export type TaskFacts = {
  readonly uri: string | null;
  readonly claimedAt: number | null;
  readonly deliveredAt: number | null;
  /** The worker's share as ruled, agreed or set by time-out. */
  readonly workerBps: number | null;
};

export const noFacts: TaskFacts = { uri: null, claimedAt: null, deliveredAt: null, workerBps: null };

/** What escrow still holds for the task. */
export function lockedAmount(task: Task): bigint {
  return task.funded - task.released - task.refunded - task.fees;
}

/** Nothing is refunded or paid as a fee before a task ends, so what was funded tells whether work may start. */
export function isFullyFunded(task: Task): boolean {
  return task.funded >= task.totalAmount;
}
