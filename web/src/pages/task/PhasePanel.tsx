// The current phase of a task: whose turn it is, the running clock, and the possible next actions.
import { isSameAddress, protocolConstants } from '@svc/sdk/domain';
import { lazy, Suspense, useRef, useState } from 'react';
import { Countdown, useNow } from '#components/Clock.tsx';
import type { Task } from '#data/market.ts';
import { showDuration, showMoment } from '#data/time.ts';
import { ConnectHint, useWallet } from '#wallet/useWallet.tsx';

/** A separate chunk: the actions need their catalog and the contracts' ABIs. */
const loadActions = () => import('#wallet/TaskActionButtons.tsx');
const TaskActionButtons = lazy(async () => ({ default: (await loadActions()).TaskActionButtons }));
const NextActionList = lazy(async () => ({ default: (await loadActions()).NextActionList }));

const headings = {
  anyone: 'Anyone’s turn',
  poster: 'The poster’s turn',
  worker: 'The worker’s turn',
  arbitrator: 'The judge’s turn',
  both: 'Both parties’ turn',
  nobody: 'Finished',
} as const;

type Phase = {
  readonly who: keyof typeof headings;
  /** What those whose turn it is do, as in "Your turn: review the delivery". */
  readonly todo: string;
  readonly sentence: string;
  /** When the phase ends, if it has a clock. */
  readonly until: number | null;
  /** What happens after that time. */
  readonly after: string;
};

/** Leads to the panel: under the title, on a phone at the bottom of the screen. */
export function TurnBar({ task }: { readonly task: Task }) {
  const now = useNow();
  const { who, todo, until } = describePhase(task, now);
  const isOwn = useIsOwnTurn(task, who);
  if (who === 'nobody') return null;
  return (
    <p className="turnbar" data-is={isOwn ? 'own' : undefined}>
      <span>
        {isOwn ? `Your turn: ${todo}` : waiting[who]}
        {until !== null && (
          <>
            {until < now ? ', ended ' : ', ends '}
            <Countdown to={until} />
          </>
        )}
      </span>
      <a href="#next-step">{isOwn ? 'Go to it' : 'Next step'}</a>
    </p>
  );
}

const waiting = {
  anyone: 'Open to everyone',
  poster: 'Waiting for the poster',
  worker: 'Waiting for the worker',
  arbitrator: 'Waiting for the arbitrator',
  both: 'Waiting for both parties',
} as const;

function useIsOwnTurn(task: Task, who: Phase['who']): boolean {
  const address = useWallet()?.address;
  if (address === undefined) return false;
  const { poster, worker, dispute } = task;
  const parties = {
    poster: [poster],
    worker: [worker],
    both: [poster, worker],
    arbitrator: [dispute?.judge],
    anyone: [],
    nobody: [],
  }[who];
  return parties.some((party) => typeof party === 'string' && isSameAddress(party as `0x${string}`, address));
}

const ownSentences: Partial<Readonly<Record<Task['state'], string>>> = {
  ACTIVE: 'Deliver the current milestone: a note, links and files.',
  DELIVERED:
    'Compare the delivery above with the criteria. Then accept and pay it, request a change, or open a dispute.',
};

export function PhasePanel({ task }: { readonly task: Task }) {
  const now = useNow();
  const { who, sentence, until, after } = describePhase(task, now);
  const isOwn = useIsOwnTurn(task, who);
  return (
    <section className="sheet phase" data-who={who} id="next-step" tabIndex={-1}>
      <header>
        <h2>{isOwn ? 'Your turn' : headings[who]}</h2>
        {until !== null && <Countdown to={until} />}
      </header>
      <div className="body stack">
        <p>{isOwn ? (ownSentences[task.state] ?? sentence) : sentence}</p>
        {until !== null && (
          <p className="small quiet">
            Until {showMoment(until)}. {after}
          </p>
        )}
        <TaskActions task={task} now={now} />
        {task.nextActions.length > 0 && <NextActions task={task} now={now} />}
      </div>
    </section>
  );
}

type ActionsProps = { readonly task: Task; readonly now: number };

function TaskActions({ task, now }: ActionsProps) {
  const wallet = useWallet();
  // Stays mounted after the wallet disconnects, so that an open dialog can report it.
  const wasConnected = useRef(false);
  wasConnected.current ||= wallet !== null;
  if (!wasConnected.current) return task.nextActions.length === 0 ? null : <ConnectHint />;
  return (
    <Suspense fallback={<p className="small quiet">Loading the actions…</p>}>
      <TaskActionButtons task={task} now={now} />
    </Suspense>
  );
}

function NextActions({ task, now }: ActionsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="nextactions small" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>All possible next actions</summary>
      {isOpen && (
        <Suspense fallback={<p className="quiet">Loading the actions…</p>}>
          <NextActionList task={task} now={now} />
        </Suspense>
      )}
    </details>
  );
}

const { activationWindowSeconds, deliveryGraceSeconds } = protocolConstants;

function describePhase(task: Task, now: number): Phase {
  const phase = phases[task.state](task);
  const isOver = phase.until !== null && now > phase.until;
  return isOver ? { ...phase, who: 'anyone', sentence: 'Time is up: anyone can end this phase now.' } : phase;
}

const phases: Readonly<Record<Task['state'], (task: Task) => Phase>> = {
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

function describeDispute({ dispute }: Task): Phase {
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
  ruling: 'Decided: the judge split the milestone.',
  default: 'Decided without an answer: the milestone went to the poster.',
  concededByPoster: 'The poster conceded: the milestone went to the worker.',
  concededByWorker: 'The worker conceded: the milestone went to the poster.',
  settled: 'Settled: both parties agreed on a split.',
  silence: 'Ended without a ruling: the fallback arbitrator did not decide in time.',
};

function describeOutcome(outcome: keyof typeof outcomes): string {
  return outcomes[outcome];
}

function finished(sentence: string): Phase {
  return { who: 'nobody', todo: '', sentence, until: null, after: '' };
}
