// A worker's engagement: claiming a task, and leaving it.
import { encodeCall } from '#chain/encodeCall.ts';
import { indexOf, taskStates } from '#domain/state.ts';
import { defineTaskAction, may } from './action.ts';
import { exampleWallets } from './arguments.ts';
import { entryCosts, feeCost, warnOfDispute } from './costs.ts';

const { worker } = exampleWallets;

export const claimTask = defineTaskAction({
  name: 'claim-task',
  title: 'Claim this task',
  summary: 'take an open task, on exactly the terms that the chain shows now',
  effect: 'You become the worker under exactly these terms. The task leaves the list.',
  by: ['anyone but the poster'],
  windows: { POSTED: ({ deadline }) => [may('anyone but the poster', null, deadline)] },
  costs: ({ figures }) => entryCosts({ figures }),
  risk: () =>
    'The fee is not returned. Your bond goes to the poster if you leave after work has started, deliver nothing in ' +
    'time, or lose a dispute.',
  undo: 'You may leave before work starts; that costs the fee again, and the bond comes back.',
  calls: ['TaskRegistry.claimTask'],
  example: { taskId: 'v2:standard:12', from: worker },
  build: async ({ taskId: { market, number } }, { task, from, contracts, reads }) => {
    // The claim accepts these terms and no others.
    const expectedDigest = await reads.readOpenDigest(market, number, from);
    return {
      encoded: encodeCall(contracts, 'TaskRegistry', 'claimTask', [number, expectedDigest]),
      engages: [from],
      warnings: [warnOfDispute('worker', { amounts: task.milestones, reviewPeriod: task.reviewPeriod })],
      result: { settlementDigest: expectedDigest },
    };
  },
});

export const leaveTask = defineTaskAction({
  name: 'leave-task',
  title: 'Leave the task',
  summary: 'give a task back that you have claimed; also one whose delivery waits for review',
  effect: 'You give the task back. It is listed again, or ends if it is private or late.',
  by: ['worker'],
  windows: {
    CLAIMED: () => [may('worker')],
    ACTIVE: () => [may('worker')],
    DELIVERED: () => [may('worker')],
  },
  costs: ({ figures }) => [feeCost(figures)],
  risk: (task) =>
    task?.state === 'CLAIMED'
      ? 'The fee is not returned.'
      : 'The fee is not returned. After work has started, your bond goes to the poster.',
  undo: 'It cannot be undone; you may claim it again if nobody else does.',
  calls: ['TaskRegistry.leaveTask'],
  example: { taskId: 'v2:standard:12', from: worker },
  // Naming the state keeps a pending call from losing the bond of a task that has started meanwhile.
  build: async ({ taskId: { number } }, { task, contracts }) => {
    const args = [number, indexOf(taskStates, task.state)] as const;
    return { encoded: encodeCall(contracts, 'TaskRegistry', 'leaveTask', args) };
  },
});
