// The task record of the API, built from a task: the specification's fields first, then ours
// (docs/decisions/task-record.md).
import {
  deliveryReference,
  evidenceReference,
  readTaskWords,
  rulingReference,
  type TaskWords,
  viewDocument,
} from '../documents/viewDocument.ts';
import { isSameAddress } from '../domain/address.ts';
import type { DisputeFacts, Evidence, Ruling } from '../domain/disputeFacts.ts';
import {
  type Delivery,
  type Dispute,
  isFullyFunded,
  lockedAmount,
  type Task,
  type TaskFacts,
} from '../domain/task.ts';
import { formatTaskId } from '../domain/taskId.ts';
import { nextActions } from './nextActions.ts';

export type MilestoneState = 'pending' | 'current' | 'delivered' | 'paid';

/** `words` are those of the document in the uri; a store keeps them, since checking its hash takes time. */
export function buildTaskRecord(
  task: Task,
  facts: TaskFacts,
  words = facts.uri === null ? null : readTaskWords(facts.uri, task.criteriaHash),
) {
  const record = {
    ...buildHead(task),
    // JSON leaves out what is undefined; a spread for each takes as long as the rest of the record.
    worker: task.worker ?? undefined,
    settlementDigest: task.settlementDigest ?? undefined,
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
    dismissAt: task.dismissAt,
    noticeAnswered: task.noticeAnswered,
    reviewPeriod: task.reviewPeriod,
    claimedAt: task.state === 'CLAIMED' ? task.updatedAt : facts.claimedAt,
    deliveredAt: task.state === 'DELIVERED' ? task.updatedAt : facts.deliveredAt,
    milestones: task.milestones.map((amount, index) => ({
      amountTokWei: String(amount),
      state: milestoneState(task, facts, index),
    })),
    round: task.round,
    fullyFunded: isFullyFunded(task),
    dispute: task.dispute === null ? null : buildDispute(task.dispute, facts.dispute),
    nextActions: nextActions(task),
  };
  return addWords(record, words);
}

type Milestones = readonly { readonly amountTokWei: string; readonly state: MilestoneState }[];

/** Whether the words are those the parties agreed on is checked, not assumed: `bound` says it. */
export function addWords<Record extends { readonly milestones: Milestones }>(
  record: Record,
  words: TaskWords | null,
) {
  if (words === null) return { ...record, bound: 'none' as const };
  const { milestones: parts, bound, ...texts } = words;
  const isFitting = parts.length === record.milestones.length;
  const milestones = isFitting
    ? record.milestones.map((milestone, index) => ({ ...milestone, description: parts[index] }))
    : record.milestones;
  return { ...record, milestones, ...texts, criteriaMatches: bound !== 'none', bound };
}

/** The record of one task: with the documents of the work and of its dispute, which lists leave out. */
export function buildTaskDetail(task: Task, facts: TaskFacts, words?: TaskWords | null) {
  const taskId = formatTaskId(task);
  const record = buildTaskRecord(task, facts, words);
  const { evidence, ruling } = facts.dispute;
  return {
    ...record,
    dispute: record.dispute && {
      ...record.dispute,
      ruling: ruling && buildRuling(taskId, ruling),
      evidence: evidence.map((one) => buildEvidence(task, one)),
    },
    deliveries: facts.deliveries.map((one) => buildDelivery(taskId, one)),
  };
}

function buildEvidence(task: Task, evidence: Evidence) {
  const { by, evidenceHash, uri, submittedAt, transactionHash } = evidence;
  const view = viewDocument(evidenceReference(formatTaskId(task), evidence));
  // Only the parties file evidence.
  const role = isSameAddress(task.poster, by) ? ('poster' as const) : ('worker' as const);
  return { by, role, evidenceHash, uri, ...view, submittedAt, transactionHash };
}

function buildRuling(taskId: string, ruling: Ruling) {
  const { workerBps, reasonHash, uri, by, at, transactionHash } = ruling;
  return {
    workerBps,
    reasonHash,
    uri,
    ...viewDocument(rulingReference(taskId, ruling)),
    by,
    at,
    transactionHash,
  };
}

function buildDelivery(taskId: string, delivery: Delivery) {
  const { milestone, round, proofHash, uri, ...when } = delivery;
  return { milestone, round, proofHash, uri, ...viewDocument(deliveryReference(taskId, delivery)), ...when };
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

/** What the court stores, then what only the logs hold, without documents. */
function buildDispute(dispute: Dispute, facts: DisputeFacts) {
  const { phase, phaseEndsAt, judge, posterPayer, workerPayer } = dispute;
  const { evidence: _, bondsTo: _paid, ruling, answerEndsAt, openedAt, evidenceCount, ...end } = facts;
  const bondTokWei = String(dispute.bond);
  return {
    phase,
    phaseEndsAt,
    judge,
    amountTokWei: String(dispute.amount),
    bondTokWei,
    rulingFrom: dispute.rulingFrom,
    poster: {
      payer: posterPayer,
      bondTokWei: posterPayer === null ? '0' : bondTokWei,
      pick: dispute.posterPick,
    },
    worker: {
      payer: workerPayer,
      bondTokWei: workerPayer === null ? '0' : bondTokWei,
      pick: dispute.workerPick,
    },
    answerEndsAt: phase === 'ANSWERING' ? phaseEndsAt : answerEndsAt,
    openedAt,
    evidenceCount,
    ruling: ruling && withoutUri(ruling),
    ...end,
  };
}

function withoutUri({ uri: _, ...ruling }: Ruling) {
  return ruling;
}
