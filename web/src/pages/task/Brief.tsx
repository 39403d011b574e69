// The words of a task as everyone reads them: title, tags, description, criteria, files, milestones. The preview of a post
// shows the same components, so that what is signed looks as it will.

import type { Artifact } from '@svc/sdk/documents';
import { isTerminal, type Market, milestoneNumber } from '@svc/sdk/domain';
import { privateMeans } from '@svc/sdk/internal/domain/state';
import { toPlain } from '@svc/sdk/internal/domain/text';
import { type ReactNode, useState } from 'react';
import { Button } from '../../components/Form.tsx';
import { UntrustedList, UntrustedMarkdown } from '../../components/Markdown.tsx';
import { Dollars } from '../../components/Money.tsx';
import { Link } from '../../components/navigation.tsx';
import { WhoName } from '../../components/People.tsx';
import { UntrustedUri } from '../../components/UntrustedText.tsx';
import type { Task } from '../../data/market.ts';
import { FileList } from './WorkDocument.tsx';

/** About three lines on a large screen. */
const longTitleLength = 180;

/** Cut after three lines until the reader asks for all of it. */
export function Title({ text }: { text: string }) {
  const [isExpanded, setExpanded] = useState(false);
  const isLong = text.length > longTitleLength;
  return (
    <>
      <h1 dir="auto" className={isLong && !isExpanded ? 'cut' : undefined}>
        {toPlain(text)}
      </h1>
      {isLong && (
        <Button is="plain" onClick={() => setExpanded(!isExpanded)}>
          {isExpanded ? 'Show less' : 'Show the whole title'}
        </Button>
      )}
    </>
  );
}

/** With a market they lead to its open tasks with the same tag. */
export function Tags({ tags, market }: { tags: readonly string[]; market?: Market }) {
  if (tags.length === 0) return null;
  return (
    <p className="tags">
      {tags.slice(0, 12).map((tag) =>
        market === undefined ? (
          <span key={tag}>{tag.slice(0, 40)}</span>
        ) : (
          <Link key={tag} href={`/market.html?market=${market}&tag=${encodeURIComponent(tag)}`}>
            {tag.slice(0, 40)}
          </Link>
        ),
      )}
    </p>
  );
}

type Words = { description: string; artifacts: readonly Artifact[] };

type BriefProps = {
  words: Words | null;
  /** Whose words they are; absent in a preview. */
  by?: ReactNode;
  task?: Task;
  children?: ReactNode;
};

/** `children` are notes about the words. */
export function Brief({ words, by, task, children }: BriefProps) {
  const { description = '', artifacts = [] } = words ?? {};
  return (
    <section className="stack" aria-label="The work">
      <h2>The work</h2>
      {description !== '' && <UntrustedMarkdown label="Description" by={by} text={description} />}
      {artifacts.length > 0 && <FileList artifacts={artifacts} {...(task !== undefined && { task })} />}
      {children}
    </section>
  );
}

export function Criteria({ text, title = 'Accepted when' }: { text: string; title?: string }) {
  if (text === '') return null;
  return (
    <section className="stack tight">
      <h2>{title}</h2>
      <UntrustedList label="Acceptance criteria" text={text} />
    </section>
  );
}

export function TaskBrief({ task }: { task: Task }) {
  const { title, description = '', artifacts = [], poster } = task;
  return (
    <Brief
      words={title === undefined ? null : { description, artifacts }}
      by={<WroteThis address={poster} />}
      task={task}
    >
      {task.criteriaMatches === false && (
        <p className="notice" data-is="risk">
          The hash of these criteria differs from the one in the terms. Do not rely on them.
        </p>
      )}
      <MissingWords task={task} />
    </Brief>
  );
}

export function WroteThis({ address }: { address: string }) {
  return (
    <>
      <WhoName address={address} /> wrote this. Nobody has checked it.
    </>
  );
}

/** Why the words of a task are not on its page. */
function MissingWords({ task: { title, scope, uri } }: { task: Task }) {
  if (scope === 'private')
    return title === undefined ? (
      <p className="soft">The words of this task are known only to its parties. {privateMeans}</p>
    ) : null;
  if (uri === null)
    return (
      <p className="soft">
        The history of this task is still being read from the chain. Its description, deliveries and evidence
        appear here in a moment.
      </p>
    );
  if (title !== undefined) return null;
  if (uri === '')
    return (
      <p className="soft">
        This market does not show the words of this task. Only their hash is on chain: ask the poster for them
        before you claim.
      </p>
    );
  return (
    <p>
      The description is stored elsewhere; this page does not load it: <UntrustedUri uri={uri} />
    </p>
  );
}

const milestoneLabels = {
  pending: 'later',
  current: 'in work',
  delivered: 'delivered',
  paid: 'paid',
} as const;

function labelOf({ state: taskState }: Task, state: keyof typeof milestoneLabels): string {
  if (state === 'current' && (taskState === 'POSTED' || taskState === 'CLAIMED')) return 'first';
  return state === 'delivered' && taskState === 'DISPUTED' ? 'disputed' : milestoneLabels[state];
}

/** Of a milestone that was not accepted before its task ended. */
function endedLabel({ state: taskState }: Task, state: keyof typeof milestoneLabels): string {
  return taskState === 'RESOLVED' && state !== 'pending' ? 'split' : 'not paid';
}

type MilestoneRow = { amountTokWei: string; description?: string | undefined; state: string };

export function Milestones({ task }: { task: Task }) {
  // One without a name is the whole task: its money is beside it.
  if (task.milestones.length === 1 && (task.milestones[0]?.description ?? '') === '') return null;
  const hasEnded = isTerminal(task.state);
  return (
    <MilestoneList
      milestones={task.milestones.map(({ state, ...milestone }) => ({
        ...milestone,
        // Before a claim there is one state for all.
        state:
          task.state === 'POSTED'
            ? ''
            : hasEnded && state !== 'paid'
              ? endedLabel(task, state)
              : labelOf(task, state),
      }))}
    />
  );
}

export function MilestoneList({ note, milestones }: { note?: string; milestones: readonly MilestoneRow[] }) {
  const { length } = milestones;
  return (
    <section className="stack tight" aria-label="Milestones">
      <h2>{length === 1 ? 'Paid at once' : `Paid in ${counts[length] ?? length} parts`}</h2>
      <ol className="sheet rows milestones">
        {milestones.map(({ amountTokWei, state, description = '' }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: milestones have no id
          <li key={index} data-is={state === 'in work' ? 'current' : state}>
            <span>
              {index + 1}.{' '}
              {description === '' ? (
                `Milestone ${milestoneNumber(index)}`
              ) : (
                <bdi dir="auto">{description}</bdi>
              )}
            </span>
            <span className="milestate">{state}</span>
            <span className="paid">
              <Dollars wei={amountTokWei} isExact />
            </span>
          </li>
        ))}
      </ol>
      {note !== undefined && <p className="small soft">{note}</p>}
    </section>
  );
}

const counts = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
