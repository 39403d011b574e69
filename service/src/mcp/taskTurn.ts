// Whose move a task is, and until when: what each state waits for, in the order in which it is expected.
import { parseTaskRecord, type TaskRecord } from '@svc/sdk/actions';
import { findPhase, roles } from '@svc/sdk/domain';
import { isOpenAt } from '@svc/sdk/internal/actions/nextActions';
import { type Actor, toRole } from '@svc/sdk/internal/domain/state';
import { addressSchema, timeSchema } from '@svc/sdk/internal/schemas/primitives';
import * as z from 'zod';

type NextAction = TaskRecord['nextActions'][number];

export const turnSchema = z
  .object({
    action: z.string(),
    by: z.array(z.enum(roles)),
    wallets: z.array(addressSchema),
    until: timeSchema.nullable().describe('Last second of it, Unix; null: no end.'),
  })
  .nullable()
  .describe('Whose move it is; null once the task has ended.');

/** What each state waits for, the first of them that is open first. Ends of a phase that has lasted too long follow. */
const expected: Readonly<Partial<Record<TaskRecord['state'], readonly string[]>>> = {
  POSTED: ['claim-task', 'fund-task'],
  CLAIMED: ['fund-task', 'start-work'],
  ACTIVE: ['submit-proof'],
  DELIVERED: ['accept-milestone', 'open-dispute'],
  DISPUTED: ['answer-dispute', 'resolve-dispute', 'propose-arbitrator'],
};
export const exits = ['resolve-timed-out', 'escalate'];
/** Never the next thing to do: they give up the work, or pay for what is not delivered. */
const waysOut = [
  'complete-task',
  'give-dismiss-notice',
  'dismiss-worker',
  'leave-task',
  'cancel-task',
  'mutual-settle',
  'concede',
];

export function isExpected({ state }: TaskRecord, { action }: Pick<NextAction, 'action'>): boolean {
  return expected[state]?.includes(action) === true || exits.includes(action);
}

export function rank(task: TaskRecord, next: NextAction, now: number): number {
  const forward = expected[task.state]?.indexOf(next.action) ?? -1;
  const order = [forward, exits.includes(next.action) ? 10 : -1, waysOut.includes(next.action) ? 30 : -1];
  const place = order.find((index) => index >= 0) ?? 20;
  return isOpenAt(now, next) ? place : place + 100;
}

/** The turn at that second of the chain, in the words of the tools. */
export function findTurn(task: TaskRecord, now: number): z.input<typeof turnSchema> {
  const phase = findPhase(parseTaskRecord(task), now);
  if (phase === null) return null;
  const { poster, worker, dispute } = task;
  const wallets: Partial<Record<Actor, string | null | undefined>> = {
    poster,
    worker,
    arbitrator: dispute?.judge,
  };
  return {
    action: phase.action,
    by: phase.by.map(toRole),
    wallets: phase.by.flatMap((role) => wallets[role] ?? []),
    until: phase.isOverdue ? null : phase.until,
  };
}
