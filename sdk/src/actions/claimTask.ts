// A worker's engagement: claiming a task, and leaving it.
import { encodeCall } from '../chain/encodeCall.ts';
import { indexOf, taskStates } from '../domain/state.ts';
import { defineTaskAction, inStates, may } from './action.ts';
import { purchaseArguments } from './buyTok.ts';
import { entryCosts, feeCost, warnOfDispute, warnOfEscrow } from './costs.ts';
import { endEngagement, stateAfterLeaving } from './movements.ts';

export const claimTask = defineTaskAction({
  name: 'claim-task',
  title: 'Claim this task',
  summary: 'take an open task, on exactly the terms that the chain shows now',
  effect: 'You become the worker under exactly these terms. The task leaves the list.',
  by: ['anyone but the poster'],
  windows: { POSTED: ({ deadline }) => [may('anyone but the poster', null, deadline)] },
  costs: ({ figures }) => entryCosts({ figures }),
  risk: () =>
    'The fee is not returned. Your bond goes to the poster if you deliver nothing in time, ignore a notice of ' +
    'dismissal or lose a dispute, and half of it if you leave after work has started.',
  undo:
    'You may leave before work starts; that costs the fee again, and the bond comes back. Waiting is free only if the ' +
    'poster does not start the work: anyone can end an unfunded claim after a day, without a mark, and a funded one after ' +
    'two days, with a mark in your record.',
  becomes: () => 'CLAIMED',
  next:
    'The poster funds and starts the work within a day. If it is funded and not started then, you may start it for one ' +
    'more day. From the start your time to deliver runs.',
  calls: ['TaskRegistry.claimTask'],
  input: purchaseArguments,
  build: async ({ taskId: { market, number } }, { task, from, contracts, reads }) => {
    // The claim accepts these terms and no others.
    const expectedDigest = await reads.readOpenDigest(market, number, from);
    return {
      encoded: encodeCall(contracts, 'TaskRegistry', 'claimTask', [number, expectedDigest]),
      engages: [from],
      warnings: [...warnOfEscrow(task), warnOfDispute('worker', task.milestones)],
      result: { settlementDigest: expectedDigest },
    };
  },
});

export const leaveTask = defineTaskAction({
  name: 'leave-task',
  title: 'Leave the task',
  summary: 'give back a task that you have claimed, also while a delivery waits for review',
  effect: 'You give the task back. It is listed again, or ends if it is private or late.',
  by: ['worker'],
  windows: inStates(['CLAIMED', 'ACTIVE', 'DELIVERED'], () => [may('worker')]),
  costs: ({ figures }) => [feeCost(figures)],
  risk: (task) =>
    task?.state === 'CLAIMED'
      ? 'The fee is not returned.'
      : 'The fee is not returned. After work has started, half of your bond goes to the poster.',
  undo: 'It cannot be undone; you may claim it again if nobody else does.',
  moves: (facts) => endEngagement(facts, facts.task?.state === 'CLAIMED' ? 'nothing' : 'half'),
  becomes: stateAfterLeaving,
  next: 'An open task before its deadline is listed again; any other task ends, and its escrow goes back.',
  calls: ['TaskRegistry.leaveTask'],
  // Naming the state keeps a pending call from losing the bond of a task that has started meanwhile.
  build: async ({ taskId: { number } }, { task, contracts }) => {
    const args = [number, indexOf(taskStates, task.state)] as const;
    return { encoded: encodeCall(contracts, 'TaskRegistry', 'leaveTask', args) };
  },
});
