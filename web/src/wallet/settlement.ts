// A settlement that one party has signed, as a text that the other can be handed.

import type { MutualSettlement } from '@svc/sdk/domain';
import { hexSchema } from '@svc/sdk/schemas';
import * as z from 'zod';
import { currentMilestone, type Task } from '../data/market.ts';

const offerSchema = z.object({
  task: z.string(),
  workerBps: z.int().min(0).max(10_000),
  validUntil: z.int().positive(),
  by: z.enum(['poster', 'worker']),
  signature: hexSchema,
});

export type SettlementOffer = z.infer<typeof offerSchema>;

/** Null where the text is none. */
export function readOffer(text: string): SettlementOffer | null {
  try {
    const parsed = offerSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** The task exactly as it stands: whatever moves on it makes the signature worthless. */
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
