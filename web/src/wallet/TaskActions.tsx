// Buttons for the actions that the connected wallet can take on a task now; each opens a dialog.

import { isSameAddress } from '@svc/sdk/domain';
import { lazy, Suspense, useState } from 'react';
import type { Task } from '#data/market.ts';
import { actionWords } from './actionWords.ts';
import { useWallet, WrongChain } from './useWallet.tsx';

/** A separate chunk: it needs the contracts' ABIs. */
const TaskActionDialog = lazy(async () => ({
  default: (await import('./TaskActionDialog.tsx')).TaskActionDialog,
}));

/** The usual next steps, in this order; the other actions end the task or leave it. */
const mainActions = [
  'claim-task',
  'fund-task',
  'start-work',
  'submit-proof',
  'accept-milestone',
  'propose-arbitrator',
  'resolve-dispute',
  'escalate',
  'resolve-timed-out',
];

export function TaskActions({ task, now }: { readonly task: Task; readonly now: number }) {
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <>
      {task.nextActions.length > 0 && <ActionButtons task={task} now={now} onChoose={setChosen} />}
      {/* Stays open after the action has changed the task, so that the reader sees the result. */}
      {chosen !== null && (
        <Suspense fallback={<p className="notice">Loading the action…</p>}>
          <TaskActionDialog action={chosen} task={task} onClose={() => setChosen(null)} />
        </Suspense>
      )}
    </>
  );
}

function ActionButtons({
  task,
  now,
  onChoose,
}: {
  readonly task: Task;
  readonly now: number;
  readonly onChoose: (action: string) => void;
}) {
  const wallet = useWallet();
  if (wallet === null) {
    return <p className="small quiet">Connect a wallet to see what you can do.</p>;
  }
  if (!wallet.isOnChain) return <WrongChain />;
  const actions = actionsOf(task, wallet.address, now);
  if (actions.length === 0) return <p className="small quiet">This wallet cannot do anything here now.</p>;
  return (
    <div className="actions">
      {actions.map((action) => (
        <button
          key={action}
          type="button"
          className="button"
          data-is={mainActions.includes(action) ? 'main' : undefined}
          onClick={() => onChoose(action)}
        >
          {actionWords[action]?.name ?? action}
        </button>
      ))}
    </div>
  );
}

function actionsOf(task: Task, address: string, now: number): string[] {
  const isPoster = isMine(task.poster, address);
  const roles = {
    poster: isPoster,
    worker: isMine(task.worker, address),
    arbitrator: isMine(task.dispute?.arbitrator, address),
    anyone: true,
  };
  const names = task.nextActions
    .filter(
      ({ by, from, until }) =>
        roles[by] && (from === null || now >= from) && (until === null || now <= until),
    )
    .map(({ action }) => action)
    .filter((action) => Object.hasOwn(actionWords, action))
    // A poster cannot claim its own task.
    .filter((action) => action !== 'claim-task' || !isPoster);
  return [...new Set(names)].sort((left, right) => rankOf(left) - rankOf(right));
}

function rankOf(action: string): number {
  const rank = mainActions.indexOf(action);
  return rank === -1 ? mainActions.length : rank;
}

function isMine(party: string | null | undefined, address: string): boolean {
  return typeof party === 'string' && isSameAddress(party as `0x${string}`, address as `0x${string}`);
}
