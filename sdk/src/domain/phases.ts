// The phases of a task as intervals of chain time: whose turn it is, what they do, the running clock, and what silence does.
import { type Address, isSameAddress } from './address.ts';
import { formatTok, groupThousands } from './amount.ts';
import type { DisputeOutcome } from './disputeFacts.ts';
import { protocolConstants } from './parameters.ts';
import type { Actor, TaskState } from './state.ts';
import { type Dispute, isFullyFunded, type Task } from './task.ts';

export type Phase = {
  /** The action of the catalog that the task waits for. */
  readonly action: string;
  /** Whose turn it is. */
  readonly by: readonly Actor[];
  /** Its first and its last second, both included; null leaves that end open. */
  readonly from: number | null;
  readonly to: number | null;
  /** The last second in which the action comes in time. */
  readonly until: number;
  /** What happens after that time. */
  readonly after: string;
  /** The same, said to the arbitrator, where it is about it. */
  readonly arbitratorAfter?: string;
  /** What those whose turn it is do, as in "Your turn: review the delivery". */
  readonly todo: string;
  /** What the arbitrator does, where that is something else. */
  readonly arbitratorTodo?: string;
  readonly sentence: string;
  /** The same, said to the one whose turn it is. */
  readonly own?: string | undefined;
  /** The time is over, and nobody has ended the phase yet. */
  readonly isOverdue: boolean;
};

const { activationWindowSeconds, deliveryGraceSeconds, dismissWindowSeconds } = protocolConstants;

/** The last second of the state that the task is in; after it anyone may end that state. Null once the task has ended. */
export function stateEndsAt(task: Task): number | null {
  switch (task.state) {
    case 'POSTED':
      return task.deadline;
    case 'CLAIMED':
      return task.updatedAt + (isFullyFunded(task) ? 2 : 1) * activationWindowSeconds;
    case 'ACTIVE':
      return task.deadline + deliveryGraceSeconds;
    case 'DELIVERED':
      return task.updatedAt + task.reviewPeriod;
    case 'DISPUTED':
      return task.dispute?.phaseEndsAt ?? null;
    default:
      return null;
  }
}

/** A dispute that both sides paid for goes to the fallback arbitrator when its time is over, instead of ending. */
export function isEscalatable({ state, dispute }: Pick<Task, 'state' | 'dispute'>): boolean {
  return state === 'DISPUTED' && (dispute?.phase === 'PROPOSING' || dispute?.phase === 'ASSIGNED');
}

/** All phases of the task as it stands, without gaps: the last one is overdue and open. None once the task has ended. */
export function listPhases(task: Task): Phase[] {
  const end = stateEndsAt(task);
  if (end === null) return [];
  const steps = describeState(task, end);
  const phases = steps.map((step, at): Phase => {
    const before = steps[at - 1];
    return { ...step, from: before === undefined ? null : before.to + 1, isOverdue: false };
  });
  const last = phases.at(-1) as Phase;
  const overdue: Phase = {
    ...last,
    action: isEscalatable(task) ? 'escalate' : 'resolve-timed-out',
    by: ['anyone'],
    from: end + 1,
    to: null,
    todo: 'end the phase that ran out',
    sentence: 'Time is up: anyone can end this phase now.',
    own: undefined,
    isOverdue: true,
  };
  return [...phases, overdue];
}

/** The phase at that second of the chain; null once the task has ended. */
export function findPhase(task: Task, now: number): Phase | null {
  return listPhases(task).findLast(({ from }) => from === null || from <= now) ?? null;
}

/** What a wallet with these roles does in the phase, as in "Your turn: review the delivery". */
export function todoOf({ todo, arbitratorTodo }: Phase, roles: readonly string[]): string {
  return roles.includes('arbitrator') ? (arbitratorTodo ?? todo) : todo;
}

/** What happens after the phase, in words for a wallet with these roles. */
export function afterOf({ after, arbitratorAfter }: Phase, roles: readonly string[]): string {
  return roles.includes('arbitrator') ? (arbitratorAfter ?? after) : after;
}

/** What goes on in the phase, in words for a wallet with these roles. */
export function sentenceOf({ sentence, own = sentence, by }: Phase, roles: readonly string[]): string {
  return by.some((role) => roles.includes(role)) ? own : sentence;
}

const outcomes: Readonly<Record<DisputeOutcome, string>> = {
  ruling: 'Decided: the arbitrator split the milestone.',
  default: 'Decided without an answer: the milestone went to the poster.',
  concededByPoster: 'The poster conceded: the milestone went to the worker.',
  concededByWorker: 'The worker conceded: the milestone went to the poster.',
  settled: 'Settled: both parties agreed on a split.',
  silence: 'Ended without a ruling: the fallback arbitrator did not decide in time.',
};

