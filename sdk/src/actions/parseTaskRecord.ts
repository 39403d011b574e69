// Parses the task record of the API back into a task, so that pages and tools can ask the rules about it. Apart from
// `taskRecord.ts`, because pages load it without the catalog.
import type { Hex } from 'viem';
import type { z } from 'zod';
import type { Address } from '#domain/address.ts';
import type { Dispute, Task } from '#domain/task.ts';
import { parseTaskId } from '#domain/taskId.ts';
import type { taskDetailSchema, taskSchema } from '#schemas/task.ts';

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
    dismissAt: record.dismissAt,
    noticeAnswered: record.noticeAnswered,
    totalAmount: BigInt(record.totalAmountTokWei),
    funded: BigInt(record.fundedTokWei),
    released: BigInt(record.releasedTokWei),
    refunded: BigInt(record.refundedTokWei),
    fees: BigInt(record.feesTokWei),
    criteriaHash: record.criteriaHash as Hex,
    settlementDigest: (record.settlementDigest as Hex | undefined) ?? null,
    dispute: dispute === null ? null : parseDispute(dispute),
  };
}

function parseDispute(record: NonNullable<TaskRecord['dispute']>): Dispute {
  const { phase, phaseEndsAt, judge, poster, worker } = record;
  return {
    phase,
    phaseEndsAt,
    judge: judge as Address | null,
    posterPick: poster.pick as Address | null,
    workerPick: worker.pick as Address | null,
    posterPayer: poster.payer as Address | null,
    workerPayer: worker.payer as Address | null,
    amount: BigInt(record.amountTokWei),
    bond: BigInt(record.bondTokWei),
    rulingFrom: record.rulingFrom,
  };
}
