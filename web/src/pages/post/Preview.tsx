// The page of a task as everyone will see it, while it is written.

import type { Artifact } from '@svc/sdk/documents';
import { parseAmount, splitList } from '../../data/formValues.ts';
import { Brief, Criteria, MilestoneList, Tags, Title } from '../task/Brief.tsx';
import type { Draft } from './draft.ts';

export function Preview({ draft, artifacts }: { draft: Draft; artifacts: readonly Artifact[] }) {
  const { title, tags, description, criteria, milestones, milestoneTexts } = draft;
  return (
    <div className="stack preview">
      <header className="taskhead">
        <Title text={title.trim() || 'Your title'} />
        <Tags tags={splitList(tags)} />
      </header>
      <Brief words={{ description, artifacts }}>
        {description.trim() === '' && criteria.trim() === '' && (
          <p className="quiet">
            Nothing is written yet. What you write is shown here as others will read it.
          </p>
        )}
      </Brief>
      <Criteria text={criteria} />
      {milestones.length > 1 && (
        <MilestoneList
          milestones={milestones.map((amount, index) => ({
            amountTokWei: String(parseAmount(amount) ?? 0n),
            description: milestoneTexts[index],
            state: '',
          }))}
        />
      )}
    </div>
  );
}
