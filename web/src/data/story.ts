// A task's events as sentences, with the wallets in them; what several logs of one transaction say together is told once.
import type { Timeline } from '@svc/sdk/client';
import { showMoment, showTok } from './format.ts';

export type StoryEvent = Timeline['events'][number];
type Args = StoryEvent['args'];

/** Words, and wallets among them. */
export type Sentence = readonly (string | Wallet)[];
type Wallet = { readonly wallet: string };

export type Chapter = { readonly key: string; readonly sentence: Sentence; readonly event: StoryEvent };

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
const wallet = (value: unknown): Wallet => ({ wallet: String(value ?? '') });
const share = (value: unknown) => `${Number(value) / 100} % to the worker`;

const say = (words: TemplateStringsArray, ...values: readonly (string | number | Wallet)[]): Sentence =>
  words
    .flatMap((word, index) => {
      const value = values[index] ?? '';
      return [word, typeof value === 'object' ? value : String(value)];
    })
    .filter((part) => part !== '');

/** TaskState, bond and credit logs repeat what these say. */
const sentences: Readonly<Record<string, (args: Args) => Sentence>> = {
  TaskPosted: ({ poster, totalAmount }) => say`Posted by ${wallet(poster)} for ${tok(totalAmount)}`,
  TaskClaimed: ({ worker }) => say`Claimed by ${wallet(worker)}`,
  Funded: ({ amount }) => say`${tok(amount)} put into escrow`,
  WorkStarted: () => say`Work started`,
  DeadlineMoved: ({ deadline }) => say`Deadline moved to ${showMoment(Number(deadline))}`,
  ProofSubmitted: ({ milestone }) => say`Milestone ${Number(milestone) + 1} delivered`,
  MilestoneAccepted: ({ milestone, byTimeout }) =>
    say`Milestone ${Number(milestone) + 1} accepted${byTimeout === true ? ' by time-out' : ''}`,
  Released: ({ amount }) => say`${tok(amount)} paid to the worker`,
  Refunded: ({ amount }) => say`${tok(amount)} returned to the poster`,
  FeePaid: ({ amount }) => say`${tok(amount)} paid to the arbitrator`,
  TaskCompleted: () => say`Completed`,
  WorkerLeft: ({ worker }) => say`${wallet(worker)} left`,
  WorkerDismissed: ({ worker }) => say`${wallet(worker)} dismissed`,
  DismissalNoticed: ({ effectiveAt }) =>
    say`Dismissal noticed, in force after ${showMoment(Number(effectiveAt))}`,
  DisputeOpened: ({ opener }) => say`Disputed by ${wallet(opener)}`,
  ArbitratorProposed: ({ by, arbitrator }) => say`${wallet(by)} proposed ${wallet(arbitrator)} as arbitrator`,
  ArbitratorAssigned: ({ arbitrator }) => say`${wallet(arbitrator)} seated as arbitrator`,
  DisputeEscalated: () => say`Escalated to the fallback arbitrator`,
  DisputeResolved: ({ workerBps }) => say`Ruled: ${share(workerBps)}`,
  DisputeTimedOut: ({ workerBps }) => say`Nobody ruled in time: ${share(workerBps)}`,
  MutuallySettled: ({ workerBps }) => say`Settled by both: ${share(workerBps)}`,
};
