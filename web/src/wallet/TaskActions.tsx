// The actions that the connected wallet may take on a task now, each behind a button that explains before it signs.

import { isSameAddress } from '@svc/sdk/domain';
import { lazy, Suspense, useState } from 'react';
import type { Task } from '../data/market.ts';
import { actionWords } from './actionWords.ts';
import { OtherChain } from './OtherChain.tsx';
import { useWallet } from './useWallet.ts';

/** Loaded when somebody wants to act: it brings every contract's words along. */
const TaskActionDialog = lazy(async () => ({
  default: (await import('./TaskActionDialog.tsx')).TaskActionDialog,
}));

/** Pressing one of these is the usual next step; the others lead out of the task. */
const forward = [
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
      {task.nextActions.length > 0 && <Choices task={task} now={now} onChoose={setChosen} />}
      {/* Stays when the action has changed what may be done next: its end is yet to be read. */}
      {chosen !== null && (
        <Suspense fallback={<p className="notice">Loading what this action does…</p>}>
          <TaskActionDialog action={chosen} task={task} onClose={() => setChosen(null)} />
        </Suspense>
      )}
    </>
  );
}

function Choices({
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
    return <p className="small quiet">Connect a wallet to see what you may do.</p>;
  }
  if (!wallet.isOnChain) return <OtherChain />;
  const actions = actionsOf(task, wallet.address, now);
  if (actions.length === 0) return <p className="small quiet">There is nothing for this wallet to do now.</p>;
  return (
    <div className="actions">
      {actions.map((action) => (
        <button
          key={action}
          type="button"
          className="button"
          data-is={forward.includes(action) ? 'main' : undefined}
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
    // A poster cannot be its own worker.
    .filter((action) => action !== 'claim-task' || !isPoster);
  return [...new Set(names)].sort((left, right) => rankOf(left) - rankOf(right));
}

function rankOf(action: string): number {
  const rank = forward.indexOf(action);
  return rank === -1 ? forward.length : rank;
}

function isMine(party: string | null | undefined, address: string): boolean {
  return typeof party === 'string' && isSameAddress(party as `0x${string}`, address as `0x${string}`);
}
