// One task. An open one is about its reward, a delivered one about the decision; the words, the parties and the history follow.

import { parseTaskId } from '@svc/sdk/domain';
import { type ReactNode, useRef, useState } from 'react';
import { AskModel } from '../components/AskModel.tsx';
import { Ago } from '../components/Clock.tsx';
import { Hex } from '../components/Hex.tsx';
import { BackLink, boardOf } from '../components/navigation.tsx';
import { Loading, lazyPart, QueryView } from '../components/QueryView.tsx';
import { Facts, Fold } from '../components/Sheet.tsx';
import { client, statusOf } from '../data/client.ts';
import { nameTask } from '../data/format.ts';
import { currentMilestone, type TaskDetail, useTask } from '../data/market.ts';
import { orNull } from '../data/orNull.ts';
import { useTitle } from '../data/tabTitle.ts';
import { useAttempt } from '../wallet/useAttempt.ts';
import { useWallet } from '../wallet/useWallet.tsx';
import { Criteria, Milestones, Tags, TaskBrief, Title } from './task/Brief.tsx';
import { ConversationLinks } from './task/ConversationLinks.tsx';
import { Deliveries } from './task/Deliveries.tsx';
import { DisputePanel, EvidenceTimeline } from './task/Dispute.tsx';
import { type Choose, Decision, loadActions, NextStep, TaskButtons } from './task/NextStep.tsx';
import { Parties } from './task/Parties.tsx';
import { Slip, TurnMark, useRoles } from './task/Slip.tsx';
import { Timeline } from './task/Timeline.tsx';

export function TaskPage({ id }: { id: string }) {
  return orNull(() => parseTaskId(id)) !== null ? <LoadedTask id={id} /> : <MissingTask id={id} />;
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
  <Loading what="this task" shape="task" />,
);

/** A separate chunk: the actions need their catalog and the contracts' ABIs. */
const TaskDialogs = lazyPart(async () => (await loadActions()).TaskDialogs, null);

function TaskView({ task, notice }: { task: TaskDetail; notice?: ReactNode }) {
  useTitle(nameTask(task), 'Market');
  const roles = useRoles(task);
  const [chosen, choose] = useState<string | null>(null);
  // Stay mounted after the wallet disconnects, so that an open dialog can report it.
  const wallet = useWallet();
  const wasConnected = useRef(false);
  wasConnected.current ||= wallet !== null;
  const isDeciding = task.state === 'DELIVERED' && roles.includes('poster');
  const isParty = roles.includes('poster') || roles.includes('worker') || roles.includes('arbitrator');
  return (
    <>
      <BackLink href={isParty ? '/my.html' : boardOf(task.market)}>{isParty ? 'My work' : 'Tasks'}</BackLink>
      {isDeciding ? (
        <div className="stack wide">
          <Head task={task} isDeciding />
          <Decision task={task} onChoose={choose} />
          <div className="sides">
            <Side task={task} isDeciding onChoose={choose} />
            <div className="stack wide">
              {notice}
              <Deliveries task={task} />
              <Criteria text={task.criteria ?? ''} title="You asked for" />
              <div className="sheet rows">
                <Fold title="Your brief">
                  <TaskBrief task={task} />
                  <Milestones task={task} />
                </Fold>
                <History task={task} />
                <Fold title="More">
                  <TaskButtons task={task} onChoose={choose} part="rest" />
                </Fold>
              </div>
              <ConversationLinks task={task} />
            </div>
          </div>
        </div>
      ) : (
        <div className="sides" data-is="headed">
          <Head task={task} />
          <Side task={task} onChoose={choose} />
          <div className="stack apart">
            {notice}
            <TaskBrief task={task} />
            <Criteria text={task.criteria ?? ''} title="Accepted when" />
            <Milestones task={task} />
            {/* The words of a private task are not on the server. */}
            {task.scope === 'open' && <Explain key={task.id} task={task} />}
            <Deliveries task={task} />
            {task.dispute !== null && <DisputePanel task={task} dispute={task.dispute} />}
            <EvidenceTimeline task={task} />
            <div className="stack tight">
              <ConversationLinks task={task} />
              <History task={task} />
            </div>
          </div>
        </div>
      )}
      {wasConnected.current && <TaskDialogs task={task} chosen={chosen} onChoose={choose} />}
    </>
  );
}

function Head({ task, isDeciding = false }: { task: TaskDetail; isDeciding?: boolean }) {
  const { id, milestones, deliveredAt, createdAt, round, scope, tags = [] } = task;
  return (
    <header className="taskhead stack tight">
      <Title text={nameTask(task)} />
      <div className="row">
        <TurnMark task={task} />
        {!isDeciding && <Tags tags={tags} market={task.market} />}
        <span className="small soft">
          Task {parseTaskId(id).number}
          {milestones.length > 1 &&
            task.worker !== undefined &&
            `, part ${currentMilestone(task) + 1} of ${milestones.length}`}
          , {task.state === 'DELIVERED' && deliveredAt !== null ? 'delivered' : 'posted'}{' '}
          <Ago time={task.state === 'DELIVERED' && deliveredAt !== null ? deliveredAt : createdAt} />
          {round > 0 && `, listed again ${round === 1 ? 'once' : `${round} times`}`}
          {scope === 'private' && ', private: its words are not public'}
        </span>
      </div>
    </header>
  );
}

type SideProps = { task: TaskDetail; isDeciding?: boolean; onChoose: Choose };

/** The contract and the people, beside the words. */
function Side({ task, isDeciding = false, onChoose }: SideProps) {
  return (
    <aside className="side stack" aria-label="Reward and people">
      <Slip task={task} isDeciding={isDeciding}>
        {!isDeciding && <NextStep task={task} onChoose={onChoose} />}
      </Slip>
      <Parties task={task} />
    </aside>
  );
}

function History({ task }: { task: TaskDetail }) {
  const { id, criteriaHash, settlementDigest, registryAddress } = task;
  return (
    <Fold title={<h2>History</h2>}>
      <Timeline task={task} />
      <Facts
        facts={{
          Task: <Hex value={id} name="Task" />,
          'Criteria hash': <Hex value={criteriaHash} name="Criteria hash" />,
          Digest: settlementDigest && <Hex value={settlementDigest} name="Settlement digest" />,
          Registry: <Hex value={registryAddress} name="Registry" />,
        }}
      />
    </Fold>
  );
}

function Explain({ task: { id, market, dispute } }: { task: TaskDetail }) {
  return (
    <AskModel
      market={market}
      label={dispute === null ? 'Explain this task' : 'Explain this dispute'}
      answerLabel="In other words"
      note="Sends it to a language model."
      asking={useAttempt(() => client.explainTask(id))}
    />
  );
}

function MissingTask({ id }: { id: string }) {
  return (
    <>
      <BackLink href={boardOf(id.startsWith('v2:micro:') ? 'micro' : 'standard')}>Tasks</BackLink>
      <div className="notice">
        <p>
          There is no task <span className="mono">{id.slice(0, 80)}</span> on this market.
        </p>
        <p>
          Ids look like v2:standard:12 or v2:micro:3. A private task is listed only among the tasks of its
          parties. A task that was just posted appears here as soon as its block is read.
        </p>
      </div>
    </>
  );
}
