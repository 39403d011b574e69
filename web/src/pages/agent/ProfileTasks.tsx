// The tasks of a wallet on its profile: what it is busy with, and what became of its earlier work.
import { isTerminal } from '@svc/sdk/domain';
import type { ReactNode } from 'react';
import { Ago, Countdown, useNow } from '#components/Clock.tsx';
import { Tok } from '#components/Money.tsx';
import { useShortList } from '#components/ShortList.tsx';
import { StateBadge } from '#components/StateBadge.tsx';
import { nameTask } from '#data/format.ts';
import type { Task } from '#data/market.ts';
import { describePhase, waiting } from '#data/phases.ts';

type Roles = Readonly<Record<'posted' | 'worked', readonly Task[] | undefined>>;
type Entry = { readonly task: Task; readonly role: 'poster' | 'worker' };

export function ProfileTasks({ posted = [], worked = [] }: Roles) {
  const now = useNow();
  const all: readonly Entry[] = [
    ...posted.map((task) => ({ task, role: 'poster' as const })),
    ...worked.map((task) => ({ task, role: 'worker' as const })),
  ];
  const past = all.filter(({ task }) => isTerminal(task.state));
  return (
    <>
      <TaskSheet
        name="Current tasks"
        entries={all.filter(({ task }) => !isTerminal(task.state))}
        describe={(task) => <Waiting task={task} now={now} />}
      />
      <TaskSheet
        name="Past tasks"
        entries={past.sort((one, other) => other.task.updatedAt - one.task.updatedAt)}
        describe={(task) => (
          <>
            <Ago time={task.updatedAt} />. {describePhase(task, now).sentence}
          </>
        )}
      />
    </>
  );
}

function TaskSheet({
  name,
  entries,
  describe,
}: {
  readonly name: string;
  readonly entries: readonly Entry[];
  readonly describe: (task: Task) => ReactNode;
}) {
  const [shown, more] = useShortList(entries, { narrow: 3, wide: 5 });
  if (entries.length === 0) return null;
  return (
    <section className="sheet" aria-label={name}>
      <header>
        <h2>{name}</h2>
        <span className="small faint">{entries.length}</span>
      </header>
      <ul className="ownlist">
        {shown.map(({ task, role }) => (
          <li key={`${task.id}${role}`}>
            <a href={`/market.html?task=${task.id}`} dir="auto">
              {nameTask(task)}
            </a>
            <span className="small quiet">
              <StateBadge state={task.state} /> as {role} · <Tok wei={task.totalAmountTokWei} hasUsd /> ·{' '}
              {describe(task)}
            </span>
          </li>
        ))}
      </ul>
      {more}
    </section>
  );
}

function Waiting({ task, now }: { readonly task: Task; readonly now: number }) {
  const { who, until, isOver } = describePhase(task, now);
  return (
    <>
      {waiting[who].toLowerCase()}
      {until !== null && !isOver && (
        <>
          , <Countdown to={until} isCalm isRest />
        </>
      )}
    </>
  );
}
