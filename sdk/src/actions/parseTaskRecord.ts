// Parses the task record of the API back into a task, so that pages and tools can ask the rules about it. Apart from
// `taskRecord.ts`, because pages load it without the catalog.
import type { z } from 'zod';
import type { Dispute, Task } from '../domain/task.ts';
import { parseTaskId } from '../domain/taskId.ts';
import type { taskDetailSchema, taskSchema } from '../schemas/task.ts';

export type TaskRecord = z.output<typeof taskSchema>;
export type TaskDetail = z.output<typeof taskDetailSchema>;

/** The task that a record describes, so that pages and tools can ask the catalog about it. */
export function parseTaskRecord(record: TaskRecord): Task {
  const { market, number } = parseTaskId(record.id);
  const { dispute, milestones } = record;
  const current = milestones.findIndex(({ state }) => state !== 'paid');
  return {
    market,
    number,
    registryAddress: record.registryAddress,
    poster: record.poster,
    worker: record.worker ?? null,
    state: record.state,
    scope: record.scope,
    milestones: milestones.map(({ amountTokWei }) => BigInt(amountTokWei)),
    milestone: current === -1 ? milestones.length - 1 : current,
    round: record.round,
    reviewPeriod: record.reviewPeriod,
    deadline: record.deadline,
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
    dismissAt: record.dismissAt,
    noticeAnswered: record.noticeAnswered,
    totalAmount: BigInt(record.totalAmountTokWei),
    funded: BigInt(record.fundedTokWei),
    released: BigInt(record.releasedTokWei),
    refunded: BigInt(record.refundedTokWei),
    fees: BigInt(record.feesTokWei),
    criteriaHash: record.criteriaHash,
    settlementDigest: record.settlementDigest ?? null,
    dispute: dispute === null ? null : parseDispute(dispute),
  };
}

function parseDispute(record: NonNullable<TaskRecord['dispute']>): Dispute {
  const { phase, phaseEndsAt, judge, poster, worker } = record;
  return {
    phase,
    phaseEndsAt,
    judge,
    posterPick: poster.pick,
    workerPick: worker.pick,
    posterPayer: poster.payer,
    workerPayer: worker.payer,
    amount: BigInt(record.amountTokWei),
    bond: BigInt(record.bondTokWei),
    rulingFrom: record.rulingFrom,
  };
}
