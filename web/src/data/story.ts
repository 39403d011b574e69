// A task's events as sentences; what several logs of one transaction say together is told once.
import type { Timeline } from '#client/createMarketClient.ts';
import { shorten, showMoment, showTok } from './format.ts';

export type StoryEvent = Timeline['events'][number];
type Args = StoryEvent['args'];

export type Chapter = { readonly key: string; readonly sentence: string; readonly event: StoryEvent };

/** Newest first. */
export function tellStory(events: readonly StoryEvent[]): Chapter[] {
  return events
    .flatMap((event) => {
      const sentence = sentences[event.name]?.(event.args);
      return sentence === undefined
        ? []
        : [{ key: `${event.blockNumber}.${event.logIndex}`, sentence, event }];
    })
    .reverse();
}

const tok = (value: unknown) => `${showTok(String(value ?? 0))} TOK`;
const wallet = (value: unknown) => shorten(String(value ?? ''));
const share = (value: unknown) => `${Number(value) / 100} % to the worker`;

/** TaskState, bond and credit logs repeat what these say. */
const sentences: Readonly<Record<string, (args: Args) => string>> = {
  TaskPosted: ({ poster, totalAmount }) => `Posted by ${wallet(poster)} for ${tok(totalAmount)}`,
  TaskClaimed: ({ worker }) => `Claimed by ${wallet(worker)}`,
  Funded: ({ amount }) => `${tok(amount)} put into escrow`,
  WorkStarted: () => 'Work started',
  DeadlineMoved: ({ deadline }) => `Deadline moved to ${showMoment(Number(deadline))}`,
  ProofSubmitted: ({ milestone }) => `Milestone ${Number(milestone) + 1} delivered`,
  MilestoneAccepted: ({ milestone, byTimeout }) =>
    `Milestone ${Number(milestone) + 1} accepted${byTimeout === true ? ' by time-out' : ''}`,
  Released: ({ amount }) => `${tok(amount)} paid to the worker`,
  Refunded: ({ amount }) => `${tok(amount)} returned to the poster`,
  FeePaid: ({ amount }) => `${tok(amount)} paid to the arbitrator`,
  TaskCompleted: () => 'Completed',
  WorkerLeft: ({ worker }) => `${wallet(worker)} left`,
  WorkerDismissed: ({ worker }) => `${wallet(worker)} dismissed`,
  DismissalNoticed: ({ effectiveAt }) =>
    `Dismissal noticed, in force after ${showMoment(Number(effectiveAt))}`,
  DisputeOpened: ({ opener }) => `Disputed by ${wallet(opener)}`,
  ArbitratorProposed: ({ by, arbitrator }) => `${wallet(by)} proposed ${wallet(arbitrator)} as arbitrator`,
  ArbitratorAssigned: ({ arbitrator }) => `${wallet(arbitrator)} seated as arbitrator`,
  DisputeEscalated: () => 'Escalated to the fallback arbitrator',
  DisputeResolved: ({ workerBps }) => `Ruled: ${share(workerBps)}`,
  DisputeTimedOut: ({ workerBps }) => `Nobody ruled in time: ${share(workerBps)}`,
  MutuallySettled: ({ workerBps }) => `Settled by both: ${share(workerBps)}`,
};
