// Whose move a task is, and until when.
import { parseTaskRecord, type TaskRecord } from '@svc/sdk/actions';
import { findPhase, roles } from '@svc/sdk/domain';
import { type Actor, toRole } from '@svc/sdk/internal/domain/state';
import { addressSchema, timeSchema } from '@svc/sdk/internal/schemas/primitives';
import * as z from 'zod';

export const turnSchema = z
  .object({
    action: z.string(),
    by: z.array(z.enum(roles)),
    wallets: z.array(addressSchema),
    until: timeSchema.nullable().describe('Last second of it, Unix; null: no end.'),
  })
  .nullable()
  .describe('Whose move it is; null once the task has ended.');

/** The turn at that second of the chain, in the words of the tools. */
export function findTurn(task: TaskRecord, now: number): z.input<typeof turnSchema> {
  const phase = findPhase(parseTaskRecord(task), now);
  if (phase === null) return null;
  const wallets: Partial<Record<Actor, string | null | undefined>> = {
    poster: task.poster,
    worker: task.worker,
    arbitrator: task.dispute?.judge,
  };
  return {
    action: phase.action,
    by: phase.by.map(toRole),
    wallets: phase.by.flatMap((role) => wallets[role] ?? []),
    until: phase.isOverdue ? null : phase.until,
  };
}
