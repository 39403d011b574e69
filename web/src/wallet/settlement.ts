// A settlement offer: signed by one party, sent to the other as text.

import type { MutualSettlement } from '@svc/sdk/domain';
import { hexSchema } from '@svc/sdk/schemas';
import * as z from 'zod';
import { currentMilestone, type Task } from '#data/market.ts';

const offerSchema = z.object({
  task: z.string(),
  workerBps: z.int().min(0).max(10_000),
  validUntil: z.int().positive(),
  by: z.enum(['poster', 'worker']),
  signature: hexSchema,
});

export type SettlementOffer = z.infer<typeof offerSchema>;

/** Null if the text is not an offer. */
export function parseOffer(text: string): SettlementOffer | null {
  try {
    const parsed = offerSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Of the task's current state: any change of the task makes the signature invalid. */
export function buildSettlement(
  task: Task,
  number: bigint,
  workerBps: number,
  validUntil: number,
): MutualSettlement {
  return {
    taskId: number,
    poster: task.poster as `0x${string}`,
    worker: task.worker as `0x${string}`,
    round: task.round,
    milestone: currentMilestone(task),
    state: task.state,
    updatedAt: BigInt(task.updatedAt),
    held: BigInt(task.lockedTokWei),
    workerBps,
    validUntil: BigInt(validUntil),
  };
}

/** A percentage in basis points. Throws a sentence if the text is not one. */
export function parsePercent(text: string | undefined): number {
  if (text === undefined || !/^(100(\.0{1,2})?|[0-9]{1,2}(\.[0-9]{1,2})?)$/.test(text))
    throw new Error('A share is a number from 0 to 100, with at most two decimal places.');
  return Math.round(Number(text) * 100);
}
