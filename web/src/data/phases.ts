// The phase of a task: whose turn it is, what to do, the running clock and what happens at its end.
import { type Address, isSameAddress, protocolConstants } from '@svc/sdk/domain';
import type { Task } from './market.ts';
import { showDuration } from './time.ts';

export type Phase = {
  readonly who: 'anyone' | 'poster' | 'worker' | 'arbitrator' | 'both' | 'nobody';
  /** What those whose turn it is do, as in "Your turn: review the delivery". */
  readonly todo: string;
  readonly sentence: string;
  /** When the phase ends, if it has a clock. */
  readonly until: number | null;
  /** What happens after that time. */
  readonly after: string;
  /** Its time is over, and nobody has ended it yet. */
  readonly isOver: boolean;
};

type Timed = Omit<Phase, 'isOver'>;

export const waiting = {
  anyone: 'Open to everyone',
  nobody: 'Finished',
  poster: 'Waiting for the poster',
  worker: 'Waiting for the worker',
  arbitrator: 'Waiting for the arbitrator',
  both: 'Waiting for both parties',
} as const;

const { activationWindowSeconds, deliveryGraceSeconds } = protocolConstants;

export function describePhase(task: Task, now: number): Phase {
  const phase = phases[task.state](task);
  const isOver = phase.until !== null && now > phase.until;
  if (!isOver) return { ...phase, isOver };
  const sentence = 'Time is up: anyone can end this phase now.';
  return { ...phase, who: 'anyone', todo: 'end the phase that ran out', sentence, isOver };
}

/** Whether this wallet has something to do: also its parties, once anyone can end a phase. */
export function isOwnTurn(task: Task, { who, isOver }: Phase, address: Address): boolean {
  const { poster, worker, dispute } = task;
  const turns = {
    poster: [poster],
    worker: [worker],
    // Who has named an arbitrator waits for the other side.
    both: [dispute?.poster.pick == null && poster, dispute?.worker.pick == null && worker],
    arbitrator: [dispute?.judge],
    anyone: isOver ? [poster, worker] : [],
    nobody: [],
  }[who];
  return turns.some((party) => typeof party === 'string' && isSameAddress(party as Address, address));
}

const phases: Readonly<Record<Task['state'], (task: Task) => Timed>> = {
  POSTED: (task) => ({
    who: 'anyone',
    todo: 'claim it',
    sentence: task.fullyFunded
      ? 'Open: every wallet except the poster’s can claim it.'
      : 'Open: the task can be claimed, but the poster must fund it before work starts.',
    until: task.deadline,
    after: 'After that it is no longer listed. Anyone can close it, and escrow goes back to the poster.',
  }),
  CLAIMED: (task) =>
    task.fullyFunded
      ? {
          who: 'poster',
          todo: 'start the work',
          sentence: `The poster starts the work. After ${showDuration(activationWindowSeconds)} the worker can, too.`,
          until: task.updatedAt + 2 * activationWindowSeconds,
          after: 'After that anyone can list it again. The worker gets the bond back.',
        }
      : {
          who: 'poster',
          todo: 'fund the rest',
          sentence: 'The poster must fund the rest before work can start.',
          until: task.updatedAt + activationWindowSeconds,
          after: 'After that anyone can cancel it. The worker gets the bond back.',
        },
  ACTIVE: (task) => ({
    who: 'worker',
    todo: 'deliver',
    sentence: 'The worker delivers a proof of the current milestone.',
    until: task.deadline + deliveryGraceSeconds,
    after: 'After that anyone can end it: escrow goes back to the poster, who also gets the worker’s bond.',
  }),
  DELIVERED: (task) => ({
    who: 'poster',
    todo: 'review the delivery',
    sentence: 'The poster reviews the delivery and accepts or disputes the milestone.',
    until: task.updatedAt + task.reviewPeriod,
    after: 'After that the delivery counts as accepted, and anyone can have the worker paid.',
  }),
  DISPUTED: (task) => describeDispute(task),
  COMPLETED: () => finished('Done: everything was paid to the worker.'),
  RESOLVED: ({ dispute }) => finished(describeOutcome(dispute?.outcome ?? 'settled')),
  CANCELLED: () => finished('Ended without completion: escrow went back to the poster.'),
};

function describeDispute({ dispute }: Task): Timed {
  const until = dispute?.phaseEndsAt ?? null;
  if (dispute?.phase === 'ANSWERING') {
    const sentence =
      'The worker answers, with a bond or without one. Anyone else can put up the bond for it.';
    const after =
      'After that anyone can end the dispute: the milestone and the worker’s bond go to the poster.';
    return { who: 'worker', todo: 'answer the dispute', sentence, until, after };
  }
  if (dispute?.phase === 'ASSIGNED') {
    return {
      who: 'arbitrator',
      todo: 'rule on the dispute',
      sentence: 'The arbitrator decides how to split the milestone.',
      until,
      after: 'After that anyone can escalate, and the arbitrator loses a part of its bond.',
    };
  }
  if (dispute?.phase === 'ESCALATED') {
    const sentence = 'The fallback arbitrator decides how to split the milestone.';
    const isBonded = dispute.worker.payer !== null;
    const after = `After that anyone can end the dispute: the milestone ${isBonded ? 'is split in half' : 'goes to the poster'}.`;
    return { who: 'arbitrator', todo: 'rule on the dispute', sentence, until, after };
  }
  const sentence = 'Both parties propose an arbitrator. If they propose the same one, it is appointed.';
  const after = 'After that anyone can escalate to the fallback arbitrator.';
  return { who: 'both', todo: 'propose an arbitrator', sentence, until, after };
}

const outcomes: Readonly<Record<NonNullable<NonNullable<Task['dispute']>['outcome']>, string>> = {
  ruling: 'Decided: the arbitrator split the milestone.',
  default: 'Decided without an answer: the milestone went to the poster.',
  concededByPoster: 'The poster conceded: the milestone went to the worker.',
  concededByWorker: 'The worker conceded: the milestone went to the poster.',
  settled: 'Settled: both parties agreed on a split.',
  silence: 'Ended without a ruling: the fallback arbitrator did not decide in time.',
};

function describeOutcome(outcome: keyof typeof outcomes): string {
  return outcomes[outcome];
}

function finished(sentence: string): Timed {
  return { who: 'nobody', todo: '', sentence, until: null, after: '' };
}
