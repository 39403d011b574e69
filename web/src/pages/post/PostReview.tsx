// The last step of a post: all of its terms, with the words as everyone will read them.

import type { Artifact } from '@svc/sdk/documents';
import { hashMilestones, milestoneNumber, protocolConstants } from '@svc/sdk/domain';
import type { ReactNode } from 'react';
import { Hex } from '../../components/Hex.tsx';
import { UntrustedList, UntrustedMarkdown } from '../../components/Markdown.tsx';
import { Dollars } from '../../components/Money.tsx';
import { TechnicalFacts } from '../../components/Sheet.tsx';
import { showBytes } from '../../data/fileContents.ts';
import { showDuration, showExactDuration, showWhen } from '../../data/format.ts';
import { parseAmount, splitList } from '../../data/formValues.ts';
import { Tags } from '../task/Brief.tsx';
import { type Draft, deadlineOf, type Post } from './draft.ts';

type ReviewProps = {
  draft: Draft;
  post: Post | null;
  /** Who takes the task, in two words. */
  who: string;
  artifacts: readonly Artifact[];
  now: number;
  /** Of a listing its own terms, in place of the reward; null for a post. */
  listing: readonly (readonly [string, ReactNode])[] | null;
};

export function PostReview({ draft, post, who, artifacts, now, listing }: ReviewProps) {
  const { title, description, criteria, milestones, milestoneTexts, tags } = draft;
  const amounts = milestones.map((amount) => parseAmount(amount) ?? 0n);
  const deadline = post?.deadline ?? deadlineOf(draft, now);
  const terms: readonly (readonly [string, ReactNode])[] = [
    ...(listing ?? [
      ['Reward', <Dollars key="reward" wei={amounts.reduce((sum, one) => sum + one, 0n)} isExact />] as const,
    ]),
    ...(amounts.length > 1
      ? amounts.map((wei, index) => {
          const name = milestoneTexts[index]?.trim() || `part ${milestoneNumber(index)}`;
          return [
            `Part ${milestoneNumber(index)}`,
            <>
              <Dollars wei={wei} isExact /> <span dir="auto">{name}</span>
            </>,
          ] as const;
        })
      : []),
    [
      'Due',
      Number.isNaN(deadline)
        ? 'no date yet'
        : `${showWhen(deadline, now)}, then ${showDuration(protocolConstants.deliveryGraceSeconds)} of grace`,
    ],
    [
      'Review',
      post === null
        ? 'not said yet'
        : `${showExactDuration(post.reviewPeriod)} for each delivery. Silence pays.`,
    ],
    ...(description.trim() === ''
      ? []
      : ([
          ['The work', <UntrustedMarkdown key="work" label="Description" by="You" text={description} />],
        ] as const)),
    ...(criteria.trim() === ''
      ? []
      : ([
          ['Accepted when', <UntrustedList key="criteria" label="Acceptance criteria" text={criteria} />],
        ] as const)),
    ...(artifacts.length === 0
      ? []
      : ([
          [
            'Files',
            <bdi key="files">
              {artifacts.map(({ name, bytes }) => `${name}, ${showBytes(bytes)}`).join('; ')}
            </bdi>,
          ],
        ] as const)),
    ['Who reads it', 'Anyone, for ever'],
    [
      'Cancel',
      listing === null
        ? 'Free until it is claimed; the fee stays paid'
        : 'Close it whenever you like: nothing is paid yet',
    ],
  ];
  return (
    <section className="slip" aria-label="What you post">
      <div className="stub stack dense">
        <h2 dir="auto">{title.trim() || 'Your title'}</h2>
        <div className="row">
          <Tags tags={splitList(tags)} />
          <span className="small soft">{who}</span>
        </div>
      </div>
      <div className="tear" />
      <div className="terms stack">
        <dl className="written">
          {terms.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {post !== null && (
          <TechnicalFacts
            facts={{
              'Criteria hash': <Hex value={post.criteriaHash} name="Criteria hash" />,
              'Milestones hash': <Hex value={hashMilestones(post.milestonesTokWei)} name="Milestones hash" />,
              Digest: 'of these terms and the worker, computed at the claim',
            }}
          />
        )}
      </div>
    </section>
  );
}
