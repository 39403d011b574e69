// The exit of a task's phase: what anyone may call once the phase has lasted too long, so that no silence holds money.

import { type NextAction, nextActions } from '@svc/sdk/actions';
import type { Call, CallContracts, EncodedCalls } from '@svc/sdk/chain';
import { encodeEscalate, encodeResolveTimedOut, encodeResolveTimedOutDispute } from '@svc/sdk/chain';
import type { Task } from '@svc/sdk/domain';
import { formatTaskId, type TaskId } from '@svc/sdk/domain';

export type Exit = {
  readonly taskId: TaskId;
  readonly action: ExitAction;
  readonly state: Task['state'];
  /** The first second in which the contracts take the call. */
  readonly from: number;
  /** Another one for each phase that the task goes through. */
  readonly phase: string;
  readonly call: Call;
};

const exitActions = ['resolve-timed-out', 'escalate'] as const;
export type ExitAction = (typeof exitActions)[number];

/** Null for a task that has ended: every other one has exactly one. */
export function findExit(task: Task, contracts: CallContracts): Exit | null {
  const next = nextActions(task).find(isExit);
  if (next === undefined) return null;
  const { market, number, state, round, milestone, updatedAt, dispute } = task;
  const taskId = formatTaskId({ market, number });
  return {
    taskId,
    action: next.action,
    state,
    from: next.from,
    phase: [taskId, round, milestone, state, updatedAt, dispute?.phase].join(' '),
    call: encode(task, next.action, contracts).calls[0] as Call,
  };
}

function isExit(
  next: NextAction,
): next is NextAction & { readonly action: ExitAction; readonly from: number } {
  return next.by === 'anyone' && exitActions.some((action) => action === next.action);
}

function encode({ number, state }: Task, action: ExitAction, contracts: CallContracts): EncodedCalls {
  if (action === 'escalate') return encodeEscalate(contracts, number);
  if (state === 'DISPUTED') return encodeResolveTimedOutDispute(contracts, number);
  return encodeResolveTimedOut(contracts, number);
}
