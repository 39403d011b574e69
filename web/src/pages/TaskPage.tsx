// One task: its description, milestones, money, parties, current phase and history.

import { describeFunding, type Market, parseTaskId, protocolConstants } from '@svc/sdk/domain';
import { offeredAmount } from '@svc/sdk/internal/domain/task';
import type { ReactNode } from 'react';
import { AskModel } from '../components/AskModel.tsx';
import { Ago } from '../components/Clock.tsx';
import { Button } from '../components/Form.tsx';
import { Hex, useCopying } from '../components/Hex.tsx';
import { marketNames } from '../components/MarketHeader.tsx';
import { MoneyTable, Tok } from '../components/Money.tsx';
import { Link } from '../components/navigation.tsx';
import { lazyPart, QueryView, Skeleton } from '../components/QueryView.tsx';
import { Says } from '../components/Says.tsx';
import { Facts, Sheet, TechnicalFacts } from '../components/Sheet.tsx';
import { StateBadge } from '../components/StateBadge.tsx';
import { client, statusOf } from '../data/client.ts';
import { nameTask, showDuration, showExactDuration, showMoment } from '../data/format.ts';
import { type Task, type TaskDetail, useTask } from '../data/market.ts';
import { orNull } from '../data/orNull.ts';
import { useTitle } from '../data/tabTitle.ts';
import { useAttempt } from '../wallet/useAttempt.ts';
import { Milestones, Tags, TaskBrief, Title } from './task/Brief.tsx';
import { ConversationLinks } from './task/ConversationLinks.tsx';
import { Deliveries } from './task/Deliveries.tsx';
import { DisputePanel, EvidenceTimeline } from './task/Dispute.tsx';
import { Parties } from './task/Parties.tsx';
import { PhasePanel, TurnBar } from './task/PhasePanel.tsx';
import { Timeline } from './task/Timeline.tsx';

export function TaskPage({ id }: { id: string }) {
  return (
    <>
      <p className="crumbs small">
        <Link href={`/market.html?market=${marketOf(id)}`}>← {marketNames[marketOf(id)]} market</Link>
      </p>
      {orNull(() => parseTaskId(id)) !== null ? <LoadedTask id={id} /> : <MissingTask id={id} />}
    </>
  );
}

function LoadedTask({ id }: { id: string }) {
  const task = useTask(id);
  if (task.isError && task.data === undefined && statusOf(task.error) === 404) return <MissingTask id={id} />;
  return (
    <QueryView query={task} what="this task" shape="task">
      {(known) =>
        known.scope === 'private' ? (
          <PrivateWords task={known}>
            {(found, notice) => <TaskView task={found} notice={notice} />}
          </PrivateWords>
        ) : (
          <TaskView task={known} />
        )
      }
    </QueryView>
  );
}

/** A separate chunk: it reads messages. */
const PrivateWords = lazyPart(
  async () => (await import('./task/PrivateWords.tsx')).PrivateWords,
  // Not the task without its words: its buttons would be replaced, and with them a dialog that was opened meanwhile.
  <Skeleton text="Loading this task…" shape="task" />,
);

function TaskView({ task, notice }: { task: TaskDetail; notice?: ReactNode }) {
  const title = nameTask(task);
  useTitle(title, 'Market');
  return (
    <>
      <header className="taskhead">
        <p className="line">
          <StateBadge state={task.state} />
          <Hex value={task.id} name="Task" />
          {task.scope === 'private' && <span className="badge">private: its words are not public</span>}
          {task.round > 0 && <span className="badge">listed again {task.round} ×</span>}
          <ShareButton title={title} />
        </p>
        <Title text={title} />
        <p className="headmoney">
          <Tok wei={offeredAmount(task)} hasUsd />{' '}
          <span className="quiet small">
            <Says says={describeFunding(task)} />
          </span>
        </p>
        <Tags tags={task.tags ?? []} market={task.market} />
      </header>
      <TurnBar task={task} />
      <div className="taskgrid" data-is="task">
        <div className="stack">
          {notice}
          <TaskBrief task={task} />
          {/* The words of a private task are not on the server. */}
          {task.scope === 'open' && <Explain key={task.id} task={task} />}
          <Deliveries task={task} />
          {task.dispute !== null && <DisputePanel task={task} dispute={task.dispute} />}
          <EvidenceTimeline task={task} />
          {/* Below the work: nobody should accept what they have not seen. */}
          <PhasePanel task={task} />
          <ConversationLinks task={task} />
          <Milestones task={task} />
          <Timeline task={task} />
        </div>
        <aside className="stack" aria-label="Money, parties and terms">
          <Sheet title="Money">
            <MoneyTable escrow={task} />
          </Sheet>
          <Parties task={task} />
          <Terms task={task} />
        </aside>
      </div>
    </>
  );
}

/** Through the device where it can, else by copying the link. */
function ShareButton({ title }: { title: string }) {
  const [isCopied, copy] = useCopying();
  const share = async () => {
    if (navigator.share !== undefined) {
      try {
        await navigator.share({ title, url: location.href });
        return;
      } catch (error) {
        // The reader has closed the device's dialog.
        if (error instanceof DOMException && error.name === 'AbortError') return;
      }
    }
    await copy(location.href);
  };
  return (
    <Button is="plain" onClick={share}>
      <span aria-live="polite">
        {isCopied === null ? 'Share' : isCopied ? 'Link copied' : 'Copy the address of this page'}
      </span>
    </Button>
  );
}

function Explain({ task: { id, market, dispute } }: { task: TaskDetail }) {
  return (
    <AskModel
      market={market}
      label={dispute === null ? 'Explain this task to me' : 'Explain this dispute to me'}
      answerLabel="In other words"
      note="Sends the public words of this task to a language model."
      asking={useAttempt(() => client.explainTask(id))}
    />
  );
}

function Terms({ task }: { task: Task }) {
  return (
    <Sheet title="Terms">
      <Facts
        facts={{
          Deadline: `${showMoment(task.deadline)}, and ${showDuration(protocolConstants.deliveryGraceSeconds)} of grace to deliver`,
          Review: `${showExactDuration(task.reviewPeriod)} for each delivery`,
          Posted: <Ago time={task.createdAt} />,
        }}
      />
      <TechnicalFacts
        facts={{
          'Criteria hash': <Hex value={task.criteriaHash} name="Criteria hash" />,
          Digest: task.settlementDigest && <Hex value={task.settlementDigest} name="Settlement digest" />,
          Registry: <Hex value={task.registryAddress} name="Registry" />,
        }}
      />
    </Sheet>
  );
}

function MissingTask({ id }: { id: string }) {
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
