// What can be done with a task now: in its slip, or as the decision about a delivery.
import { type Address, isSameAddress } from '@svc/sdk/domain';
import { useState } from 'react';
import { Countdown, useNow } from '../../components/Clock.tsx';
import { Button } from '../../components/Form.tsx';
import { Dollars, TokText, useRoundDown } from '../../components/Money.tsx';
import { Loading, lazyPart } from '../../components/QueryView.tsx';
import { Says } from '../../components/Says.tsx';
import { showWhen } from '../../data/format.ts';
import { dueAmount, type Task, useKept } from '../../data/market.ts';
import { useTodo } from '../../data/ownTasks.ts';
import { describePhase, type Phase } from '../../data/phases.ts';
import { ConnectHint, chooseWalletEvent, useWallet } from '../../wallet/useWallet.tsx';

export const loadActions = () => import('../../wallet/TaskActionButtons.tsx');

const loading = <Loading what="the actions" />;

/** A separate chunk: the actions need their catalog and the contracts' ABIs. */
export const TaskButtons = lazyPart(async () => (await loadActions()).TaskButtons, loading);
const NextActionList = lazyPart(async () => (await loadActions()).NextActionList, loading);

/** The name of an action, or of what else has a dialog. */
export type Choose = (name: string) => void;

type StepProps = { task: Task; onChoose: Choose };

const headings: Readonly<Record<Phase['who'], string>> = {
  anyone: 'Next step',
  poster: 'The poster’s turn',
  worker: 'The worker’s turn',
  arbitrator: 'The arbitrator’s turn',
  both: 'Both parties’ turn',
  nobody: 'Finished',
};

/** What those do whose turn it is, by `todo` of the phase. Where the phase has more to say, as in a notice, it speaks itself. */
const ownSentences: Readonly<Record<string, string>> = {
  'fund the rest': 'Put the missing amount into escrow: work cannot start before it is there.',
  'start the work': 'Start the work: the time to deliver begins with it.',
  deliver: 'Deliver the current milestone: a note, links and files.',
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

export function NextStep({ task, onChoose }: StepProps) {
  const now = useNow();
  const wallet = useWallet();
  const { isOwn, who, todo, sentence, until, after } = describePhase(task, now, wallet?.address);
  const isOpen = task.state === 'POSTED' && who === 'anyone' && wallet?.address !== task.poster;
  return (
    <section
      className="stack tight"
      id="next-step"
      tabIndex={-1}
      aria-label={isOwn ? 'Your turn' : headings[who]}
    >
      {!isOpen && <p>{isOwn ? (ownSentences[todo] ?? sentence) : sentence}</p>}
      {task.state === 'DELIVERED' &&
        wallet !== null &&
        isSameAddress(wallet.address, task.worker as Address) && (
          <AskedChange id={task.id} own={wallet.address} />
        )}
      {!isOpen && until !== null && (
        <p className="small soft">
          <Countdown to={until} isRest />, until {showWhen(until, now)}. <TokText text={after} />
        </p>
      )}
      {wallet !== null ? (
        task.nextActions.length > 0 && <TaskButtons task={task} onChoose={onChoose} part="all" />
      ) : isOpen ? (
        <ClaimLater task={task} />
      ) : (
        task.nextActions.length > 0 && <ConnectHint />
      )}
      {isOpen && <p className="small soft">Yours at once, no bidding.</p>}
      {!isOpen && task.nextActions.length > 0 && <NextActions task={task} now={now} />}
    </section>
  );
}

/** In the words of the poster, from the list of what waits for the worker. */
function AskedChange({ id, own }: { id: string; own: Address }) {
  const rows = useTodo(own).data?.flatMap(({ todo }) => todo);
  const asked = rows?.find(({ task, isPrivate }) => isPrivate && task?.taskId === id);
  if (asked === undefined) return null;
  return (
    <div className="notice" data-is="time">
      <p>
        <Says says={asked.says} />
      </p>
      <a href={`/messages.html?conversation=${asked.conversation}`}>Open the conversation</a>
    </div>
  );
}

/** The claim of a reader without a wallet begins with one. */
function ClaimLater({ task }: { task: Task }) {
  const earned = useRoundDown(useKept(task));
  return (
    <div className="go">
      <Button is="main" className="large wide" onClick={() => dispatchEvent(new Event(chooseWalletEvent))}>
        {earned === null ? 'Claim this task' : `Claim and earn ${earned}`}
      </Button>
    </div>
  );
}

function NextActions({ task, now }: { task: Task; now: number }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="nextactions small" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>All possible next actions</summary>
      {isOpen && <NextActionList task={task} now={now} />}
    </details>
  );
}

/** Of the poster about a delivery: what silence does, and three answers side by side. */
export function Decision({ task, onChoose }: StepProps) {
  const now = useNow();
  const until = task.updatedAt + task.reviewPeriod;
  return (
    <section className="decide" id="next-step" tabIndex={-1} aria-label="Your turn">
      <div className="stack dense">
        <p className="big">
          {now <= until ? (
            <>
              <Countdown to={until} isRest />. Silence pays{' '}
              <b>
                <Dollars wei={dueAmount(task)} />
              </b>{' '}
              {showWhen(until, now)}.
            </>
          ) : (
            <>
              <b data-tone="risk">Your time is over.</b> Anyone can have{' '}
              <b>
                <Dollars wei={dueAmount(task)} />
              </b>{' '}
              paid to the worker now.
            </>
          )}
        </p>
        <progress max={task.reviewPeriod} value={Math.max(0, until - now)} aria-label="Review time left" />
      </div>
      <TaskButtons task={task} onChoose={onChoose} part="answers" />
    </section>
  );
}
