// The page of a task as everyone will see it, while it is written.

import type { Artifact } from '@svc/sdk/documents';
import { parseAmount, splitList } from '../../data/formValues.ts';
import { Brief, MilestoneList, Tags, Title } from '../task/Brief.tsx';
import type { Draft } from './draft.ts';

export function Preview({ draft, artifacts }: { draft: Draft; artifacts: readonly Artifact[] }) {
  const { title, tags, description, criteria, milestones, milestoneTexts } = draft;
  return (
    <div className="stack preview">
      <header className="taskhead">
        <Title text={title.trim() || 'Your title'} />
        <Tags tags={splitList(tags)} />
      </header>
      <Brief words={{ description, criteria, artifacts }}>
        {description.trim() === '' && criteria.trim() === '' && (
          <p className="quiet">
            Nothing is written yet. What you write is shown here as others will read it.
          </p>
        )}
      </Brief>
      {milestones.length > 1 && (
        <MilestoneList
          note={`${milestones.length} parts, paid one after the other`}
          milestones={milestones.map((amount, index) => ({
            amountTokWei: String(parseAmount(amount) ?? 0n),
            description: milestoneTexts[index],
            state: 'later',
          }))}
        />
      )}
    </div>
  );
}
