// The exit of a task's phase: what anyone may call once the phase has lasted too long, so that no silence holds money.

import type { Call } from '@svc/sdk/chain';
import { formatTaskId, type Task, type TaskId } from '@svc/sdk/domain';
import { findExitOf } from '@svc/sdk/internal/actions/nextActions';
import type { CallContracts } from '@svc/sdk/internal/chain/encodeCall';

export type Exit = {
  readonly taskId: TaskId;
  readonly action: string;
  readonly state: Task['state'];
  /** The first second in which the contracts take the call. */
  readonly from: number;
  /** Differs for each phase that the task goes through. */
  readonly phase: string;
  readonly call: Call;
};

/** Null for a task that has ended: every other one has exactly one exit. */
export function findExit(task: Task, contracts: CallContracts): Exit | null {
  const exit = findExitOf(task);
  if (exit === null) return null;
  const { market, number, state, round, milestone, updatedAt, dispute } = task;
  const taskId = formatTaskId({ market, number });
  return {
    taskId,
    action: exit.action,
    state,
    from: exit.from,
    phase: [taskId, round, milestone, state, updatedAt, dispute?.phase].join(' '),
    call: exit.encode(contracts).calls[0] as Call,
  };
}
