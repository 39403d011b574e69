// A task's events as sentences. Logs that repeat another log of the same transaction are left out.

import { milestoneNumber } from '@svc/sdk/domain';
import type { Timeline } from '@svc/sdk/internal/client/createMarketClient';
import { showMoment, showTok } from './format.ts';

export type TaskEvent = Timeline['events'][number];
type Args = TaskEvent['args'];

/** Text, with wallets in it that the page links. */
export type Sentence = readonly (string | Wallet)[];
type Wallet = { readonly wallet: string };

export type TimelineEntry = { readonly key: string; readonly sentence: Sentence; readonly event: TaskEvent };

/** Newest first. */
export function describeEvents(events: readonly TaskEvent[]): TimelineEntry[] {
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

const sentenceOf = (
  words: TemplateStringsArray,
  ...values: readonly (string | number | Wallet)[]
): Sentence =>
  words
    .flatMap((word, index) => {
      const value = values[index] ?? '';
      return [word, typeof value === 'object' ? value : String(value)];
    })
    .filter((part) => part !== '');

/** TaskState, bond and credit logs repeat what these say. */
const sentences: Readonly<Record<string, (args: Args) => Sentence>> = {
  TaskPosted: ({ poster, totalAmount }) => sentenceOf`Posted by ${wallet(poster)} for ${tok(totalAmount)}`,
  TaskClaimed: ({ worker }) => sentenceOf`Claimed by ${wallet(worker)}`,
  Funded: ({ amount }) => sentenceOf`${tok(amount)} put into escrow`,
  WorkStarted: () => sentenceOf`Work started`,
  DeadlineMoved: ({ deadline }) => sentenceOf`Deadline moved to ${showMoment(Number(deadline))}`,
  ProofSubmitted: ({ milestone }) => sentenceOf`Milestone ${milestoneNumber(Number(milestone))} delivered`,
  MilestoneAccepted: ({ milestone, byTimeout }) =>
    sentenceOf`Milestone ${milestoneNumber(Number(milestone))} accepted${byTimeout === true ? ' automatically: the review time ended' : ''}`,
  Released: ({ amount }) => sentenceOf`${tok(amount)} paid to the worker`,
  Refunded: ({ amount }) => sentenceOf`${tok(amount)} returned to the poster`,
  FeePaid: ({ amount }) => sentenceOf`${tok(amount)} taken from the award as a fee`,
  TaskCompleted: () => sentenceOf`Completed`,
  WorkerLeft: ({ worker }) => sentenceOf`${wallet(worker)} left`,
  WorkerDismissed: ({ worker }) => sentenceOf`${wallet(worker)} dismissed`,
  DismissalNoticed: ({ effectiveAt }) =>
    sentenceOf`Dismissal announced; possible after ${showMoment(Number(effectiveAt))}`,
  DisputeOpened: ({ opener }) => sentenceOf`Dispute opened by ${wallet(opener)}`,
  DisputeBond: ({ payer, amount }) => sentenceOf`${wallet(payer)} put up a dispute bond of ${tok(amount)}`,
  DisputeAnswered: ({ by, withBond }) =>
    sentenceOf`${wallet(by)} answered the dispute ${withBond === true ? 'with' : 'without'} a bond`,
  EvidenceSubmitted: ({ by }) => sentenceOf`${wallet(by)} added evidence`,
  ArbitratorProposed: ({ by, arbitrator }) =>
    sentenceOf`${wallet(by)} proposed ${wallet(arbitrator)} as arbitrator`,
  ArbitratorAssigned: ({ arbitrator }) => sentenceOf`${wallet(arbitrator)} appointed as arbitrator`,
  DisputeEscalated: () => sentenceOf`Escalated to the fallback arbitrator`,
  DisputeResolved: ({ workerBps }) => sentenceOf`Arbitrator’s ruling: ${share(workerBps)}`,
  DisputeTimedOut: ({ phase, workerBps }) =>
    sentenceOf`${phase === 'ANSWERING' ? 'No answer in time' : 'No ruling in time'}: ${share(workerBps)}`,
  DisputeConceded: ({ by }) => sentenceOf`${wallet(by)} conceded`,
  DisputeBondPaid: ({ to, amount }) => sentenceOf`${tok(amount)} of the dispute bonds paid to ${wallet(to)}`,
  MutuallySettled: ({ workerBps }) => sentenceOf`Settled by both parties: ${share(workerBps)}`,
};
