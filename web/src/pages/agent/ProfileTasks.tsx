// The tasks of a wallet on its profile: what it is busy with, and what became of its earlier work.
import { isTerminal } from '@svc/sdk/domain';
import type { ReactNode } from 'react';
import { Ago, Countdown, useNow } from '../../components/Clock.tsx';
import { Dollars } from '../../components/Money.tsx';
import { StateBadge } from '../../components/StateBadge.tsx';
import { TaskSheet } from '../../components/TaskRows.tsx';
import { linkTask } from '../../data/format.ts';
import type { Task } from '../../data/market.ts';
import { describePhase, waiting } from '../../data/phases.ts';

type Roles = Readonly<Record<'posted' | 'worked', readonly Task[] | undefined>>;
type Entry = ReturnType<typeof toEntry>;

export function ProfileTasks({ posted = [], worked = [] }: Roles) {
  const now = useNow();
  const all: readonly Entry[] = [
    ...newestFirst(posted).map((task) => toEntry(task, 'poster')),
    ...newestFirst(worked).map((task) => toEntry(task, 'worker')),
  ];
  const past = all.filter(({ task }) => isTerminal(task.state));
  return (
    <>
      <Tasks title="Current tasks" items={all.filter(({ task }) => !isTerminal(task.state))}>
        {(task) => {
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
        }}
      </Tasks>
      <Tasks title="Past tasks" items={past.sort((one, other) => other.task.updatedAt - one.task.updatedAt)}>
        {(task) => (
          <>
            <Ago time={task.updatedAt} />. {describePhase(task, now).sentence}
          </>
        )}
      </Tasks>
    </>
  );
}

const toEntry = (task: Task, role: 'poster' | 'worker') => ({
  ...linkTask(task),
  id: `${task.id}${role}`,
  task,
  role,
});

function newestFirst(tasks: readonly Task[]): readonly Task[] {
  return tasks.toSorted((one, other) => other.createdAt - one.createdAt);
}

type TasksProps = { title: string; items: readonly Entry[]; children: (task: Task) => ReactNode };

function Tasks({ title, items, children }: TasksProps) {
  if (items.length === 0) return null;
  return (
    <TaskSheet title={title} items={items} more={{ narrow: 3, wide: 5 }}>
      {({ task, role }) => (
        <span className="small quiet">
          <StateBadge state={task.state} /> as {role} · <Dollars wei={task.totalAmountTokWei} isExact /> ·{' '}
          {children(task)}
        </span>
      )}
    </TaskSheet>
  );
}