/** How a task has ended, or, for a wallet that has no part in it any more, that it goes on. `isWorker`: said to the worker. */
export function describeEnd(state: TaskState, outcome: DisputeOutcome | null, isWorker = false): string {
  if (state === 'COMPLETED') return `Done: everything was paid to ${isWorker ? 'you' : 'the worker'}.`;
  if (state === 'CANCELLED') return 'Ended without completion: escrow went back to the poster.';
  return state === 'RESOLVED' ? outcomes[outcome ?? 'settled'] : 'The task continues without this wallet.';
}

/** The fields of a task, or of its record, that say what a wallet is to it. */
export type Involved = {
  readonly state: TaskState;
  readonly poster: Address;
  readonly worker?: Address | null | undefined;
  readonly dispute: { readonly phase: string; readonly judge: Address | null } | null;
};

/** What a wallet is to a task. A sponsor pays the dispute bond of the worker, which only an unanswered dispute needs. */
export function rolesOf({ state, poster, worker, dispute }: Involved, wallet: Address): Actor[] {
  const is = (party: Address | null | undefined) => party != null && isSameAddress(party, wallet);
  const isPoster = is(poster);
  const isWorker = is(worker);
  const roles: Record<Actor, boolean> = {
    poster: isPoster,
    worker: isWorker,
    arbitrator: is(dispute?.judge),
    sponsor: dispute?.phase === 'ANSWERING' && !isPoster && !isWorker,
    'anyone but the poster': state === 'POSTED' && !isPoster,
    anyone: true,
  };
  return (Object.keys(roles) as Actor[]).filter((role) => roles[role]);
}

type Step = Omit<Phase, 'from' | 'to' | 'isOverdue'> & { readonly to: number };

function describeState(task: Task, end: number): Step[] {
  const clock = { to: end, until: end };
  switch (task.state) {
    case 'POSTED':
      return [
        {
          ...clock,
          action: 'claim-task',
          by: ['anyone but the poster'],
          todo: 'claim it',
          sentence: isFullyFunded(task)
            ? 'Open: every wallet except the poster’s can claim it.'
            : 'Open: the task can be claimed, but the poster must fund it before work starts.',
          after:
            'After that it is no longer listed. Anyone can close it, and escrow goes back to the poster.',
        },
      ];
    case 'CLAIMED':
      return describeClaimed(task, clock);
    case 'ACTIVE':
      return describeActive(task, clock);
    case 'DELIVERED':
      return [
        {
          ...clock,
          action: 'accept-milestone',
          by: ['poster'],
          todo: 'review the delivery',
          sentence: 'The poster reviews the delivery and accepts or disputes the milestone.',
          own: 'You review the delivery and accept or dispute the milestone.',
          after: `After that the delivery counts as accepted, and anyone can have the worker paid ${showPayment(task)}.`,
        },
      ];
    default:
      return describeHearing(task.dispute as Dispute, {
        ...clock,
        ...describeDispute(task.dispute as Dispute),
      });
  }
}

/** Of the current milestone, with its amount. */
function showPayment({ milestones, milestone }: Task): string {
  return `${groupThousands(formatTok(milestones[milestone] ?? 0n))} TOK`;
}

/** A judge rules only when both sides were heard, or had the time for it. */
function describeHearing({ rulingFrom }: Dispute, step: Step): Step[] {
  if (rulingFrom == null) return [step];
  const last = rulingFrom - 1;
  const hearing: Step = {
    ...step,
    action: 'submit-evidence',
    by: ['poster', 'worker', 'arbitrator'],
    to: last,
    until: last,
    todo: 'give and read evidence',
    arbitratorTodo: 'read the evidence',
    sentence: 'Both sides are heard before the arbitrator rules. A side with nothing to add can say so.',
    own: undefined,
    after: 'After that the arbitrator can rule.',
    arbitratorAfter: 'After that you can rule.',
  };
  return [hearing, step];
}

/** Where the fallback arbitrator stays silent, a side without a bond gets nothing. */
function silentOutcome(posterPayer: Address | null, workerPayer: Address | null): string {
  if (posterPayer === null) return 'goes to the worker';
  return workerPayer === null ? 'goes to the poster' : 'is split in half';
}

type Clock = { readonly to: number; readonly until: number };

function describeClaimed(task: Task, clock: Clock): Step[] {
  if (!isFullyFunded(task))
    return [
      {
        ...clock,
        action: 'fund-task',
        by: ['poster'],
        todo: 'fund the rest',
        sentence: 'The poster must fund the rest before work can start.',
        own: 'You must fund the rest before work can start.',
        after: 'After that anyone can cancel it. The worker gets the bond back.',
      },
    ];
  const start = {
    ...clock,
    action: 'start-work',
    todo: 'start the work',
    after: `After that anyone can ${task.scope === 'private' ? 'end it: escrow goes back to the poster' : 'list it again'}. The worker gets the bond back, and its record shows that it left.`,
  };
  // A poster who is silent for the first window leaves the start to the worker.
  return [
    {
      ...start,
      by: ['poster'],
      to: task.updatedAt + activationWindowSeconds,
      sentence: 'The poster starts the work. After a day the worker can, too.',
      own: 'You start the work. After a day the worker can, too.',
    },
    { ...start, by: ['poster', 'worker'], sentence: 'The poster or the worker starts the work.' },
  ];
}

