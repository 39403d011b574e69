// One task: its texts, its money, whose turn it is, and everything that has happened to it.

import { parseTaskId } from '@svc/sdk/domain';
import { useEffect } from 'react';
import { Answer, Failure } from '../components/Answer.tsx';
import { Ago } from '../components/Clock.tsx';
import { Foreign, ForeignUri } from '../components/Foreign.tsx';
import { Hex } from '../components/Hex.tsx';
import { Link } from '../components/Link.tsx';
import { MoneyTable } from '../components/Money.tsx';
import { State } from '../components/State.tsx';
import { Title } from '../components/Title.tsx';
import { statusOf } from '../data/client.ts';
import { showDuration, showMoment } from '../data/format.ts';
import { type Task, useTask } from '../data/market.ts';
import { Milestones } from './task/Milestones.tsx';
import { Parties } from './task/Parties.tsx';
import { Story } from './task/Story.tsx';
import { TurnPanel } from './task/TurnPanel.tsx';

export function TaskPage({ id }: { readonly id: string }) {
  return (
    <>
      <p className="crumbs small">
        <Link href={`/market.html?market=${marketOf(id)}`}>← {marketOf(id)} market</Link>
      </p>
      {isTaskId(id) ? <Known id={id} /> : <Unknown id={id} />}
    </>
  );
}

function Known({ id }: { readonly id: string }) {
  const task = useTask(id);
  useEffect(() => {
    if (task.data !== undefined) document.title = `${task.data.title ?? id} · svc`;
    return () => {
      document.title = 'Market · svc';
    };
  }, [task.data, id]);
  if (task.isError && task.data === undefined && statusOf(task.error) === 404) return <Unknown id={id} />;
  if (task.isError && task.data === undefined)
    return <Failure error={task.error} what="this task" onRetry={() => void task.refetch()} />;
  return (
    <Answer of={task} what="this task">
      {(known) => <Full task={known} />}
    </Answer>
  );
}

function Full({ task }: { readonly task: Task }) {
  return (
    <>
      <header className="taskhead">
        <p>
          <State state={task.state} />
          <Hex value={task.id} name="Task" />
          {task.scope === 'private' && <span className="badge">private: only those with its id find it</span>}
          {task.round > 0 && <span className="badge">listed again {task.round} ×</span>}
        </p>
        <Title text={task.title ?? `Task ${task.id.split(':')[2]}`} />
        {task.tags !== undefined && task.tags.length > 0 && (
          <p className="tags">
            {task.tags.slice(0, 12).map((tag) => (
              <span key={tag}>{tag.slice(0, 40)}</span>
            ))}
          </p>
        )}
      </header>
      <div className="taskgrid">
        <div className="stack">
          <Texts task={task} />
          <Milestones task={task} />
          <Story task={task} />
        </div>
        <aside className="stack" aria-label="Money, turn and parties">
          <TurnPanel task={task} />
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

function Texts({ task }: { readonly task: Task }) {
  const isInline = task.title !== undefined;
  return (
    <section className="sheet">
      <header>
        <h2>What is asked for</h2>
        <span className="small faint">written by the poster, not checked by anyone</span>
      </header>
      <div className="body stack">
        {isInline && task.description !== '' && <Foreign label="Description" text={task.description ?? ''} />}
        {isInline && task.criteria !== '' && (
          <Foreign label="Acceptance criteria" text={task.criteria ?? ''} />
        )}
        {task.criteriaMatches === false && (
          <p className="notice" data-is="risk">
            These criteria are not the ones that the terms are bound to: their hash differs. Do not rely on
            them.
          </p>
        )}
        {!isInline && task.uri !== null && (
          <p>
            The texts are kept elsewhere and are not loaded by this page: <ForeignUri uri={task.uri} />
          </p>
        )}
        {task.uri === null && <p className="quiet">The texts are still being read from the chain.</p>}
      </div>
    </section>
  );
}

function Terms({ task }: { readonly task: Task }) {
  return (
    <section className="sheet">
      <header>
        <h2>Terms</h2>
      </header>
      <dl className="body pairs">
        <dt>Deadline</dt>
        <dd>{showMoment(task.deadline)}</dd>
        <dt>Review</dt>
        <dd>{showDuration(task.reviewPeriod)} for each delivery</dd>
        <dt>Posted</dt>
        <dd>
          <Ago time={task.createdAt} />
        </dd>
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
    </section>
  );
}

function Unknown({ id }: { readonly id: string }) {
  return (
    <div className="notice">
      <p>
        There is no task <span className="mono">{id.slice(0, 80)}</span> on this market.
      </p>
      <p>
        An id reads v2:standard:12 or v2:micro:3. A private task is found by its exact id. A task that was
        just posted appears here by itself once its block is read.
      </p>
    </div>
  );
}

function marketOf(id: string): string {
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
