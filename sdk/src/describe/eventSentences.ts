// What happened to a task, event by event, as sentences. Logs that repeat another log of the same transaction are left out.
import type * as z from 'zod';
import { milestoneNumber } from '../domain/task.ts';
import type { timelineSchema } from '../schemas/market.ts';
import { type Part, type Says, say } from './parts.ts';

type TaskEvent = z.output<typeof timelineSchema>['events'][number];
type Sentences = {
  readonly [Name in TaskEvent['name']]?: (args: Extract<TaskEvent, { readonly name: Name }>['args']) => Says;
};

/** Null for an event that says what another one says, and for one that this version does not know. */
export function describeEvent({ name, args }: Pick<TaskEvent, 'name' | 'args'>): Says | null {
  const sentence = Object.hasOwn(sentences, name) ? sentences[name] : undefined;
  return (sentence as ((args: TaskEvent['args']) => Says) | undefined)?.(args) ?? null;
}

const tok = (wei: string): Part => ({ tok: BigInt(wei) });
const wallet = (address: string): Part => ({ wallet: address as `0x${string}` });
const share = (bps: number) => `${bps / 100} % to the worker`;

/** TaskState, bond and credit logs repeat what these say. */
const sentences: Sentences = {
  TaskPosted: ({ poster, totalAmount }) => say`Posted by ${wallet(poster)} for ${tok(totalAmount)}`,
  TaskClaimed: ({ worker }) => say`Claimed by ${wallet(worker)}`,
  Funded: ({ amount }) => say`${tok(amount)} put into escrow`,
  WorkStarted: () => say`Work started`,
  DeadlineMoved: ({ deadline }) => say`Deadline moved to ${{ time: deadline }}`,
  ProofSubmitted: ({ milestone }) => say`Milestone ${String(milestoneNumber(milestone))} delivered`,
  MilestoneAccepted: ({ milestone, byTimeout }) =>
    say`Milestone ${String(milestoneNumber(milestone))} accepted${byTimeout ? ' automatically: the review time ended' : ''}`,
  Released: ({ amount }) => say`${tok(amount)} paid to the worker`,
  Refunded: ({ amount }) => say`${tok(amount)} returned to the poster`,
  FeePaid: ({ amount }) => say`${tok(amount)} taken from the award as a fee`,
  TaskCompleted: () => say`Completed`,
  WorkerLeft: ({ worker }) => say`${wallet(worker)} left`,
  WorkerDismissed: ({ worker }) => say`${wallet(worker)} dismissed`,
  DismissalNoticed: ({ effectiveAt }) => say`Dismissal announced; possible after ${{ time: effectiveAt }}`,
  DisputeOpened: ({ opener }) => say`Dispute opened by ${wallet(opener)}`,
  DisputeBond: ({ payer, amount }) => say`${wallet(payer)} put up a dispute bond of ${tok(amount)}`,
  DisputeAnswered: ({ by, withBond }) =>
    say`${wallet(by)} answered the dispute ${withBond ? 'with' : 'without'} a bond`,
  EvidenceSubmitted: ({ by }) => say`${wallet(by)} added evidence`,
  ArbitratorProposed: ({ by, arbitrator }) => say`${wallet(by)} proposed ${wallet(arbitrator)} as arbitrator`,
  ArbitratorAssigned: ({ arbitrator }) => say`${wallet(arbitrator)} appointed as arbitrator`,
  DisputeEscalated: () => say`Escalated to the fallback arbitrator`,
  DisputeResolved: ({ workerBps }) => say`Arbitrator’s ruling: ${share(workerBps)}`,
  DisputeTimedOut: ({ phase, workerBps }) =>
    say`${phase === 'ANSWERING' ? 'No answer in time' : 'No ruling in time'}: ${share(workerBps)}`,
  DisputeConceded: ({ by }) => say`${wallet(by)} conceded`,
  DisputeBondPaid: ({ to, amount }) => say`${tok(amount)} of the dispute bonds paid to ${wallet(to)}`,
  MutuallySettled: ({ workerBps }) => say`Settled by both parties: ${share(workerBps)}`,
};
