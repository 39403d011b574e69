// A worker's engagement: claiming a task, leaving it, and being dismissed.
import type { Hex } from 'viem';
import * as z from 'zod';
import { type CallContracts, type EncodedCalls, encodeCall } from '#chain/encodeCall.ts';
import { protocolConstants } from '#domain/parameters.ts';
import type { Task } from '#domain/task.ts';
import { type CallSentence, defineTaskAction, may } from './action.ts';
import { exampleWallets, taskAndWallet } from './arguments.ts';
import { entryCosts, feeCost, formatDays } from './costs.ts';
import { timeOutFrom } from './settle.ts';

const { poster, worker } = exampleWallets;
const { deliveryGraceSeconds, dismissNoticeSeconds } = protocolConstants;
const notice = formatDays(dismissNoticeSeconds);

const claims: CallSentence = ({ taskId }) => `Claim task ${taskId}`;
const leaves: CallSentence = ({ taskId }) => `Give task ${taskId} back`;
const dismisses: CallSentence = ({ taskId }) =>
  `Dismiss the worker of task ${taskId}; once work has started, give ${notice}'s notice first`;

/** `expectedDigest` is `openDigest(taskId, worker)` as read: the claim accepts those terms and no others. */
export function encodeClaimTask(
  contracts: CallContracts,
  { number, expectedDigest }: { readonly number: bigint; readonly expectedDigest: Hex },
): EncodedCalls {
  const summary = claims({ taskId: number });
  return encodeCall(contracts, 'TaskRegistry', 'claimTask', [number, expectedDigest], summary);
}

export const claimTask = defineTaskAction({
  name: 'claim-task',
  title: 'Claim this task',
  summary: 'take an open task, on exactly the terms that the chain shows now',
  effect: 'You become the worker under exactly these terms. The task leaves the list.',
  by: ['anyone'],
  windows: { POSTED: ({ deadline }) => [may('anyone', null, deadline)] },
  costs: ({ figures }) => entryCosts({ figures }),
  risk: () =>
    'The fee is not returned. Your bond goes to the poster if you leave after work has started, or deliver nothing in time.',
  undo: 'You may leave before work starts; that costs the fee again, and the bond comes back.',
  calls: { 'TaskRegistry.claimTask': claims },
  input: z.strictObject(taskAndWallet),
  example: { taskId: 'v2:standard:12', from: worker },
  build: async ({ taskId: { market, number } }, { from, contracts, reads }) => {
    const expectedDigest = await reads.readOpenDigest(market, number, from);
    return {
      encoded: encodeClaimTask(contracts, { number, expectedDigest }),
      engages: [from],
      result: { settlementDigest: expectedDigest },
    };
  },
});

export const leaveTask = defineTaskAction({
  name: 'leave-task',
  title: 'Leave the task',
  summary: 'give a task back that you have claimed',
  effect: 'You give the task back. It is listed again, or ends if it is private or late.',
  by: ['worker'],
  windows: { CLAIMED: () => [may('worker')], ACTIVE: () => [may('worker')] },
  costs: ({ figures }) => [feeCost(figures)],
  risk: (task) =>
    task?.state === 'CLAIMED'
      ? 'The fee is not returned.'
      : 'The fee is not returned. After work has started, your bond goes to the poster.',
  undo: 'It cannot be undone; you may claim it again if nobody else does.',
  calls: { 'TaskRegistry.leaveTask': leaves },
  input: z.strictObject(taskAndWallet),
  example: { taskId: 'v2:standard:12', from: worker },
  build: async ({ taskId: { number } }, { contracts }) => ({
    encoded: encodeCall(contracts, 'TaskRegistry', 'leaveTask', [number], leaves({ taskId: number })),
  }),
});

export const dismissWorker = defineTaskAction({
  name: 'dismiss-worker',
  title: 'Dismiss the worker',
  summary: `send the worker away: at once before the start, by a notice of ${notice} later`,
  effect: `Before the start at once; later by a notice of ${notice}, which a delivery clears, and a second call.`,
  by: ['poster'],
  windows: { CLAIMED: () => [may('poster')], ACTIVE: dismissalWindows },
  // The notice has paid for the dismissal that follows it.
  costs: ({ figures, task }) => {
    if (task?.state === 'ACTIVE' && task.dismissAt !== null) return [];
    const refund = 'not returned; the second call after a notice is free';
    return [feeCost(figures, task === undefined ? { refund } : {})];
  },
  risk: (task) => {
    if (task?.state !== 'ACTIVE') return 'The fee is not returned.';
    return task.dismissAt === null
      ? `This gives ${notice} of notice, which a delivery clears; the dismissal itself, after it, costs no fee.`
      : 'The worker goes at once; the notice has paid for it.';
  },
  undo: 'It cannot be undone.',
  calls: { 'TaskRegistry.dismissWorker': dismisses },
  input: z.strictObject(taskAndWallet),
  example: { taskId: 'v2:standard:12', from: poster },
  build: async ({ taskId: { number } }, { task, contracts, reads }) => ({
    encoded: encodeCall(contracts, 'TaskRegistry', 'dismissWorker', [number], dismisses({ taskId: number })),
    warnings: warnOfUselessNotice(task, await reads.readNow()),
  }),
});

/** The contracts take a notice until the grace ends, also one that no dismissal can follow: that is not offered. */
function dismissalWindows({ deadline, dismissAt }: Task) {
  const graceEnds = deadline + deliveryGraceSeconds;
  if (dismissAt === null) return [may('poster', null, graceEnds - dismissNoticeSeconds - 1)];
  return dismissAt < graceEnds ? [may('poster', dismissAt + 1, graceEnds)] : [];
}

function warnOfUselessNotice(task: Task, now: number): string[] {
  const isOffered = dismissalWindows(task).some(({ until }) => until === null || now <= until);
  const end = timeOutFrom(task) ?? 0;
  if (task.state !== 'ACTIVE' || isOffered || end <= now) return [];
  return [
    'The notice ends when it is too late for the dismissal itself: it can never take effect, and its fee is lost. ' +
      `From ${new Date(end * 1_000).toISOString()} on resolve-timed-out ends the task instead, costs no fee and ` +
      'brings you the locked deposit of the worker.',
  ];
}
