// The poster's steps before work begins: funding the escrow, starting the work, and cancelling instead.
import { encodeCall } from '../chain/encodeCall.ts';
import { formatDays, formatTok } from '../domain/amount.ts';
import { protocolConstants } from '../domain/parameters.ts';
import { digestOf, isFullyFunded, type Task } from '../domain/task.ts';
import { amountArguments, takeTok } from '../rules/values.ts';
import { defineTaskAction, may } from './action.ts';
import { engagementArgument } from './arguments.ts';
import { purchaseArguments } from './buyTok.ts';
import { costOfAmount } from './costs.ts';
import { endTask } from './movements.ts';

const { activationWindowSeconds, dismissNoticeSeconds } = protocolConstants;

function missingFunds(task: Pick<Task, 'totalAmount' | 'funded'>): bigint {
  return task.totalAmount - task.funded;
}

export const fundTask = defineTaskAction({
  name: 'fund-task',
  title: 'Fund escrow',
  summary: 'put TOK into escrow for your task; without an amount, all that is missing',
  effect: 'TOK moves from your wallet into escrow for this task.',
  by: ['poster'],
  windows: {
    POSTED: (task) => (isFullyFunded(task) ? [] : [may('poster')]),
    CLAIMED: (task) =>
      isFullyFunded(task) ? [] : [may('poster', null, task.updatedAt + activationWindowSeconds)],
  },
  costs: ({ task, amount }) =>
    costOfAmount('escrow', amount ?? (task === undefined ? undefined : missingFunds(task))),
  risk: () =>
    'Paid out when you accept, when your review time passes in silence, or as an arbitrator rules. Once work has ' +
    'started, it comes back only by leave, time-out, settlement or ruling.',
  undo:
    'While nobody has claimed the task, cancel it and get everything back. After a claim and before the start, dismiss the ' +
    'worker first, which costs the access fee.',
  next: 'Once a worker has claimed the task and all is funded, the work can start.',
  calls: ['TaskRegistry.fundTask'],
  fields: [
    {
      name: 'amountTok',
      kind: 'tok',
      label: 'Amount, TOK',
      note: 'The full missing amount, unless you enter less.',
      initial: (task) => formatTok(missingFunds(task)),
    },
  ],
  input: { ...amountArguments, ...purchaseArguments },
  example: { amountTok: '1500' },
  build: async ({ taskId: { number }, ...args }, { task, contracts }) => {
    const amount = takeTok('fund-task', args, 'amount') ?? missingFunds(task);
    return { encoded: encodeCall(contracts, 'TaskRegistry', 'fundTask', [number, amount]) };
  },
});

export const startWork = defineTaskAction({
  name: 'start-work',
  title: 'Start the work',
  summary: 'start the work on a claimed and funded task',
  effect: 'The worker’s clock runs from now; the deadline moves by the time since the claim.',
  by: ['poster', 'worker'],
  windows: {
    // A poster who is silent for the first window leaves the start to the worker.
    CLAIMED: (task) => {
      if (!isFullyFunded(task)) return [];
      const [first, second] = [1, 2].map((count) => task.updatedAt + count * activationWindowSeconds);
      return [may('poster', null, second), may('worker', (first ?? 0) + 1, second)];
    },
  },
  risk: () => 'From here on the money leaves escrow only by delivery, dismissal, dispute or time-out.',
  undo: `It cannot be undone; a worker can be dismissed with ${formatDays(dismissNoticeSeconds)}’s notice.`,
  becomes: () => 'ACTIVE',
  next: 'The worker delivers until the deadline.',
  calls: ['TaskRegistry.startWork'],
  seen: (task) => ({ settlementDigest: digestOf(task) }),
  input: { settlementDigest: engagementArgument },
  build: async ({ taskId: { number }, settlementDigest }, { task, contracts }) => {
    const args = [number, settlementDigest ?? digestOf(task)] as const;
    return { encoded: encodeCall(contracts, 'TaskRegistry', 'startWork', args) };
  },
});

export const cancelTask = defineTaskAction({
  name: 'cancel-task',
  title: 'Cancel the task',
  summary: 'withdraw your task while nobody has claimed it',
  effect: 'The task ends. Everything in escrow and your bond come back to you.',
  by: ['poster'],
  windows: { POSTED: () => [may('poster')] },
  moves: ({ task, figures }) => (task === undefined ? [] : endTask(task, figures)),
  becomes: () => 'CANCELLED',
  next: 'The task is over.',
  risk: () => 'The fee you paid for posting is not returned.',
  calls: ['TaskRegistry.cancelTask'],
  build: async ({ taskId: { number } }, { contracts }) => ({
    encoded: encodeCall(contracts, 'TaskRegistry', 'cancelTask', [number]),
  }),
});
