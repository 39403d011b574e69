// A task: its state in the contracts, and the facts that only its logs hold.
import { type Hex, zeroHash } from 'viem';
import type { Address } from './address.ts';
import { type DisputeFacts, noDisputeFacts, readDisputeEvent } from './disputeFacts.ts';
import { maxDocumentUriBytes } from './document.ts';
import type { ChainEvent } from './event.ts';
import type { Market } from './market.ts';
import { type DisputePhase, indexOf, type Scope, type TaskState, taskStates } from './state.ts';

/** A task as the contracts return it at one block. Amounts are TOK wei, times Unix seconds. */
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
  /** How often the task was listed again after a worker left. */
  readonly round: number;
  readonly reviewPeriod: number;
  readonly deadline: number;
  readonly createdAt: number;
  /** The last change of state: the claim in CLAIMED, the delivery in DELIVERED. */
  readonly updatedAt: number;
  /** When a dismissal notice ends, if one was given. */
  readonly dismissAt: number | null;
  /** The worker has answered that notice, so that a dismissal does not cost it its bond. */
  readonly noticeAnswered: boolean;
  readonly totalAmount: bigint;
  readonly funded: bigint;
  readonly released: bigint;
  readonly refunded: bigint;
  readonly fees: bigint;
  readonly criteriaHash: Hex;
  readonly settlementDigest: Hex | null;
  readonly dispute: Dispute | null;
};

/** The poster opened it; the worker's side answers. */
export type Dispute = {
  readonly phase: Exclude<DisputePhase, 'NONE'>;
  readonly phaseEndsAt: number;
  /** Who may rule now: the arbitrator that both named, or the fallback arbitrator after an escalation. */
  readonly judge: Address | null;
  readonly posterPick: Address | null;
  readonly workerPick: Address | null;
  /** Who put up the bond of a side; null where nobody did: opened or answered without one, or not answered. */
  readonly posterPayer: Address | null;
  readonly workerPayer: Address | null;
  /** The disputed milestone, and the bond that each side puts up for it. */
  readonly amount: bigint;
  readonly bond: bigint;
  /** The first second in which the judge may rule; null while there is none. */
  readonly rulingFrom: number | null;
};

/** What the contracts do not store. It comes from the task's events, and is null until they are indexed. */
export type TaskFacts = {
  readonly uri: string | null;
  /** Every wallet that claimed it, newest last, and only the newest ones. */
  readonly workers: readonly Address[];
  readonly claimedAt: number | null;
  readonly deliveredAt: number | null;
  /** How a dispute went. */
  readonly dispute: DisputeFacts;
  /** Oldest first, and only the newest: a worker may deliver again as often as it pays for. The timeline has all. */
  readonly deliveries: readonly Delivery[];
};

/** One proof as its event says it. */
export type Delivery = {
  readonly milestone: number;
  readonly round: number;
  readonly proofHash: Hex;
  readonly uri: string;
  readonly submittedAt: number;
  readonly transactionHash: Hex;
};

export const maxDeliveries = 20;
const maxWorkers = 50;

export const noFacts: TaskFacts = {
  uri: null,
  workers: [],
  claimedAt: null,
  deliveredAt: null,
  dispute: noDisputeFacts,
  deliveries: [],
};

/** The digest that calls name, so that a pending one cannot hit another worker; zero while nobody works. */
export function digestOf({ settlementDigest }: Pick<Task, 'settlementDigest'>): Hex {
  return settlementDigest ?? zeroHash;
}

/** What escrow still holds for the task. */
export function lockedAmount(task: Pick<Task, 'funded' | 'released' | 'refunded' | 'fees'>): bigint {
  return task.funded - task.released - task.refunded - task.fees;
}

/** What a worker earns who claims it now: milestones that were paid before the task was listed again are gone. */
export function remainingAmount({ totalAmount, released }: Pick<Task, 'totalAmount' | 'released'>): bigint {
  return totalAmount - released;
}

type Priced = Readonly<Record<'state' | 'totalAmountTokWei' | 'releasedTokWei', string>>;

/** The amount that stands for a task in lists: while it can be claimed what is left to earn, then its whole reward. */
export function offeredAmount({ state, totalAmountTokWei, releasedTokWei }: Priced): bigint {
  const totalAmount = BigInt(totalAmountTokWei);
  return state === 'POSTED'
    ? remainingAmount({ totalAmount, released: BigInt(releasedTokWei) })
    : totalAmount;
}

/** What a dispute of the task is about: the current milestone. */
export function disputedAmount(task: Task): bigint {
  return task.dispute?.amount ?? task.milestones[task.milestone] ?? lockedAmount(task);
}

/** The number of a milestone as people count them, from 1. The contracts and the API count from 0. */
export function milestoneNumber(index: number | bigint): number {
  return Number(index) + 1;
}

/** Nothing is refunded or paid as a fee before a task ends or is disputed, so the funded amount decides whether work may start. */
export function isFullyFunded(task: Task): boolean {
  return task.funded >= task.totalAmount;
}

const posted = indexOf(taskStates, 'POSTED');
const active = indexOf(taskStates, 'ACTIVE');

/** Takes the events of one task, oldest first; `before` are the facts of earlier ones. */
export function readFacts(events: readonly ChainEvent[], before: TaskFacts = noFacts): TaskFacts {
  return events.reduce(applyEvent, before);
}

function applyEvent(facts: TaskFacts, event: ChainEvent): TaskFacts {
  switch (event.name) {
    case 'TaskPosted':
      return { ...facts, uri: String(event.args.uri) };
    case 'TaskClaimed':
      return { ...facts, claimedAt: event.blockTime, workers: addWorker(facts.workers, event) };
    case 'ProofSubmitted':
      return {
        ...facts,
        deliveredAt: event.blockTime,
        deliveries: [...facts.deliveries, readDelivery(event)].slice(-maxDeliveries),
      };
    case 'TaskState':
      return applyState(setRound(facts, event), Number(event.args.state));
    default: {
      const dispute = readDisputeEvent(facts.dispute, event);
      return dispute === facts.dispute ? facts : { ...facts, dispute };
    }
  }
}

function addWorker(workers: readonly Address[], { args }: ChainEvent): Address[] {
  const worker = args.worker as Address;
  return [...workers.filter((one) => one !== worker), worker].slice(-maxWorkers);
}

function readDelivery({ args, blockTime, txHash }: ChainEvent): Delivery {
  return {
    milestone: Number(args.milestone),
    round: 0,
    proofHash: args.proofHash as Hex,
    // No inline document is longer; what is cut off here is malformed anyway.
    uri: String(args.uri).slice(0, maxDocumentUriBytes + 1),
    submittedAt: blockTime,
    transactionHash: txHash,
  };
}

/** A proof names no round; the state that follows it in the same transaction does. */
function setRound(facts: TaskFacts, { args, txHash }: ChainEvent): TaskFacts {
  const last = facts.deliveries.at(-1);
  if (last === undefined || last.transactionHash !== txHash) return facts;
  return { ...facts, deliveries: facts.deliveries.with(-1, { ...last, round: Number(args.round) }) };
}

/** A task that is listed again has no worker. A task that is active again waits for its next delivery. */
function applyState(facts: TaskFacts, state: number): TaskFacts {
  if (state === posted) return { ...facts, claimedAt: null, deliveredAt: null };
  if (state === active) return { ...facts, deliveredAt: null };
  return facts;
}
