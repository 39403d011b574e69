// Who may do what next with a task, and from when until when: the windows of the catalog over one task.
import type { CallContracts } from '../chain/encodeCall.ts';
import type { Address } from '../domain/address.ts';
import { rolesOf } from '../domain/phases.ts';
import { type Role, type TaskState, toRole } from '../domain/state.ts';
import type { Task } from '../domain/task.ts';
import type { Window, WriteAction } from './action.ts';
import { claimTask, leaveTask } from './claimTask.ts';
import { acceptMilestone, completeTask, submitProof } from './deliver.ts';
import { answerNotice, dismissWorker, extendDeadline, giveDismissNotice } from './dismissal.ts';
import { escalate, openDispute, proposeArbitrator, resolveDispute } from './dispute.ts';
import { answerDispute, concede, submitEvidence } from './disputeAnswer.ts';
import { cancelTask, fundTask, startWork } from './fundTask.ts';
import { mutualSettle, resolveTimedOut } from './settle.ts';

/** A reply with times stays true as time passes. */
export type NextAction = Omit<Window, 'by'> & { readonly action: string; readonly by: Role };

/** The order in which a state's actions are listed: forward first, then ways out. */
const listed: Readonly<Partial<Record<TaskState, readonly WriteAction[]>>> = {
  POSTED: [claimTask, fundTask, extendDeadline, cancelTask, resolveTimedOut],
  CLAIMED: [startWork, fundTask, extendDeadline, leaveTask, dismissWorker, resolveTimedOut, mutualSettle],
  ACTIVE: [
    submitProof,
    answerNotice,
    completeTask,
    extendDeadline,
    giveDismissNotice,
    dismissWorker,
    leaveTask,
    resolveTimedOut,
    mutualSettle,
  ],
  DELIVERED: [
    acceptMilestone,
    completeTask,
    openDispute,
    submitProof,
    leaveTask,
    resolveTimedOut,
    mutualSettle,
  ],
  DISPUTED: [
    answerDispute,
    proposeArbitrator,
    resolveDispute,
    submitEvidence,
    escalate,
    resolveTimedOut,
    concede,
    mutualSettle,
  ],
};

/**
 * Who may do what next with a task, and from when until when.
 *
 * @example
 * const { task } = await market.task('v2:standard:3');
 * nextActions(parseTaskRecord(task)).map(({ action, by }) => `${action} by ${by}`);
 */
export function nextActions(task: Task): NextAction[] {
  return listWindows(task).map(toNextAction);
}

/** Those that this wallet may take, by what it is to the task. */
export function nextActionsOf(task: Task, wallet: Address): NextAction[] {
  const own = rolesOf(task, wallet);
  return listWindows(task)
    .filter(({ window }) => own.includes(window.by))
    .map(toNextAction);
}

function toNextAction({ action, window: { by, from, until } }: ReturnType<typeof listWindows>[number]) {
  return { action: action.name, by: toRole(by), from, until };
}

function listWindows(task: Task) {
  return (listed[task.state] ?? []).flatMap((action) =>
    (action.windows?.[task.state]?.(task) ?? []).map((window) => ({ action, window })),
  );
}

/** What anyone may do once a phase has lasted too long. Every task that has not ended has exactly one exit. */
export function findExitOf(task: Task) {
  for (const { action, window } of listWindows(task)) {
    const { exit, name } = action;
    if (exit === undefined || window.by !== 'anyone' || window.from === null) continue;
    return { action: name, from: window.from, encode: (contracts: CallContracts) => exit(task, contracts) };
  }
  return null;
}

/** Whether the window is open at that second. */
export function isOpenAt(now: number, { from, until }: Pick<Window, 'from' | 'until'>): boolean {
  return (from === null || from <= now) && (until === null || now <= until);
}
