// The current phase of a task: whose turn it is, the running clock, and the possible next actions.
import { useRef, useState } from 'react';
import { Countdown, useNow } from '../../components/Clock.tsx';
import { TokText } from '../../components/Money.tsx';
import { lazyPart } from '../../components/QueryView.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { showDay } from '../../data/format.ts';
import type { Task } from '../../data/market.ts';
import { describePhase, type Phase, waiting } from '../../data/phases.ts';
import { ConnectHint, useWallet } from '../../wallet/useWallet.tsx';

/** A separate chunk: the actions need their catalog and the contracts' ABIs. */
const loadActions = () => import('../../wallet/TaskActionButtons.tsx');
const loading = <p className="small quiet">Loading the actions…</p>;
const TaskActionButtons = lazyPart(async () => (await loadActions()).TaskActionButtons, loading);
const NextActionList = lazyPart(async () => (await loadActions()).NextActionList, loading);

const headings: Readonly<Record<Phase['who'], string>> = {
  anyone: 'Next step',
  poster: 'The poster’s turn',
  worker: 'The worker’s turn',
  arbitrator: 'The arbitrator’s turn',
  both: 'Both parties’ turn',
  nobody: 'Finished',
};

/** Leads to the panel: under the title, on a phone at the bottom of the screen. Of an ended task it is only read out. */
export function TurnBar({ task }: { task: Task }) {
  const now = useNow();
  const { isOwn, who, todo, sentence, until } = describePhase(task, now, useWallet()?.address);
  const isEnded = who === 'nobody';
  return (
    <p className={isEnded ? 'hidden' : 'sheet line turnbar'} data-is={isOwn ? 'own' : undefined}>
      <span>
        {/* Without the clock, which would be read out every minute. */}
        <span aria-live="polite">{isEnded ? sentence : isOwn ? `Your turn: ${todo}` : waiting[who]}</span>
        {until !== null && (
          <>
            {until < now ? ', ended ' : ', '}
            <Countdown to={until} isRest />
          </>
        )}
      </span>
      {!isEnded && <a href="#next-step">{isOwn ? 'Go to it' : 'Next step'}</a>}
    </p>
  );
}

/** What those do whose turn it is, by `todo` of the phase. Where the phase has more to say, as in a notice, it speaks itself. */
const ownSentences: Readonly<Record<string, string>> = {
  'fund the rest': 'Put the missing amount into escrow: work cannot start before it is there.',
  'start the work': 'Start the work: the time to deliver begins with it.',
  deliver: 'Deliver the current milestone: a note, links and files.',
  'review the delivery':
    'Compare the delivery above with the criteria. Then accept and pay it, request a change, or open a dispute.',
  'answer the dispute': 'Answer what the poster says, with a bond or without one.',
  'propose an arbitrator':
    'Propose an arbitrator. If the other side proposes the same one, it decides the dispute.',
  'give and read evidence':
    'Read what the other side says, and give evidence of your own or say that you have nothing to add.',
  'read the evidence':
    'Read what both sides say. You can rule once both were heard, or when their time is over.',
  'rule on the dispute':
    'Read the criteria, the delivery and what both sides say. Then decide how to split the milestone.',
};

export function PhasePanel({ task }: { task: Task }) {
  const now = useNow();
  const { isOwn, who, todo, sentence, until, after } = describePhase(task, now, useWallet()?.address);
  return (
    <Sheet
      className="phase"
      data-who={who}
      id="next-step"
      tabIndex={-1}
      title={isOwn ? 'Your turn' : headings[who]}
      note={until !== null && <Countdown to={until} isRest />}
    >
      <p>{isOwn ? (ownSentences[todo] ?? sentence) : sentence}</p>
      {until !== null && (
        <p className="small quiet">
          Until {showDay(until)}. <TokText text={after} />
        </p>
      )}
      <TaskActions task={task} now={now} />
      {task.nextActions.length > 0 && <NextActions task={task} now={now} />}
    </Sheet>
  );
}

type ActionsProps = { task: Task; now: number };

function TaskActions({ task, now }: ActionsProps) {
  const wallet = useWallet();
  // Stays mounted after the wallet disconnects, so that an open dialog can report it.
  const wasConnected = useRef(false);
  wasConnected.current ||= wallet !== null;
  if (!wasConnected.current) return task.nextActions.length === 0 ? null : <ConnectHint />;
  return <TaskActionButtons task={task} now={now} />;
}

function NextActions({ task, now }: ActionsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="nextactions small" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>All possible next actions</summary>
      {isOpen && <NextActionList task={task} now={now} />}
    </details>
  );
}
