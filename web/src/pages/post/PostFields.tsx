// The form of a new task.
import { type Market, marketParameters, milestoneNumber, protocolConstants } from '@svc/sdk/domain';
import type { ReactNode } from 'react';
import { AskModel } from '#components/AskModel.tsx';
import { Field, NumberField, TextArea, TextField } from '#components/Field.tsx';
import { TypedUsd } from '#components/Money.tsx';
import { client } from '#data/client.ts';
import { showDuration, showMoment } from '#data/time.ts';
import { type Draft, type DraftErrors, deadlineOf, toLocalText } from './draft.ts';

type Props = {
  readonly draft: Draft;
  readonly market: Market;
  readonly errors: DraftErrors;
  readonly onChange: (change: Partial<Draft>) => void;
  /** The reader left a field: errors can be shown now. */
  readonly onLeave: () => void;
  /** More fields below. */
  readonly children?: ReactNode;
  /** Unix seconds. */
  readonly now: number;
};

export function PostFields({ draft, market, errors, now, onChange, onLeave, children }: Props) {
  const { minReviewSeconds, maxReviewSeconds } = marketParameters[market];
  const reviewRange = `${showDuration(minReviewSeconds)} to ${showDuration(maxReviewSeconds)}`;
  const bind = (name: 'title' | 'description' | 'criteria' | 'tags' | 'reviewHours') => ({
    value: draft[name],
    error: errors[name],
    onChange: (value: string) => onChange({ [name]: value }),
  });
  return (
    <form className="sheet" onSubmit={(event) => event.preventDefault()} onBlur={onLeave}>
      <div className="body stack">
        <TextField label="Title" maxLength={200} {...bind('title')} />
        <TextArea
          label="Description"
          note={`What the task is about, and what you give the worker. ${markdownNote}`}
          rows={8}
          {...bind('description')}
        />
        <TextArea
          label="Acceptance criteria"
          note="Deliveries, and disputes about them, are judged by these criteria. Their hash is part of the terms."
          rows={5}
          {...bind('criteria')}
        />
        <CriteriaHelp draft={draft} market={market} onChange={onChange} />
        <TextField label="Tags" note="Separated by commas." {...bind('tags')} />
        <MilestoneFields draft={draft} errors={errors} onChange={onChange} />
        <DeadlineFields draft={draft} errors={errors} now={now} onChange={onChange} />
        <div className="pairform">
          <NumberField
            label="Review time, hours"
            note={`Your time to look at each delivery: ${reviewRange}.`}
            {...bind('reviewHours')}
          />
        </div>
        {children}
      </div>
    </form>
  );
}

/** The draft is a proposal beside the field; what the reader has typed stays until they choose. */
function CriteriaHelp({ draft, market, onChange }: Pick<Props, 'draft' | 'market' | 'onChange'>) {
  const { title, description, criteria } = draft;
  const isTitled = title.trim() !== '';
  return (
    <AskModel
      market={market}
      label={criteria.trim() === '' ? 'Draft acceptance criteria' : 'Improve these criteria'}
      answerLabel="Proposed criteria"
      note={isTitled ? 'Sends title, description and criteria to a language model.' : 'Write a title first.'}
      isDisabled={!isTitled}
      ask={() => client.draftCriteria({ title, description, criteria })}
    >
      {(text) => (
        <p className="row">
          <button type="button" className="button" onClick={() => onChange({ criteria: text })}>
            {criteria.trim() === '' ? 'Use these criteria' : 'Replace mine with these'}
          </button>
          {criteria.trim() !== '' && (
            <button
              type="button"
              className="button"
              onClick={() => onChange({ criteria: `${criteria.trimEnd()}\n${text}` })}
            >
              Add them below mine
            </button>
          )}
        </p>
      )}
    </AskModel>
  );
}

const markdownNote = 'Markdown works: # heading, - list, - [ ] check box, **bold**, `code`.';

/** One deadline, as days from now or as a date: changing one shows the other. */
function DeadlineFields({
  draft,
  errors,
  now,
  onChange,
}: Pick<Props, 'draft' | 'errors' | 'onChange'> & { readonly now: number }) {
  const deadline = deadlineOf(draft, now);
  const isKnown = !Number.isNaN(deadline);
  const daysLeft = isKnown ? String(Math.round(((deadline - now) / 86_400) * 10) / 10) : '';
  return (
    <div className="pairform">
      <NumberField
        label="Deadline, days from now"
        error={errors.days}
        value={draft.due === '' ? draft.days : daysLeft}
        onChange={(days) => onChange({ days, due: '' })}
      />
      <TextField
        label="or on this date"
        type="datetime-local"
        note={isKnown ? showMoment(deadline) : 'Date and time of your own clock.'}
        value={draft.due === '' ? toLocalText(deadline) : draft.due}
        min={toLocalText(now)}
        onChange={(due) => onChange({ due })}
      />
    </div>
  );
}

export function EscrowField({ draft, onChange }: Pick<Props, 'draft' | 'onChange'>) {
  return (
    <Field label="Escrow" note="Workers prefer funded tasks. Work starts only when escrow is full.">
      {(props) => (
        <select
          {...props}
          value={draft.funding}
          onChange={(event) => onChange({ funding: event.target.value === 'now' ? 'now' : 'later' })}
        >
          <option value="now">fund in full now</option>
          <option value="later">
            fund later, within {showDuration(protocolConstants.activationWindowSeconds)} of the claim
          </option>
        </select>
      )}
    </Field>
  );
}

function MilestoneFields({ draft, errors, onChange }: Pick<Props, 'draft' | 'errors' | 'onChange'>) {
  const { milestones, milestoneTexts } = draft;
  const change = (index: number, value: string) =>
    onChange({ milestones: milestones.map((text, at) => (at === index ? value : text)) });
  const name = (index: number, value: string) =>
    onChange({
      milestoneTexts: milestones.map((_, at) => (at === index ? value : (milestoneTexts[at] ?? ''))),
    });
  const isSingle = milestones.length === 1;
  return (
    <fieldset>
      <legend>
        <b>Payment</b>
      </legend>
      {milestones.map((text, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: milestones have no id
          key={index}
          className="milestone"
        >
          {!isSingle && (
            <TextField
              label={`Milestone ${milestoneNumber(index)}`}
              placeholder="What is delivered for it"
              maxLength={200}
              value={milestoneTexts[index] ?? ''}
              onChange={(value) => name(index, value)}
            />
          )}
          <div>
            <NumberField
              label={isSingle ? 'Amount, TOK' : `Amount ${index + 1}, TOK`}
              error={index === 0 ? errors.milestones : undefined}
              value={text}
              onChange={(value) => change(index, value)}
            />
            <TypedUsd amount={text.trim()} />
          </div>
          {!isSingle && (
            <button
              type="button"
              className="button"
              aria-label={`Remove milestone ${milestoneNumber(index)}`}
              onClick={() =>
                onChange({
                  milestones: milestones.filter((_, at) => at !== index),
                  milestoneTexts: milestoneTexts.filter((_, at) => at !== index),
                })
              }
            >
              ×
            </button>
          )}
        </div>
      ))}
      {milestones.length < protocolConstants.maxMilestones && (
        <button
          type="button"
          className="button"
          onClick={() => onChange({ milestones: [...milestones, ''] })}
        >
          {isSingle ? 'Pay in milestones' : 'Add a milestone'}
        </button>
      )}
    </fieldset>
  );
}