/** A notice of dismissal shortens the worker's clock; it lapses unless the poster uses it. */
function describeActive({ dismissAt, noticeAnswered }: Task, clock: Clock): Step[] {
  const work: Step = {
    ...clock,
    action: 'submit-proof',
    by: ['worker'],
    todo: 'deliver',
    sentence: 'The worker delivers a proof of the current milestone.',
    own: 'You deliver a proof of the current milestone.',
    after: 'After that anyone can end it: escrow goes back to the poster, who also gets the worker’s bond.',
  };
  if (dismissAt === null || dismissAt >= clock.to) return [work];
  const lapsesAt = Math.min(dismissAt + dismissWindowSeconds, clock.to);
  const noticed: Step = {
    ...work,
    to: dismissAt,
    until: dismissAt,
    todo: noticeAnswered ? 'deliver before the notice ends' : 'deliver, or answer the notice',
    sentence: noticeAnswered
      ? 'The poster has announced a dismissal, and the worker has answered it. A delivery clears it.'
      : 'The poster has announced a dismissal. A delivery clears it; an answer saves the worker’s bond.',
    own: noticeAnswered
      ? 'The poster has announced your dismissal, and you have answered it. A delivery clears it.'
      : 'The poster has announced your dismissal. A delivery clears it; an answer saves your bond.',
    after: noticeAnswered
      ? 'After that the poster can dismiss the worker.'
      : 'After that the poster can dismiss the worker and gets its bond.',
  };
  const dismissible: Step = {
    ...work,
    to: lapsesAt,
    until: lapsesAt,
    todo: 'deliver before you are dismissed',
    sentence: `The poster can dismiss the worker now. A delivery of the worker prevents it${noticeAnswered ? '' : '; an answer saves its bond'}.`,
    own: `The poster can dismiss you now. A delivery prevents it${noticeAnswered ? '' : '; an answer saves your bond'}.`,
    after: lapsesAt === clock.to ? work.after : 'After that the notice of dismissal has lapsed.',
  };
  return [noticed, dismissible, ...(lapsesAt < clock.to ? [work] : [])];
}

function describeDispute(dispute: Dispute): Omit<Step, keyof Clock> {
  const { phase, judge, posterPick, workerPick, posterPayer, workerPayer } = dispute;
  const ruling = {
    action: 'resolve-dispute',
    by: ['arbitrator'],
    todo: 'rule on the dispute',
    own: 'You decide how to split the milestone.',
  } as const;
  if (phase === 'ANSWERING')
    return {
      action: 'answer-dispute',
      by: ['worker'],
      todo: 'answer the dispute',
      sentence: 'The worker answers, with a bond or without one. Anyone else can put up the bond for it.',
      own: 'You answer, with a bond or without one. Anyone else can put up the bond for you.',
      after: 'After that anyone can end the dispute: the milestone and the worker’s bond go to the poster.',
    };
  if (phase === 'ASSIGNED')
    return {
      ...ruling,
      sentence: 'The arbitrator decides how to split the milestone.',
      after: 'After that anyone can escalate, and the arbitrator loses a part of its bond.',
      arbitratorAfter: 'After that anyone can escalate, and you lose a part of your bond.',
    };
  if (phase === 'ESCALATED' && judge === null)
    return {
      action: 'mutual-settle',
      by: ['poster', 'worker'],
      todo: 'settle together, or wait',
      sentence:
        'The fallback arbitrator is a party, so nobody can rule. Both sides can settle together, or wait.',
      after:
        'After that anyone can end the dispute: the milestone goes to the side that is not the fallback arbitrator.',
    };
  if (phase === 'ESCALATED')
    return {
      ...ruling,
      sentence: 'The fallback arbitrator decides how to split the milestone.',
      after: `After that anyone can end the dispute: the milestone ${silentOutcome(posterPayer, workerPayer)}.`,
    };
  // A side that has named an arbitrator waits for the other one; two that named different ones have to agree.
  const silent = [posterPick === null && 'poster', workerPick === null && 'worker'] as const;
  const turn = silent.filter((side) => side !== false);
  return {
    action: 'propose-arbitrator',
    by: turn.length === 0 ? ['poster', 'worker'] : turn,
    ...describeProposals(posterPick, workerPick),
    after: 'After that anyone can escalate to the fallback arbitrator.',
  };
}

function describeProposals(posterPick: Address | null, workerPick: Address | null) {
  if (posterPick === null || workerPick === null)
    return {
      todo: 'propose an arbitrator',
      sentence: 'Both parties propose an arbitrator. If they propose the same one, it is appointed.',
    };
  return isSameAddress(posterPick, workerPick)
    ? {
        todo: 'propose another arbitrator',
        sentence: 'The arbitrator that both parties proposed cannot take the case. They propose another one.',
      }
    : {
        todo: 'agree on an arbitrator',
        sentence:
          'The parties have proposed different arbitrators. Once one of them proposes the other’s, it is appointed.',
      };
}
