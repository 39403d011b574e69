// A task's events as sentences. Logs that repeat another log of the same transaction are left out.

import type { Timeline } from '@svc/sdk';
import { milestoneNumber } from '@svc/sdk/domain';
import { showMoment, showTok } from './format.ts';

export type TaskEvent = Timeline['events'][number];
type Sentences = {
  readonly [Name in TaskEvent['name']]?: (
    args: Extract<TaskEvent, { readonly name: Name }>['args'],
  ) => string;
};

/** Newest first. A sentence has every wallet in full. */
export function describeEvents(events: readonly TaskEvent[]) {
  return events
    .flatMap((event) => {
      const sentence = (sentences[event.name] as ((args: TaskEvent['args']) => string) | undefined)?.(
        event.args,
      );
      const key = `${event.blockNumber}.${event.logIndex}`;
      return sentence === undefined ? [] : [{ key, sentence, event }];
    })
    .reverse();
}

const tok = (wei: string) => `${showTok(wei)} TOK`;
const share = (bps: number) => `${bps / 100} % to the worker`;

/** TaskState, bond and credit logs repeat what these say. */
const sentences: Sentences = {
  TaskPosted: ({ poster, totalAmount }) => `Posted by ${poster} for ${tok(totalAmount)}`,
  TaskClaimed: ({ worker }) => `Claimed by ${worker}`,
  Funded: ({ amount }) => `${tok(amount)} put into escrow`,
  WorkStarted: () => `Work started`,
  DeadlineMoved: ({ deadline }) => `Deadline moved to ${showMoment(deadline)}`,
  ProofSubmitted: ({ milestone }) => `Milestone ${milestoneNumber(milestone)} delivered`,
  MilestoneAccepted: ({ milestone, byTimeout }) =>
    `Milestone ${milestoneNumber(milestone)} accepted${byTimeout ? ' automatically: the review time ended' : ''}`,
  Released: ({ amount }) => `${tok(amount)} paid to the worker`,
  Refunded: ({ amount }) => `${tok(amount)} returned to the poster`,
  FeePaid: ({ amount }) => `${tok(amount)} taken from the award as a fee`,
  TaskCompleted: () => `Completed`,
  WorkerLeft: ({ worker }) => `${worker} left`,
  WorkerDismissed: ({ worker }) => `${worker} dismissed`,
  DismissalNoticed: ({ effectiveAt }) => `Dismissal announced; possible after ${showMoment(effectiveAt)}`,
  DisputeOpened: ({ opener }) => `Dispute opened by ${opener}`,
  DisputeBond: ({ payer, amount }) => `${payer} put up a dispute bond of ${tok(amount)}`,
  DisputeAnswered: ({ by, withBond }) => `${by} answered the dispute ${withBond ? 'with' : 'without'} a bond`,
  EvidenceSubmitted: ({ by }) => `${by} added evidence`,
  ArbitratorProposed: ({ by, arbitrator }) => `${by} proposed ${arbitrator} as arbitrator`,
  ArbitratorAssigned: ({ arbitrator }) => `${arbitrator} appointed as arbitrator`,
  DisputeEscalated: () => `Escalated to the fallback arbitrator`,
  DisputeResolved: ({ workerBps }) => `Arbitrator’s ruling: ${share(workerBps)}`,
  DisputeTimedOut: ({ phase, workerBps }) =>
    `${phase === 'ANSWERING' ? 'No answer in time' : 'No ruling in time'}: ${share(workerBps)}`,
  DisputeConceded: ({ by }) => `${by} conceded`,
  DisputeBondPaid: ({ to, amount }) => `${tok(amount)} of the dispute bonds paid to ${to}`,
  MutuallySettled: ({ workerBps }) => `Settled by both parties: ${share(workerBps)}`,
};
