// One task: its description, milestones, money, parties, current phase and history.

import { type Market, parseTaskId } from '@svc/sdk/domain';
import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { AskModel } from '#components/AskModel.tsx';
import { Ago } from '#components/Clock.tsx';
import { Hex } from '#components/Hex.tsx';
import { marketNames } from '#components/MarketHeader.tsx';
import { MoneyTable } from '#components/Money.tsx';
import { Link } from '#components/navigation.tsx';
import { LoadError, QueryView } from '#components/QueryView.tsx';
import { ShareButton } from '#components/ShareButton.tsx';
import { Skeleton } from '#components/Skeleton.tsx';
import { StateBadge } from '#components/StateBadge.tsx';
import { client, statusOf } from '#data/client.ts';
import { nameTask } from '#data/format.ts';
import { type Task, type TaskDetail, useTask } from '#data/market.ts';
import { setTitle } from '#data/tabTitle.ts';
import { showDuration, showMoment } from '#data/time.ts';
import { Milestones, Tags, TaskBrief, Title } from './task/Brief.tsx';
import { ConversationLinks } from './task/ConversationLinks.tsx';
import { Deliveries } from './task/Deliveries.tsx';
import { DisputePanel } from './task/DisputePanel.tsx';
import { EvidenceTimeline } from './task/Evidence.tsx';
import { Parties } from './task/Parties.tsx';
import { PhasePanel, TurnBar } from './task/PhasePanel.tsx';
import { SimilarTasks } from './task/SimilarTasks.tsx';
import { Timeline } from './task/Timeline.tsx';

export function TaskPage({ id }: { readonly id: string }) {
  return (
    <>
      <p className="crumbs small">
        <Link href={`/market.html?market=${marketOf(id)}`}>← {marketNames[marketOf(id)]} market</Link>
      </p>
      {isTaskId(id) ? <LoadedTask id={id} /> : <MissingTask id={id} />}
    </>
  );
}

function LoadedTask({ id }: { readonly id: string }) {
  const task = useTask(id);
  useEffect(() => {
    if (task.data !== undefined) setTitle(`${task.data.title ?? id} · svc`);
    return () => {
      setTitle('Market · svc');
    };
  }, [task.data, id]);
  if (task.isError && task.data === undefined && statusOf(task.error) === 404) return <MissingTask id={id} />;
  if (task.isError && task.data === undefined)
    return <LoadError error={task.error} what="this task" onRetry={() => void task.refetch()} />;
  return (
    <QueryView query={task} what="this task" shape="task">
      {(known) => (known.scope === 'private' ? <PrivateTask task={known} /> : <TaskView task={known} />)}
    </QueryView>
  );
}

/** A separate chunk: it reads messages. */
const PrivateWords = lazy(async () => ({ default: (await import('./task/PrivateWords.tsx')).PrivateWords }));

function PrivateTask({ task }: { readonly task: TaskDetail }) {
  return (
    // Not the task without its words: its buttons would be replaced, and with them a dialog that was opened meanwhile.
    <Suspense fallback={<Skeleton text="Loading this task…" shape="task" />}>
      <PrivateWords task={task}>{(known, notice) => <TaskView task={known} notice={notice} />}</PrivateWords>
    </Suspense>
  );
}

function TaskView({ task, notice }: { readonly task: TaskDetail; readonly notice?: ReactNode }) {
  return (
    <>
      <header className="taskhead">
        <p>
          <StateBadge state={task.state} />
          <Hex value={task.id} name="Task" />
          {task.scope === 'private' && <span className="badge">private: its words are not public</span>}
          {task.round > 0 && <span className="badge">listed again {task.round} ×</span>}
          <ShareButton title={nameTask(task)} />
        </p>
        <Title text={nameTask(task)} />
        <Tags tags={task.tags ?? []} market={task.market} />
      </header>
      <TurnBar task={task} />
      <div className="taskgrid" data-is="task">
        <div className="stack">
          {notice}
          <TaskBrief task={task} />
          {/* The words of a private task are not on the server. */}
          {task.scope === 'open' && <Explain task={task} />}
          <Deliveries task={task} />
          {task.dispute !== null && <DisputePanel task={task} dispute={task.dispute} />}
          <EvidenceTimeline task={task} />
          {/* Below the work: nobody should accept what they have not seen. */}
          <PhasePanel task={task} />
          <ConversationLinks task={task} />
          <Milestones task={task} />
          <Timeline task={task} />
          <SimilarTasks task={task} />
        </div>
        <aside className="stack" aria-label="Money, parties and terms">
          <section className="sheet">
            <header>
              <h2>Money</h2>
            </header>
            <div className="body">
              <MoneyTable escrow={task} />
            </div>
          </section>
          <Parties task={task} />
          <Terms task={task} />
        </aside>
      </div>
    </>
  );
}

function Explain({ task: { id, market, dispute } }: { readonly task: TaskDetail }) {
  return (
    <AskModel
      key={id}
      market={market}
      label={dispute === null ? 'Explain this task to me' : 'Explain this dispute to me'}
      answerLabel="In other words"
      note="Sends the public words of this task to a language model."
      ask={() => client.explainTask(id)}
    />
  );
}

function Terms({ task }: { readonly task: Task }) {
  return (
    <section className="sheet">
      <header>
        <h2>Terms</h2>
      </header>
      <div className="body stack">
        <dl className="pairs">
          <dt>Deadline</dt>
          <dd>{showMoment(task.deadline)}</dd>
          <dt>Review</dt>
          <dd>{showDuration(task.reviewPeriod)} for each delivery</dd>
          <dt>Posted</dt>
          <dd>
            <Ago time={task.createdAt} />
          </dd>
        </dl>
        <details className="technical small">
          <summary>Technical details</summary>
          <dl className="pairs">
            <dt>Criteria hash</dt>
            <dd>
              <Hex value={task.criteriaHash} name="Criteria hash" />
            </dd>
            {task.settlementDigest !== undefined && (
              <>
                <dt>Digest</dt>
                <dd>
                  <Hex value={task.settlementDigest} name="Settlement digest" />
                </dd>
              </>
            )}
            <dt>Registry</dt>
            <dd>
              <Hex value={task.registryAddress} name="Registry" />
            </dd>
          </dl>
        </details>
      </div>
    </section>
  );
}

function MissingTask({ id }: { readonly id: string }) {
  return (
    <div className="notice">
      <p>
        There is no task <span className="mono">{id.slice(0, 80)}</span> on this market.
      </p>
      <p>
        Ids look like v2:standard:12 or v2:micro:3. A private task is listed only among the tasks of its
        parties. A task that was just posted appears here as soon as its block is read.
      </p>
    </div>
  );
}

function marketOf(id: string): Market {
  return id.startsWith('v2:micro:') ? 'micro' : 'standard';
}

function isTaskId(id: string): boolean {
  try {
    parseTaskId(id);
    return true;
  } catch {
    return false;
  }
}
